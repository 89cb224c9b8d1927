# shellcheck shell=bash
# What Docker and a kubelet change on the machine outside their own files, noted
# before and restored after. Everything here needs root: another user cannot restore
# anything, and needs a Docker daemon that is not ours.

MACHINE=$STATE/machine

# Where dockerd and containerd write whatever folders they are started with: a key, empty folders,
# and sockets of containers.
DAEMON_PATHS=(/etc/docker/key.json /etc/docker /opt/containerd /run/containerd /run/docker)

# The settings a Docker daemon, a node's systemd and a kubelet are known to write.
machine_settings() {
  local f
  for f in \
    fs/file-max fs/nr_open \
    kernel/panic kernel/panic_on_oops kernel/pid_max \
    kernel/keys/root_maxkeys kernel/keys/root_maxbytes \
    vm/overcommit_memory vm/panic_on_oom \
    net/netfilter/nf_conntrack_max net/netfilter/nf_conntrack_tcp_timeout_established \
    net/netfilter/nf_conntrack_tcp_timeout_close_wait \
    net/bridge/bridge-nf-call-iptables net/bridge/bridge-nf-call-ip6tables \
    net/ipv4/ip_forward net/ipv6/conf/{all,default}/forwarding; do
    [[ ! -e /proc/sys/$f ]] || echo "$f"
  done
  # Turning forwarding on or off changes these as well, for each interface.
  (cd /proc/sys && printf '%s\n' net/ipv4/conf/*/{forwarding,accept_redirects} net/ipv6/conf/*/forwarding)
}

note_machine() {
  is_root && [[ $(uname -s) == Linux ]] || return 0
  [[ ! -e $MACHINE ]] || return 0
  local tmp=$MACHINE.new f
  rm -rf "$tmp"
  mkdir -p "$tmp"
  for f in $(machine_settings); do
    [[ ! -r /proc/sys/$f ]] || printf '%s %s\n' "$f" "$(<"/proc/sys/$f")" 2>/dev/null
  done >"$tmp/settings"
  # Docker makes the source of a bind mount that is not there, and kind mounts it.
  [[ -e /lib/modules ]] || : >"$tmp/no-lib-modules"
  for f in "${DAEMON_PATHS[@]}"; do
    [[ -e $f ]] || echo "$f"
  done >"$tmp/no-daemon-paths"
  nft_tables >"$tmp/nft-tables"
  bridges >"$tmp/bridges"
  find /sys/fs/cgroup -mindepth 1 -maxdepth 3 -type d 2>/dev/null | sort >"$tmp/cgroups"
  mv "$tmp" "$MACHINE"
}

nft_tables() {
  if have nft; then
    nft list tables 2>/dev/null | sed 's/^table //' | sort
  fi
}

restore_machine() {
  [[ -e $MACHINE ]] || return 0
  local f value
  while read -r f value; do
    # An interface may have been removed, and unchanged values are not written.
    if [[ -e /proc/sys/$f && $(<"/proc/sys/$f") != "$value" ]]; then
      echo "$value" >"/proc/sys/$f" || echo "could not put back $f to $value"
    fi
  done < <(forwarding_first "$MACHINE/settings")
  if [[ -e $MACHINE/no-lib-modules ]]; then
    rmdir /lib/modules 2>/dev/null || true
  fi
  rm -rf "$MACHINE"
}

# Writing the global switch rewrites each interface's, so it goes first.
forwarding_first() {
  grep -E '^net/(ipv4/ip_forward|ipv6/conf/all/forwarding) ' "$1" || true
  grep -vE '^net/(ipv4/ip_forward|ipv6/conf/all/forwarding) ' "$1" || true
}

# remove_docker_network_traces: after our own daemon has ended, also by being
# killed. Its rules are picked out one by one; loading the rules noted before would
# undo what others changed in the meantime.
remove_docker_network_traces() {
  local tool table rule chain link port links=()
  while read -r link; do
    links+=("$link")
  done < <(new_docker_bridges)
  for tool in iptables ip6tables; do
    for table in filter nat raw mangle; do
      "$tool-save" -t "$table" 2>/dev/null |
        grep -E '^-A (INPUT|OUTPUT|FORWARD|PREROUTING|POSTROUTING) ' |
        while read -r rule; do
          if is_docker_rule "$tool" "$rule" "${links[@]}"; then
            # The rule is in the shell's own quoting.
            eval "$tool -w 5 -t $table -D ${rule#-A }"
          fi
        done || true
      for chain in $("$tool-save" -t "$table" 2>/dev/null | grep -oE '^:DOCKER\S*' | cut -c2-); do
        "$tool" -w 5 -t "$table" -F "$chain"
      done
      for chain in $("$tool-save" -t "$table" 2>/dev/null | grep -oE '^:DOCKER\S*' | cut -c2-); do
        "$tool" -w 5 -t "$table" -X "$chain"
      done
    done
  done
  # The rules are identified by the routes of their addresses, so bridges are deleted last.
  for link in "${links[@]}"; do
    # What is still tied to it belongs to containers that just ended.
    for port in $(ip -o link show master "$link" | sed -E 's/^[0-9]+: ([^:@]+).*/\1/'); do
      ip link delete "$port" 2>/dev/null || true
    done
    ip link delete "$link" || true
  done
  remove_empty_nft_tables
}

bridges() {
  if have ip; then
    ip -o link show type bridge | sed -E 's/^[0-9]+: ([^:@]+).*/\1/' | sort
  fi
}

new_docker_bridges() {
  comm -13 "$MACHINE/bridges" <(bridges) | grep -xE 'docker0|br-[0-9a-f]{12}' || true
}

# is_docker_rule TOOL RULE BRIDGE...: it names a chain or a bridge of Docker's, or
# masquerades an address behind such a bridge.
is_docker_rule() {
  local rule=" $2 " family=-4 link source
  [[ $1 == iptables ]] || family=-6
  [[ $rule != *" -j DOCKER"* ]] || return 0
  source=$(grep -oE ' -s [^ /]+' <<<"$rule" | cut -d' ' -f3 || true)
  [[ -z $source || $rule != *" -j MASQUERADE "* ]] || source=$(ip "$family" route get "$source" 2>/dev/null || true)
  shift 2
  for link in "$@"; do
    [[ $rule != *" $link "* && " $source " != *" dev $link "* ]] || return 0
  done
  return 1
}

# A table that was not there before and has become empty again goes as well.
remove_empty_nft_tables() {
  local family table
  have nft && [[ -e $MACHINE/nft-tables ]] || return 0
  while read -r family table; do
    if ! nft list table "$family" "$table" | grep -vE '^\s*(#.*)?$|^\s*(table|chain) .*\{$|^\s*\}$|^\s*type .* policy accept;$' | grep -q .; then
      nft delete table "$family" "$table" || true
    fi
  done < <(comm -13 "$MACHINE/nft-tables" <(nft_tables))
}

# remove_daemon_paths: what was not there before our daemon, unless another one runs by now.
remove_daemon_paths() {
  local path
  [[ -e $MACHINE/no-daemon-paths ]] || return 0
  if pgrep -x dockerd >/dev/null || pgrep -x containerd >/dev/null; then
    return 0
  fi
  while read -r path; do
    # A file that others have put there stays, and its folder.
    find "$path" -xdev -depth \( -type d -o -type s -o -path /etc/docker/key.json \) -delete 2>/dev/null || true
  done <"$MACHINE/no-daemon-paths"
}

# Docker and the kubelet under it leave their control groups when they end.
remove_new_cgroups() {
  local d
  [[ -e $MACHINE/cgroups ]] || return 0
  while read -r d; do
    find "$d" -depth -type d -exec rmdir {} + 2>/dev/null || true
  done < <(comm -13 "$MACHINE/cgroups" <(find /sys/fs/cgroup -mindepth 1 -maxdepth 3 -type d | sort) | grep -E '/(docker|system\.slice/docker-)')
}
