# shellcheck shell=bash
#
# Starts a JVM with the image's jars and options. For entrypoint and for scripts of images that are
# built on this one: they set HBASE_HOME and source this file.

# shellcheck disable=SC2034  # for the scripts that source this
readonly EX_USAGE=64
readonly EX_CONFIG=78

HBASE_CONF_DIR=${HBASE_CONF_DIR:-/etc/hbase/conf}
WAIT_TIMEOUT=${WAIT_TIMEOUT:-300}
CGROUP_DIR=${CGROUP_DIR:-/sys/fs/cgroup}
JAVA=${JAVA_HOME:+${JAVA_HOME}/bin/}java
export HBASE_CONF_DIR

log() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# die STATUS MESSAGE
die() {
  log "$2"
  exit "$1"
}

require_config() {
  local file
  for file in "$@"; do
    [[ -r ${HBASE_CONF_DIR}/${file} ]] ||
      die "$EX_CONFIG" "missing configuration file ${HBASE_CONF_DIR}/${file}"
  done
}

accepts_connections() {
  # A lost SYN would otherwise hold up the loop for minutes.
  # shellcheck disable=SC2016  # expanded by the inner shell
  timeout 2 bash -c 'exec 3<> "/dev/tcp/$1/$2"' wait "${1%:*}" "${1##*:}" 2>/dev/null
}

wait_for_dependencies() {
  local target deadline=$((SECONDS + WAIT_TIMEOUT)) next_line=0
  for target in ${WAIT_FOR:-}; do
    [[ $target =~ ^.+:[0-9]+$ ]] || die "$EX_CONFIG" "WAIT_FOR: '${target}' is not host:port"
    until accepts_connections "$target"; do
      ((SECONDS < deadline)) ||
        die 1 "gave up after ${WAIT_TIMEOUT} s: ${target} does not resolve or accept connections"
      if ((SECONDS >= next_line)); then
        log "waiting for ${target}"
        next_line=$((SECONDS + 5))
      fi
      sleep 0.5
    done
  done
}

# read_options FILE: appends its options to the array java_options.
read_options() {
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    [[ -z $line || $line == '#'* ]] || java_options+=("$line")
  done < "$1"
}

# set_hadoop_jars published|patched: sets hadoop_jars to the folder with those that are patched, or
# with the same jars as published. A process gets the one or the other, never both.
set_hadoop_jars() {
  local option wanted=patched
  for option in "${java_options[@]}"; do
    if [[ $option == -Dhbase.offheap.hadoop?(=*) ]]; then
      wanted=${option#-Dhbase.offheap.hadoop}
      wanted=${wanted#=}
    fi
  done
  [[ $wanted == patched || $wanted == published ]] ||
    die "$EX_CONFIG" "-Dhbase.offheap.hadoop=${wanted} must be patched or published"
  hadoop_jars=${HBASE_HOME}/hadoop/published
  # An image without patches has no such folder.
  if [[ $1 == patched && $wanted == patched && -d ${HBASE_HOME}/hadoop/patched ]]; then
    hadoop_jars=${HBASE_HOME}/hadoop/patched
  fi
}

# prepare_java published|patched: sets java_options and class_path, with Hadoop's jars of that kind;
# the option -Dhbase.offheap.hadoop=published takes the published ones in any case. The mounted files
# come first on the class path, so that they also win over the image's logging and metrics settings.
prepare_java() {
  java_options=()
  read_options "${HBASE_HOME}/conf/jvm-base.options"
  if [[ -r ${HBASE_CONF_DIR}/jvm.options ]]; then
    read_options "${HBASE_CONF_DIR}/jvm.options"
  fi
  set_class_path "${1:-published}"
  set_native_libraries
}

# set_web_root: sets web_root to what HBase's and Hadoop's web servers serve. HBase's own pages are in it
# only with WEB_PAGES=true, since their users are not authenticated.
set_web_root() {
  web_root=${HBASE_HOME}/webroot
  case ${WEB_PAGES:-false} in
    true) ;;
    false) return ;;
    *) die "$EX_CONFIG" "WEB_PAGES=${WEB_PAGES} must be true or false" ;;
  esac
  # An older HBase, which has no such jar in its image, has other classes of pages, and a web server
  # does not start with a page that is none.
  if compgen -G "${HBASE_HOME}/lib/hbase-observer-*.jar" > /dev/null; then
    web_root=${HBASE_HOME}/pages:${web_root}
  else
    log 'this image has no pages: WEB_PAGES=true changes nothing'
  fi
}

# set_class_path published|patched: after java_options are set.
set_class_path() {
  set_hadoop_jars "$1"
  set_web_root
  class_path="${HBASE_CONF_DIR}:${HBASE_HOME}/conf:${web_root}"
  class_path="${class_path}:${hadoop_jars}/*:${HBASE_HOME}/lib/*"
}

# The codecs' libraries lie in a folder by the processor's name. Their loaders would otherwise unpack
# them into /tmp, where execution may be forbidden. Mounted options are later and win.
set_native_libraries() {
  local folder
  folder=${HBASE_HOME}/lib-native/$(uname -m)
  if [[ -d $folder ]]; then
    java_options=(
      "-DZstdNativePath=${folder}/libzstd-jni.so"
      "-Dorg.xerial.snappy.lib.path=${folder}"
      -Dorg.xerial.snappy.lib.name=libsnappyjava.so
      "${java_options[@]}"
    )
  fi
}

# stat_value KEY FILE
stat_value() {
  local key value
  while read -r key value; do
    if [[ $key == "$1" ]]; then
      printf '%s\n' "$value"
      return
    fi
  done < "$2"
  echo 0
}

# free_mib: sets free to the MiB that the container may still take, page cache that the kernel drops
# first counted as free; to nothing where it has no limit.
free_mib() {
  local limit usage inactive
  free=
  if [[ -r ${CGROUP_DIR}/memory.max ]]; then
    limit=$(< "${CGROUP_DIR}/memory.max")
    usage=$(< "${CGROUP_DIR}/memory.current")
    inactive=$(stat_value inactive_file "${CGROUP_DIR}/memory.stat")
  elif [[ -r ${CGROUP_DIR}/memory/memory.limit_in_bytes ]]; then
    limit=$(< "${CGROUP_DIR}/memory/memory.limit_in_bytes")
    usage=$(< "${CGROUP_DIR}/memory/memory.usage_in_bytes")
    inactive=$(stat_value total_inactive_file "${CGROUP_DIR}/memory/memory.stat")
  else
    return 0
  fi
  # Version 1 has a number near 2^63 for no limit.
  if [[ $limit != max ]] && ((limit < 1 << 60)); then
    free=$(((limit - usage + inactive) >> 20))
  fi
}

run_java() {
  "$JAVA" "${java_options[@]}" -cp "$class_path" "$@"
}

exec_java() {
  exec "$JAVA" "${java_options[@]}" -cp "$class_path" "$@"
}
