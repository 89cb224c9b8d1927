# shellcheck shell=bash
# What a cluster and its Docker daemon may leave on the machine, for selftest: all of it as lines
# that begin with a kind, so that what is new after `down` can be named. The cache and the packages
# may stay (README.md); what other programs may do meanwhile is left out.

# A process that `cluster` has started has this in its environment, as have those that these start.
TRACE_MARK=HBASE_OFFHEAP_SELFTEST=$$-$RANDOM

# traces: what there is, sorted. As much of it as this user may read: what has ended or is not to be
# read is no error here.
traces() (
  set +e +o pipefail
  {
    docker_traces
    if [[ $(uname -s) == Linux ]]; then
      state_traces
      network_traces
      setting_traces
      file_traces
      # Of each container; their parent belongs to the daemon.
      find /sys/fs/cgroup -type d 2>/dev/null | sed -nE 's|^(.*/docker[/-][0-9a-f]{64}).*|cgroup \1|p'
      awk '{ print "mount", $5 }' /proc/self/mountinfo
    fi
  } | sort -u
)

# daemon_traces: what there must be nothing of where no daemon runs before and after.
daemon_traces() (
  set +e +o pipefail
  [[ $(uname -s) == Linux ]] || return 0
  {
    find /sys/fs/cgroup -type d 2>/dev/null | grep -E '/(docker|kubepods|kubelet)(\.slice)?(/|$)' | sed 's/^/cgroup /'
    container_processes
    find /etc/docker /etc/containerd /etc/cni /opt/containerd /opt/cni /run/containerd /run/docker 2>/dev/null | sed 's/^/file /'
  } | sort -u
)

# By their control groups. Inside of a container all processes would count, so none does.
container_processes() {
  local groups='/(docker|kubepods|kubelet)[/.-]' f
  ! grep -qE "$groups" /proc/self/cgroup || return 0
  for f in /proc/[0-9]*; do
    ! grep -qE "$groups" "$f/cgroup" 2>/dev/null || echo "process ${f#/proc/} $(<"$f/comm")"
  done
}

# marked_processes: those with the mark that still run.
marked_processes() (
  set +e
  [[ $(uname -s) == Linux ]] || return 0
  for f in /proc/[0-9]*; do
    ! grep -qzxF -- "$TRACE_MARK" "$f/environ" 2>/dev/null || echo "process ${f#/proc/} $(<"$f/comm")"
  done
)

# new_traces BEFORE AFTER: the lines of AFTER that BEFORE lacks. A setting is compared where both
# have it: modules and interfaces bring their own.
new_traces() {
  comm -13 "$1" "$2" | while read -r line; do
    [[ $line != setting\ * ]] || grep -qF "${line%%=*}=" "$1" || continue
    echo "$line"
  done
}

docker_traces() {
  have_docker || return 0
  docker ps -a --no-trunc --format 'container {{.ID}} {{.Names}}'
  docker network ls --no-trunc --format 'network {{.ID}} {{.Name}}'
  docker volume ls --format 'volume {{.Name}}'
}

have_docker() { command -v docker >/dev/null && timeout 20 docker version >/dev/null 2>&1; }

# In the state folder, the last cluster's `down` leaves the logs and the lock.
state_traces() {
  if [[ -e $TRACED_STATE/clusters ]]; then
    find "$TRACED_STATE/clusters" -mindepth 1 -maxdepth 1
  else
    find "$TRACED_STATE" -mindepth 1 -maxdepth 1 ! -name log ! -name lock 2>/dev/null
  fi | sed 's/^/state /'
}
TRACED_STATE=${HBASE_OFFHEAP_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/hbase-offheap}

# Rules without their counters. Tables and chains of the kernel's own exist once a rule was read.
network_traces() {
  local tool
  find /sys/class/net -mindepth 1 -printf 'link %f\n'
  [[ $(id -u) == 0 ]] || return 0
  for tool in "${RULE_TOOLS[@]}"; do
    if [[ $tool == nft ]]; then
      nft list tables | sed 's/^/nft /'
    else
      "$tool" 2>/dev/null | awk -v tool="${tool%-save}" \
        '/^\*/ { table = $1 } /^-A |^:[^ ]+ - / { sub(/ \[[0-9:]*\]$/, ""); print tool, table, $0 }'
    fi
  done
}
# What is installed by `up` has nothing to compare with.
RULE_TOOLS=()
for tool in iptables-save ip6tables-save nft; do
  ! command -v "$tool" >/dev/null || RULE_TOOLS+=("$tool")
done

# Only root can put them back, so for others they are not compared. What the kernel counts, or draws
# by lot, differs each time.
setting_traces() {
  [[ $(id -u) == 0 ]] || return 0
  grep -rsa '' /proc/sys/{fs,kernel,net,vm} |
    grep -vE '^/proc/sys/(fs/(quota|aio-nr|[a-z]+-(nr|state))|kernel/(random|ns_last_pid|pty/nr|perf_|sched_|tainted|[a-z_]+_count)|net/.*_count:)' |
    sed 's|^/proc/sys/\([^:]*\):|setting \1=|'
}

# Names in folders in which Docker, a kubelet or the tools could make some, but for those that
# belong to packages, to Go, to iptables or to mount. Of kubectl's cache, the folder of this cluster:
# any other kubectl writes there too.
file_traces() {
  find / /etc /opt /run /usr/local /var /var/lib "$HOME" -mindepth 1 -maxdepth 1 2>/dev/null |
    grep -vxE "/run/(xtables\.lock|mount)|$HOME/(go|\.cache|\.config|\.kube|\.local)" | sed 's/^/file /'
  find "$HOME/.docker" 2>/dev/null | sed 's/^/file /'
  [[ -z ${TRACED_API-} ]] || find "$HOME/.kube/cache/discovery" -maxdepth 1 -name "$TRACED_API" 2>/dev/null | sed 's/^/file /'
  [[ ! -e /lib/modules ]] || echo 'file /lib/modules'
  find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'images-tar*' 2>/dev/null | sed 's/^/file /'
}

# without_packages: of the lines of traces, those without files that a package has installed.
without_packages() {
  local line
  while read -r line; do
    [[ $line != file\ * ]] || ! dpkg -S "${line#file }" >/dev/null 2>&1 || continue
    echo "$line"
  done
}
