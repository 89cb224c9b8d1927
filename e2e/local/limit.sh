# shellcheck shell=bash
# Control groups with a limit of memory, as a container has one, of version 1 or 2. Sourced by scripts
# that set die.

readonly GROUPS_NAME=hbase-offheap-report

# make_group MIB: sets group to the folder of a new one. Without swap, as in a pod.
make_group() {
  local parent bytes=$(($1 << 20))
  for parent in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    # Of version 2, children have the limits of a controller that is listed here.
    [[ ! -w $parent/cgroup.subtree_control ]] ||
      { echo +memory > "$parent/cgroup.subtree_control"; } 2> /dev/null || true
    group=$(mktemp -d "$parent/$GROUPS_NAME-$$-XXXXXX" 2> /dev/null) || continue
    # Of version 1, the second one is of memory and swap together, and must not be the lower one.
    write_limit memory.limit_in_bytes "$bytes"
    write_limit memory.memsw.limit_in_bytes "$bytes"
    write_limit memory.max "$bytes"
    write_limit memory.swap.max 0
    [[ $(read_group memory.limit_in_bytes memory.max) != "$bytes" ]] || return 0
    rmdir "$group"
  done
  group=
  die "no control group with a limit of $1 MiB; it takes root"
}

write_limit() { # FILE VALUE
  [[ ! -e $group/$1 ]] || { echo "$2" > "$group/$1"; } 2> /dev/null || true
}

# read_group FILE...: of those that there are.
read_group() {
  (cd "$group" && cat "$@" 2> /dev/null) || true
}

# group_kills: how many processes the kernel killed because of the limit.
group_kills() {
  read_group memory.oom_control memory.events | sed -n 's/^oom_kill //p'
}

# group_peak: the most that was ever charged, in bytes: with what is in the page cache. Nothing where the
# kernel does not note it.
group_peak() {
  read_group memory.max_usage_in_bytes memory.peak
}

# drop_group: once its processes have ended. What they left on a tmpfs must have been deleted before, or
# its pages belong to no container.
drop_group() {
  local i
  [[ -n ${group-} ]] || return 0
  for ((i = 0; i < 50; i++)); do
    rmdir "$group" 2> /dev/null && break
    sleep 0.1
  done
  group=
}

# drop_old_groups: those of scripts that were killed.
drop_old_groups() {
  local old pid
  for old in /sys/fs/cgroup/{memory/,}"$GROUPS_NAME"-*; do
    [[ -d $old ]] || continue
    pid=${old##*/"$GROUPS_NAME"-}
    kill -0 "${pid%%-*}" 2> /dev/null || rmdir "$old" 2> /dev/null || true
  done
}
