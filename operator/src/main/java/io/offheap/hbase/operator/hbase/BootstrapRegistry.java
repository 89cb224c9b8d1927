package io.offheap.hbase.operator.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcCallback;

/**
 * Requests the cluster's id, its active master and its meta table from the bootstrap servers
 * ({@link OwnHostsRpcClient#BOOTSTRAP_SERVERS}), two at a time, until one responds. HBase
 * instantiates this class by its name in the configuration.
 *
 * <p>HBase's own {@code RpcConnectionRegistry} does the same, but has a thread for each connection
 * that refreshes the list of servers. Without that thread ({@code
 * hbase.client.bootstrap.refresh_interval_secs} at 0) HBase 2.6.4 throws a NullPointerException if
 * a server does not respond, and the request never ends ({@code
 * AbstractRpcBasedConnectionRegistry.call}). The operator knows all servers from the resource, and
 * makes another connection when they change. HBase's class also makes a second client for the
 * cluster's id, which only Kerberos needs in advance.
 */
public final class BootstrapRegistry implements ConnectionRegistry {
  private static final int AT_ONCE = 2;

  private final List<ServerName> servers;
  private final User user;
  private final RpcClient client;
  private final String text;

  /** A request to one server. */
  private interface Request<T extends Message> {
    void send(ClientMetaService.Interface stub, HBaseRpcController controller, RpcCallback<T> done);
  }

  /** The constructor that HBase calls. */
  public BootstrapRegistry(Configuration conf, User user) {
    text = conf.get(OwnHostsRpcClient.BOOTSTRAP_SERVERS);
    servers =
        Arrays.stream(conf.getTrimmedStrings(OwnHostsRpcClient.BOOTSTRAP_SERVERS))
            .map(address -> ServerName.valueOf(address, ServerName.NON_STARTCODE))
            .toList();
    this.user = user;
    client = RpcClientFactory.createClient(conf, null);
  }

  @Override
  public CompletableFuture<String> getClusterId() {
    return this.<GetClusterIdResponse, String>request(
        (stub, controller, done) ->
            stub.getClusterId(controller, GetClusterIdRequest.getDefaultInstance(), done),
        GetClusterIdResponse::hasClusterId,
        GetClusterIdResponse::getClusterId);
  }

  @Override
  public CompletableFuture<ServerName> getActiveMaster() {
    return this.<GetActiveMasterResponse, ServerName>request(
        (stub, controller, done) ->
            stub.getActiveMaster(controller, GetActiveMasterRequest.getDefaultInstance(), done),
        GetActiveMasterResponse::hasServerName,
        response -> ProtobufUtil.toServerName(response.getServerName()));
  }

  @Override
  public CompletableFuture<RegionLocations> getMetaRegionLocations() {
    return this.<GetMetaRegionLocationsResponse, RegionLocations>request(
        (stub, controller, done) ->
            stub.getMetaRegionLocations(
                controller, GetMetaRegionLocationsRequest.getDefaultInstance(), done),
        response -> response.getMetaLocationsCount() != 0,
        response ->
            new RegionLocations(
                response.getMetaLocationsList().stream()
                    .map(ProtobufUtil::toRegionLocation)
                    .toArray(HRegionLocation[]::new)));
  }

  private <T extends Message, V> CompletableFuture<V> request(
      Request<T> request, Predicate<T> isWhole, Function<T, V> value) {
    var order = new ArrayList<>(servers);
    Collections.shuffle(order, ThreadLocalRandom.current());
    var next = new ConcurrentLinkedQueue<>(order);
    // Each server has its deadline; this one is for requests that end without a callback.
    var result =
        new CompletableFuture<T>()
            .orTimeout((servers.size() + 1L) * OwnHostsRpcClient.RPC_MILLIS, TimeUnit.MILLISECONDS);
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var chains =
        IntStream.range(0, AT_ONCE)
            .mapToObj(
                chain -> {
                  var ended = new CompletableFuture<Void>();
                  requestNext(next, request, isWhole, result, failures, ended);
                  return ended;
                })
            .toArray(CompletableFuture<?>[]::new);
    var unused =
        CompletableFuture.allOf(chains)
            .thenRun(() -> result.completeExceptionally(noneResponds(failures)));
    return result.thenApply(value);
  }

  /** A refused response, if there is one, is the cause, so that the condition reports it. */
  private IOException noneResponds(Queue<Throwable> failures) {
    var failure = new IOException("none of " + text + " responds");
    failures.stream()
        .filter(it -> RefusedResponseException.in(it).isPresent())
        .findFirst()
        .ifPresent(failure::initCause);
    failures.stream().filter(it -> it != failure.getCause()).forEach(failure::addSuppressed);
    return failure;
  }

  /**
   * Sends the request to the next server; after a failure to the one after it, until there is a
   * result.
   */
  private <T extends Message> void requestNext(
      Queue<ServerName> next,
      Request<T> request,
      Predicate<T> isWhole,
      CompletableFuture<T> result,
      Queue<Throwable> failures,
      CompletableFuture<Void> ended) {
    var server = result.isDone() ? null : next.poll();
    if (server == null) {
      ended.complete(null);
      return;
    }
    try {
      send(server, next, request, isWhole, result, failures, ended);
    } catch (RuntimeException | Error e) {
      fail(e, result, ended);
    }
  }

  private static void fail(
      Throwable failure, CompletableFuture<?> result, CompletableFuture<Void> ended) {
    result.completeExceptionally(failure);
    ended.complete(null);
  }

  private <T extends Message> void send(
      ServerName server,
      Queue<ServerName> next,
      Request<T> request,
      Predicate<T> isWhole,
      CompletableFuture<T> result,
      Queue<Throwable> failures,
      CompletableFuture<Void> ended) {
    var controller = new HBaseRpcControllerImpl();
    var stub =
        ClientMetaService.newStub(
            client.createRpcChannel(server, user, OwnHostsRpcClient.RPC_MILLIS));
    request.send(
        stub,
        controller,
        response -> {
          try {
            if (!controller.failed() && isWhole.test(response)) {
              result.complete(response);
            } else if (controller.failed()) {
              failures.add(controller.getFailed());
            }
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
          requestNext(next, request, isWhole, result, failures, ended);
        });
  }

  @Override
  public String getConnectionString() {
    return text;
  }

  @Override
  public void close() {
    client.close();
  }
}
