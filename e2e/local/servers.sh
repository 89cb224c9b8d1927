# shellcheck shell=bash disable=SC2154  # what the scripts set that source this
# Servers as plain processes on loopback, from the image's own runtime. Sourced by scripts that set
# root, work, PORT_BASE and die.

readonly ZOOKEEPER_PORT=$((PORT_BASE + 181)) NAMENODE_PORT=$((PORT_BASE + 20))
readonly NAMENODE_HTTP_PORT=$((PORT_BASE + 870)) DATANODE_HTTP_PORT=$((PORT_BASE + 864))
readonly MASTER_HTTP_PORT=$((PORT_BASE + 10)) ZOOKEEPER_METRICS_PORT=$((PORT_BASE + 700))
readonly REGIONSERVER_PORT=$((PORT_BASE + 21)) INFO_PORT=$((PORT_BASE + 30))
# Java options of each role but the region servers; ROLE is replaced.
role_options=()
# Further properties of the master, as site takes them.
master_site=()
HBASE_HOME=$root/images/hbase/target/image
export HBASE_HOME

# site NAME=VALUE... [FILE]: an XML configuration, with another one included.
site() {
  local item
  echo '<configuration xmlns:xi="http://www.w3.org/2001/XInclude">'
  for item in "$@"; do
    if [[ $item == /* ]]; then
      printf '<xi:include href="file://%s"/>\n' "$item"
    else
      printf '<property><name>%s</name><value>%s</value></property>\n' "${item%%=*}" "${item#*=}"
    fi
  done
  echo '</configuration>'
}

write_configuration() {
  local hdfs_site role
  mkdir -p "$work"/{conf,log,data,tmp,cache}
  mkdir -p "$HBASE_HOME"/webroot/{webapps/{hdfs,datanode},hbase-webapps/{master,regionserver}}
  for role in zookeeper namenode datanode master client; do
    mkdir -p "$work/conf/$role"
    printf '%s\n' -Xmx256m "${role_options[@]//ROLE/$role}" > "$work/conf/$role/jvm.options"
  done
  echo -Xmx1g >> "$work/conf/client/jvm.options"
  printf '%s\n' "dataDir=$work/data" "clientPort=$ZOOKEEPER_PORT" clientPortAddress=127.0.0.1 \
    tickTime=2000 maxClientCnxns=0 admin.enableServer=false \
    "metricsProvider.httpPort=$ZOOKEEPER_METRICS_PORT" > "$work/conf/zookeeper/zoo.cfg"
  hdfs_site=$(site "fs.defaultFS=hdfs://localhost:$NAMENODE_PORT" dfs.replication=1 \
    "dfs.namenode.name.dir=file://$work/data/name" \
    "dfs.namenode.http-address=127.0.0.1:$NAMENODE_HTTP_PORT" \
    "dfs.namenode.checkpoint.dir=file://$work/checkpoint" dfs.namenode.checkpoint.period=1 \
    "dfs.datanode.data.dir=file://$work/data/data" \
    "dfs.datanode.address=127.0.0.1:$((PORT_BASE + 866))" \
    "dfs.datanode.http.address=127.0.0.1:$DATANODE_HTTP_PORT" \
    "dfs.datanode.ipc.address=127.0.0.1:$((PORT_BASE + 867))" \
    dfs.namenode.safemode.extension=0 hadoop.prometheus.endpoint.enabled=true)
  for role in namenode datanode master; do
    tee "$work/conf/$role/core-site.xml" > "$work/conf/$role/hdfs-site.xml" <<< "$hdfs_site"
  done
  # Removed files would be kept for minutes, and there may be little disk.
  hbase_site=(hbase.cluster.distributed=true "hbase.rootdir=hdfs://localhost:$NAMENODE_PORT/hbase"
    "hbase.zookeeper.quorum=localhost:$ZOOKEEPER_PORT" "hbase.tmp.dir=$work/tmp"
    hbase.master.hostname=localhost hbase.master.ipc.address=127.0.0.1
    "hbase.master.port=$PORT_BASE" "hbase.master.info.port=$MASTER_HTTP_PORT"
    hbase.master.info.bindAddress=127.0.0.1
    hbase.master.hfilecleaner.ttl=1000 hbase.master.logcleaner.ttl=1000
    hbase.master.cleaner.interval=5000
    hbase.unsafe.regionserver.hostname=localhost hbase.regionserver.ipc.address=127.0.0.1
    "hbase.regionserver.port=$REGIONSERVER_PORT" "hbase.regionserver.info.port=$INFO_PORT"
    hbase.regionserver.info.bindAddress=127.0.0.1)
  site "${hbase_site[@]}" "${master_site[@]}" > "$work/conf/master/hbase-site.xml"
  site "${hbase_site[@]}" > "$work/conf/client/hbase-site.xml"
}

# start ROLE [NAME]: NAME is that of its configuration and log. Sets started to its process. A region
# server runs in the control group that group has, if it has one.
start() {
  local name=${2-$1} within=()
  # shellcheck disable=SC2016  # expanded by the inner shell
  [[ $1 != regionserver || -z ${group-} ]] ||
    within=(bash -c 'echo "$$" > "$0/cgroup.procs" && exec "$@"' "$group")
  HOSTNAME=zookeeper-0 HBASE_CONF_DIR=$work/conf/$name DATA_DIR=$work/data \
    "${within[@]}" "$HBASE_HOME/bin/entrypoint" "$1" > "$work/log/$name.log" 2>&1 &
  started=$!
}

# loadgen COMMAND...: with the jars of HBASE_HOME, and the configuration that client_conf names.
loadgen() {
  HBASE_CONF_DIR=$work/conf/${client_conf:-client} exec "$root/images/loadgen/target/image/bin/loadgen" "$@"
}

# await SECONDS WHAT PROCESS COMMAND...: until it succeeds, as long as the process runs.
await() {
  local deadline=$((SECONDS + $1)) what=$2 process=$3
  shift 3
  until "$@" > /dev/null 2>&1; do
    kill -0 "$process" 2> /dev/null || die "$what ended; see $work/log"
    ((SECONDS < deadline)) || die "no $what; see $work/log"
    sleep 0.5
  done
}

accepts() {
  (exec 3<> "/dev/tcp/127.0.0.1/$1")
}

serves() (
  exec 3<> "/dev/tcp/127.0.0.1/$INFO_PORT"
  printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' \
    /jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server >&3
  [[ $(timeout 5 cat <&3) =~ \"regionCount\"\ *:\ *[1-9] ]]
)

# stop PROCESS...: one by one; what has not ended after a minute is killed.
stop() {
  local pid i
  for pid in "$@"; do
    kill "$pid" 2> /dev/null || continue
    for ((i = 0; i < 120; i++)); do
      kill -0 "$pid" 2> /dev/null || break
      sleep 0.5
    done
    kill -9 "$pid" 2> /dev/null || true
  done
}

# require_free_ports: else another run's servers, which were killed without it, would be taken for ours.
require_free_ports() {
  local port
  for port in "$ZOOKEEPER_PORT" "$ZOOKEEPER_METRICS_PORT" "$NAMENODE_PORT" "$NAMENODE_HTTP_PORT" \
    "$DATANODE_HTTP_PORT" "$((PORT_BASE + 866))" "$((PORT_BASE + 867))" "$PORT_BASE" \
    "$MASTER_HTTP_PORT" "$REGIONSERVER_PORT" "$INFO_PORT"; do
    ! accepts "$port" 2> /dev/null || die "something listens on port $port already"
  done
}

start_cluster() {
  require_free_ports
  write_configuration
  start zookeeper
  await 300 ZooKeeper "$started" accepts "$ZOOKEEPER_PORT"
  start namenode
  await 300 'name node' "$started" accepts "$NAMENODE_PORT"
  start datanode
  start master
}

# launch_region_server NAME [PROPERTY...]: with $work/conf/NAME/jvm.options. PROPERTY is as site
# takes it. Sets region_server to its process, which does not serve yet.
launch_region_server() {
  local conf=$work/conf/$1
  site "${hbase_site[@]}" "${@:2}" > "$conf/hbase-site.xml"
  cp "$work/conf/master"/{core,hdfs}-site.xml "$conf/"
  echo "-Djava.library.path=$HBASE_HOME/lib-native" >> "$conf/jvm.options"
  start regionserver "$1"
  region_server=$started
}

# start_region_server NAME [PROPERTY...]: the same, until it serves.
start_region_server() {
  launch_region_server "$@"
  await 300 'region server' "$region_server" serves
}

# evaluate COMMAND OPTION...: one of PerformanceEvaluation's, by CLIENTS with CLIENT_ROWS rows of
# VALUE_BYTES each.
evaluate() {
  loadgen run org.apache.hadoop.hbase.PerformanceEvaluation --nomapred --table=Bench \
    "--rows=$CLIENT_ROWS" "--valueSize=$VALUE_BYTES" "${@:2}" "$1" "$CLIENTS" \
    >> "$work/log/client.log" 2>&1 &
  wait $! || die "$1 failed; see $work/log/client.log"
}

# snapshot FILE: the region server's counters, once they are up to date. HBase shows counters that are
# up to a second old here, by hadoop-metrics2.properties, and no counter shows its age.
snapshot() {
  sleep 3
  java -cp "$class_path" io.offheap.hbase.e2e.bench.Snapshot "$region_server" > "$1" ||
    die "no counters of the region server; see $work/log"
}
