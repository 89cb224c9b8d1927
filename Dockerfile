# The operator. Build the jar first (mvn -pl operator package), then, from here:
#   docker build -t hbase-offheap/operator:0.1.0 .
# Any image with a Java 17 runtime on the PATH will do as a base. A tag can be moved to another image,
# a digest cannot: --build-arg BASE_IMAGE=eclipse-temurin@sha256:...
ARG BASE_IMAGE=eclipse-temurin:17-jre
FROM ${BASE_IMAGE}

LABEL org.opencontainers.image.title="HBase off-heap operator" \
      org.opencontainers.image.description="Kubernetes operator for tuned off-heap HBase" \
      org.opencontainers.image.licenses="Apache-2.0"

COPY LICENSE /licenses/LICENSE
COPY operator/target/hbase-offheap-operator.jar /opt/operator/

# By number, so that the kubelet can verify that it is not root. Any other user works as well:
# nothing here is owned by this one.
USER 10001:10001
# A jar that was built under a strict umask is copied with it.
RUN ["test", "-r", "/opt/operator/hbase-offheap-operator.jar"]
WORKDIR /opt/operator

# Further options go into JAVA_TOOL_OPTIONS. What is set here suits a small container with a
# read-only root file system:
# - the heap follows the container's limit, and leaves to metaspace, compiled code, threads and
#   buffers the 200 MiB and more that they take with two hundred clusters;
# - the quick compiler alone: the other one takes a hundred MiB more, for code that mostly waits;
# - two arenas of malloc, not eight for each core: what an arena has freed stays with the process;
# - an operator that ran out of memory or crashed must end, so that the kubelet starts it again,
#   and must log the reason, as a crash file would be lost with the container;
# - no performance data file in /tmp;
# - a region server's address changes with its pod, and is looked up again soon after.
ENV MALLOC_ARENA_MAX=2
ENTRYPOINT ["java", \
            "-XX:MaxRAMPercentage=36.0", \
            "-XX:TieredStopAtLevel=1", \
            "-XX:+ExitOnOutOfMemoryError", \
            "-XX:+ErrorFileToStderr", \
            "-XX:-UsePerfData", \
            "-Dsun.net.inetaddr.ttl=5", \
            "-Dsun.net.inetaddr.negative.ttl=1", \
            "-jar", "/opt/operator/hbase-offheap-operator.jar"]
CMD ["operator"]
