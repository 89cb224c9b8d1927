#!/usr/bin/env bash
# As in the binary distribution of HBase 2.6: every setting is a comment.

# The maximum amount of heap to use. Default is left to JVM default.
# export HBASE_HEAPSIZE=1G

# Uncomment below if you intend to use off heap cache.
# export HBASE_OFFHEAPSIZE=1G

# export HBASE_OPTS="$HBASE_OPTS -XX:+UseG1GC"
# export SERVER_GC_OPTS="-verbose:gc -XX:+PrintGCDetails -XX:+PrintGCDateStamps"
# export HBASE_REGIONSERVER_OPTS="$HBASE_REGIONSERVER_OPTS $HBASE_JMX_BASE"
