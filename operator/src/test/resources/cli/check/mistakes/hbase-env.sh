export JAVA_HOME=/usr/lib/jvm/java-17
export HBASE_HEAPSIZE=16G
export HBASE_OFFHEAPSIZE=16G

# Options of a JDK 8.
export HBASE_OPTS="$HBASE_OPTS -XX:+UseG1GC -XX:+PrintGCDetails -XX:+PrintGCDateStamps \
  -XX:+PrintTenuringDistribution -Xloggc:${HBASE_LOG_DIR}/gc.log"
export HBASE_OPTS="$HBASE_OPTS -XX:+UseGCLogFileRotation -XX:NumberOfGCLogFiles=5"

export HBASE_REGIONSERVER_OPTS="-Xms16g -XX:MaxGCPauseMillis=100 -XX:G1NewSizePercent=3 \
  -XX:InitiatingHeapOccupancyPercent=90 -XX:ParallelGCThreads=$(nproc)"
if [ -n "$DEBUG" ]; then
  export HBASE_REGIONSERVER_OPTS="$HBASE_REGIONSERVER_OPTS -agentlib:jdwp=transport=dt_socket"
fi
