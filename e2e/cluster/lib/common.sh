# shellcheck shell=bash
# Paths, messages, steps with their times, locks, and cache entries.

CACHE=${HBASE_OFFHEAP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/hbase-offheap}
STATE=${HBASE_OFFHEAP_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/hbase-offheap}
LOGS=$STATE/log
# kubectl's own cache would otherwise stay in ~/.kube.
export KUBECACHEDIR=$STATE/kubectl

# Results go to stdout, all other messages to stderr, so that
# $(cluster base) and eval "$(cluster env)" see only results.
say() { printf '%s\n' "$*" >&2; }
note() { printf '    %s\n' "$*" >&2; }

# die [-STATUS] MESSAGE...
die() {
  local status=1
  if [[ $1 =~ ^-[0-9]+$ ]]; then
    status=${1#-}
    shift
  fi
  say "cluster: $*"
  exit "$status"
}

have() { command -v "$1" >/dev/null 2>&1; }

is_root() { [[ $(id -u) == 0 ]]; }

# sha_of FILE...: twelve digits over names and contents, the same in every clone.
sha_of() {
  local sum=sha256sum f
  have sha256sum || sum='shasum -a 256'
  # The list is split on purpose: shasum needs its option.
  # shellcheck disable=SC2086
  for f in "$@"; do
    printf '%s\n' "${f#"$HERE"/}"
    cat "$f"
  done | $sum | cut -c1-12
}

# step TEXT LOGNAME COMMAND...: runs the command (often a function of ours) with
# its output in a log, and prints how long it took. On failure it shows the end of
# the log and ends the whole run. Not for use in conditions: bash would then
# ignore errors inside the command.
# The command gets a process group of its own, so that all of it can be ended when
# this run gets a signal.
step_group=
step() {
  local text=$1 log=$LOGS/$2.log start=$SECONDS status
  shift 2
  mkdir -p "$LOGS"
  say "==> $text"
  set -m
  (
    set +m -e
    "$@"
  ) >"$log" 2>&1 </dev/null &
  step_group=$!
  set +m
  set +e
  wait "$step_group"
  status=$?
  set -e
  step_group=
  if ((status != 0)); then
    note "FAILED after $((SECONDS - start)) s (status $status); the end of $log:"
    tail -n 30 "$log" | sed 's/^/    | /' >&2
    exit 1
  fi
  note "done in $((SECONDS - start)) s"
}

# bounded SECONDS COMMAND...: in the process group it is called from, so that it
# ends with the run. macOS has no timeout; what runs there is bounded by itself.
bounded() {
  if have timeout; then
    timeout --foreground "$@"
  else
    "${@:2}"
  fi
}

# wait_until SECONDS COMMAND...: polls five times a second.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

# take_lock FILE FD WHAT: one run at a time does this. Waits, with a word about
# it, up to 45 minutes: a cold build of everything by the other run fits in.
take_lock() {
  mkdir -p "$(dirname "$1")"
  eval "exec $2>>\"\$1\""
  # macOS has no flock; there two runs at once are the user's to avoid.
  have flock || return 0
  flock -n "$2" && return 0
  say "waiting for another run that is busy with $3 ($1)"
  flock -w 2700 "$2" || die "another run still holds $1 after 45 minutes"
}

unfinished=

end_step() {
  if [[ -n $step_group ]]; then
    kill -TERM -- "-$step_group" 2>/dev/null || true
    wait "$step_group" 2>/dev/null || true
    step_group=
  fi
}

clean_up() {
  end_step
  [[ -z $unfinished ]] || remove_tree "$unfinished"
}
trap clean_up EXIT
trap 'say "interrupted"; exit 130' INT
trap 'say "terminated"; exit 143' TERM

# remove_tree FOLDER: never across a mount that something may have left in it.
remove_tree() {
  if [[ $(uname -s) == Linux ]]; then
    rm -rf --one-file-system "$1"
  else
    rm -rf "$1"
  fi
}

# cache_entry PATH TEXT FUNCTION ARG...: if PATH is not in the cache, runs
# FUNCTION TEMP ARG... as a step and renames TEMP to PATH, so that an entry is
# either whole or not there.
cache_entry() {
  local path=$1 text=$2 name tmp
  shift 2
  if [[ -e $path ]]; then
    # For the clean-up of entries that were not used for long.
    touch -c "$path"
    return
  fi
  name=${path#"$CACHE"/}
  name=${name//\//-}
  take_lock "$CACHE/.lock/$name" 7 "$name"
  if [[ ! -e $path ]]; then
    tmp=$CACHE/.tmp/$name
    remove_tree "$tmp"
    mkdir -p "$tmp" "$(dirname "$path")"
    unfinished=$tmp
    step "$text" "$name" "$1" "$tmp" "${@:2}"
    mv "$tmp" "$path"
    unfinished=
    drop_old_entries "$(dirname "$path")" "$path"
  fi
  exec 7>&-
}

# Entries of other versions go after a month without use.
drop_old_entries() {
  find "$1" -mindepth 1 -maxdepth 1 ! -path "$2" -mtime +30 -exec rm -rf {} +
}

# apt_install PACKAGE...: only what is missing, and only where we may.
apt_install() {
  local missing=() p
  for p in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) == installed ]] || missing+=("$p")
  done
  ((${#missing[@]})) || return 0
  if ! have apt-get || ! is_root; then
    die "these packages are needed and can only be installed by root on Debian or Ubuntu: ${missing[*]}"
  fi
  step "installing packages: ${missing[*]}" apt apt_install_now "${missing[@]}"
}

apt_install_now() {
  export DEBIAN_FRONTEND=noninteractive
  # The lists of a fresh machine are empty or old; a second try pays for them.
  if bounded 600 apt-get install -y --no-install-recommends "$@"; then
    return
  fi
  bounded 300 apt-get update
  bounded 600 apt-get install -y --no-install-recommends "$@"
}
