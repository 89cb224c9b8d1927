# shellcheck shell=bash
# The Docker daemon: one that responds, or one of our own.

OWN_DOCKER=$STATE/docker

# What the daemon keeps between runs (images, build layers) is cache.
DOCKER_DATA=$CACHE/docker

own_docker_pid() { cat "$OWN_DOCKER/pid" 2>/dev/null; }
own_docker_run() { cat "$OWN_DOCKER/run" 2>/dev/null; }

# A process id alone could be another process' after a reboot.
own_docker_alive() {
  local pid run
  pid=$(own_docker_pid) && run=$(own_docker_run) || return 1
  tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF -- "--exec-root $run "
}

docker_responds() { have docker && bounded 20 docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }

# use_docker: points this run at the daemon that is there; fails if there is none.
use_docker() {
  if own_docker_alive; then
    DOCKER_HOST=unix://$(own_docker_run)/docker.sock
    export DOCKER_HOST
    # BuildKit starts runc by itself, past the wrapper.
    [[ ! -e $OWN_DOCKER/wrapped ]] || export DOCKER_BUILDKIT=0
  fi
  docker_responds
}

docker_is_own() { own_docker_alive && [[ ${DOCKER_HOST-} == "unix://$(own_docker_run)/docker.sock" ]]; }

ensure_docker() {
  if use_docker; then
    return
  fi
  if [[ $(uname -s)-$(uname -m) != Linux-x86_64 ]]; then
    die "no Docker daemon responds. Start Docker (or set DOCKER_HOST); one can be started from here only on Linux on x86-64"
  fi
  if ! is_root; then
    die "no Docker daemon responds to user $(id -un). Start it, join its group, or set DOCKER_HOST; root could also run this script, which then starts a daemon of its own"
  fi
  # What dockerd calls, and what puts the machine back. Debian's dockerd would push
  # out another vendor's that is there but not running.
  local packages=(iptables nftables iproute2 procps jq)
  have dockerd && have docker || packages+=(docker.io containerd runc)
  apt_install "${packages[@]}"
  # Installing may have started the system's daemon.
  if docker_responds; then
    return
  fi
  if [[ -e $OWN_DOCKER ]]; then
    say "the Docker daemon started earlier has stopped; restoring the machine first"
    remove_own_docker
  fi
  note_machine
  step "starting a Docker daemon" dockerd-start start_own_docker
  use_docker || die "the Docker daemon started but does not respond; see $LOGS/dockerd.log"
}

# lacks_sys_resource CAPABILITIES: as in /proc/PID/status.
lacks_sys_resource() { (((16#$1 >> 24 & 1) == 0)); }

start_own_docker() {
  local run pid options=()
  # The path of a socket may have 107 characters, so not under the state folder.
  run=$(mktemp -d /run/hbase-offheap.XXXXXX)
  mkdir -p "$OWN_DOCKER" "$DOCKER_DATA"
  echo "$run" >"$OWN_DOCKER/run"
  if lacks_sys_resource "$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)"; then
    # A copy, so that a change of the clone does not reach into a running daemon.
    cp "$HERE/docker/runc-without-sys-resource" "$run/runc"
    options+=(--add-runtime "limited=$run/runc" --default-runtime limited)
    : >"$OWN_DOCKER/wrapped"
  fi
  # With forwarding already on, dockerd leaves the FORWARD policy alone.
  echo 1 >/proc/sys/net/ipv4/ip_forward
  (
    # What outlives this run must not hold its locks.
    exec 7>&- 8>&-
    exec setsid nohup dockerd \
      --data-root "$DOCKER_DATA" --exec-root "$run" --pidfile "$run/dockerd.pid" \
      --host "unix://$run/docker.sock" "${options[@]}" \
      >"$LOGS/dockerd.log" 2>&1 </dev/null
  ) &
  pid=$!
  echo "$pid" >"$OWN_DOCKER/pid"
  export DOCKER_HOST=unix://$run/docker.sock
  if ! wait_until 60 docker version; then
    tail -n 20 "$LOGS/dockerd.log"
    return 1
  fi
  docker version
  # Where the daemon before this one was killed, this one may have started the
  # nodes of its clusters again. They are of no use any more.
  local stale
  stale=$(docker ps -aq --filter label=io.x-k8s.kind.cluster)
  # shellcheck disable=SC2086
  [[ -z $stale ]] || docker rm -fv $stale
}

# stop_own_docker: the other half of ensure_docker. The caller has seen to it that
# no cluster of ours is left.
stop_own_docker() {
  local others
  if own_docker_alive; then
    use_docker || true
    others=$(bounded 60 docker ps -q | wc -l)
    if ((others > 0)); then
      say "the Docker daemon started from here stays: $others containers that are not ours run in it"
      say "(run this again when they have ended)"
      return
    fi
  fi
  step "stopping the Docker daemon and putting the machine back" dockerd-stop remove_own_docker
}

remove_own_docker() {
  local pid run
  run=$(own_docker_run)
  if own_docker_alive; then
    pid=$(own_docker_pid)
    # Stopped containers and unnamed volumes would only pile up; images are cache.
    bounded 60 docker container prune -f || true
    bounded 60 docker volume prune -f || true
    bounded 60 docker image prune -f || true
    docker network prune -f || true
    kill "$pid"
    wait_until 40 process_gone "$pid" || kill -KILL "$pid" || true
  fi
  end_leftovers_of "$run"
  # Deepest first.
  awk -v run="$run" -v data="$DOCKER_DATA" \
    'index($2 "/", run "/") == 1 || index($2 "/", data "/") == 1 { print $2 }' /proc/mounts |
    sort -r | while read -r mount; do umount -l "$mount"; done
  remove_docker_network_traces
  remove_new_cgroups
  remove_daemon_paths
  restore_machine
  [[ -z $run ]] || remove_tree "$run"
  rm -rf "$OWN_DOCKER"
}

process_gone() { ! kill -0 "$1" 2>/dev/null; }

# A daemon that was killed leaves its containerd, the shims, and under these the
# containers. All but the last carry the daemon's own runtime folder in their
# arguments.
end_leftovers_of() {
  local run=$1 pid child
  [[ -n $run ]] || return 0
  for pid in $(containerd_processes_of "$run/"); do
    if [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") == *containerd-shim* ]]; then
      # The first process of a container; all others in it end with it.
      for child in $(ps -o pid= --ppid "$pid"); do
        kill -KILL "$child" 2>/dev/null || true
      done
    fi
    kill "$pid" 2>/dev/null || true
  done
  for pid in $(containerd_processes_of "$run/"); do
    wait_until 10 process_gone "$pid" || kill -KILL "$pid" 2>/dev/null || true
  done
}

# containerd_processes_of TEXT: containerd and its shims with TEXT in an argument,
# nothing else.
containerd_processes_of() {
  local f
  for f in /proc/[0-9]*/cmdline; do
    if tr '\0' '\n' 2>/dev/null <"$f" | { read -r first && [[ ${first##*/} == containerd* ]] && grep -qF -- "$1"; }; then
      f=${f#/proc/}
      echo "${f%/cmdline}"
    fi
  done
}

# image_there NAME
image_there() { docker image inspect "$1" >/dev/null 2>&1; }

# pull_if_possible NAME: one attempt. A registry must respond within seconds; the
# download itself may take longer. If none responds, there is no further attempt for
# an hour, or until `down`.
pull_if_possible() {
  local name=$1 log=$LOGS/pull.log pid
  image_there "$name" && return 0
  [[ -z $(find "$STATE/no-registry" -mmin -60 2>/dev/null) ]] || return 1
  mkdir -p "$LOGS"
  say "==> pulling $name, if a registry can be reached"
  docker pull "$name" >"$log" 2>&1 &
  pid=$!
  if wait_until 20 grep_or_ended "$pid" "$log" && { ! process_gone "$pid" || grep -q 'Pulling from' "$log"; }; then
    wait_until 900 process_gone "$pid" || kill "$pid"
    if wait "$pid"; then
      note "pulled"
      return 0
    fi
  fi
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  note "not to be had: $(tail -n 1 "$log")"
  : >"$STATE/no-registry"
  return 1
}

grep_or_ended() { process_gone "$1" || grep -q 'Pulling from' "$2"; }

print_docker_env() {
  if docker_is_own; then
    printf 'export DOCKER_HOST=%q\n' "$DOCKER_HOST"
    [[ ! -e $OWN_DOCKER/wrapped ]] || echo 'export DOCKER_BUILDKIT=0'
  elif [[ -n ${DOCKER_HOST-} ]]; then
    printf 'export DOCKER_HOST=%q\n' "$DOCKER_HOST"
  fi
}
