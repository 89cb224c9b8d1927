package io.offheap.hbase.operator.hbase;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;

/** An active master that counts the requests of each kind. */
final class CountedMaster {
  String name = "hb-master-0.hb,16000,1";
  List<String> live = List.of("hb-rs-0.hb,16020,1", "hb-rs-1.hb,16020,1");
  List<String> draining = List.of();
  String procedures = "[]";
  boolean isBalancerOn = true;
  boolean isNormalizerOn = true;
  boolean isStarting;

  /** Futures in place of the responses, by the name of the request's method. */
  final Map<String, Object> instead = new HashMap<>();

  private final Map<String, Integer> requests = new ConcurrentHashMap<>();

  /** The number of requests by the name of their method since the last call; none is left out. */
  Map<String, Integer> requests() {
    var counted = new HashMap<String, Integer>();
    for (var request : Set.copyOf(requests.keySet())) {
      // Counted meanwhile are those of the next call.
      counted.put(request, requests.remove(request));
    }
    return counted;
  }

  CompletableFuture<AsyncConnection> connection() {
    var admin = made(AsyncAdmin.class, (self, method, arguments) -> respond(method.getName()));
    var builder =
        made(
            AsyncAdminBuilder.class,
            (self, method, arguments) -> method.getName().equals("build") ? admin : self);
    return CompletableFuture.completedFuture(
        made(
            AsyncConnection.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getAdmin" -> admin;
                  case "getAdminBuilder" -> builder;
                  case "isClosed" -> false;
                  default -> null;
                }));
  }

  private interface Calls {
    Object call(Object self, Method method, Object[] arguments);
  }

  private static <T> T made(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls::call));
  }

  private Object respond(String request) {
    requests.merge(request, 1, Integer::sum);
    return instead.containsKey(request) ? instead.get(request) : response(request);
  }

  private Object response(String request) {
    return switch (request) {
      case "getClusterMetrics" ->
          CompletableFuture.completedFuture(
              ClusterMetricsBuilder.newBuilder()
                  .setMasterName(ServerName.valueOf(name))
                  .setBackerMasterNames(List.of())
                  .setServerNames(servers(live))
                  .setRegionsInTransition(List.of())
                  .setBalancerOn(isBalancerOn)
                  .build());
      case "isNormalizerEnabled" -> CompletableFuture.completedFuture(isNormalizerOn);
      case "listDecommissionedRegionServers" ->
          isStarting
              ? CompletableFuture.failedFuture(new IOException("Master is initializing"))
              : CompletableFuture.completedFuture(servers(draining));
      case "getProcedures" -> CompletableFuture.completedFuture(procedures);
      default -> throw new UnsupportedOperationException(request);
    };
  }

  private static List<ServerName> servers(List<String> names) {
    return names.stream().map(ServerName::valueOf).toList();
  }
}
