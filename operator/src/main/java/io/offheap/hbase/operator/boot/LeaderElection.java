package io.offheap.hbase.operator.boot;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election: of several operators, the one that holds the lease acts, and the others stand
 * by.
 *
 * <ol>
 *   <li>A standby process reads the lease every {@link #RETRY}. It takes a lease that is free, or
 *       that it has seen unchanged for the lease's duration ({@link #LEASE}) by its own monotonic
 *       clock: the clocks of two nodes need not agree.
 *   <li>The leader renews it as often, and may act for {@link #RENEW_DEADLINE} after the last
 *       renewal was sent. Then the process ends, whatever it waits for.
 * </ol>
 *
 * <p>No lease stops a request that was sent before the process was paused: it reaches the API
 * server when the process runs again. An action that must not be done twice, or late, has the
 * resource version on which it was decided.
 *
 * <p>JOSDK's own election is not used: it compares the clocks of two nodes, lets a request that
 * hangs exceed the deadline, never releases the lease, and starts the controllers' event sources,
 * which poll HBase, on standby processes.
 */
final class LeaderElection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

  /** The default of client-go. */
  static final Duration LEASE = Duration.ofSeconds(15);

  static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  static final Duration RETRY = Duration.ofSeconds(2);

  private static final Duration REQUEST = Duration.ofMillis(2500);

  private final OperatorSettings.Election settings;
  private final KubernetesClient client;
  private final Clock clock;

  /** Differs between any two processes, whatever the names of their pods. */
  private final String identity;

  private final CountDownLatch elected = new CountDownLatch(1);
  private final Thread checking = daemon("leader-election", this::checkPeriodically);
  private final Thread watching = daemon("leader-deadline", this::watch);
  private volatile boolean leaseSeen;
  private volatile boolean closed;
  private volatile long mayActUntil = System.nanoTime();

  /** Holder of the lease when it was last read; empty if it had none. */
  private volatile String holder = "";

  private String seenVersion;
  private long seenSince;

  private LeaderElection(OperatorSettings.Election settings, KubernetesClient client, Clock clock) {
    this.settings = settings;
    this.client = client;
    this.clock = clock;
    this.identity = settings.identity() + "_" + UUID.randomUUID();
  }

  /** Takes part from now on, with the cluster and settings of the environment. */
  static LeaderElection join(OperatorSettings.Election settings) {
    // A client of its own: its requests need short timeouts and no retries, so that the time for
    // renewal suffices.
    var config =
        new ConfigBuilder()
            .withConnectionTimeout((int) REQUEST.toMillis())
            .withRequestTimeout((int) REQUEST.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    var election =
        new LeaderElection(
            settings, new KubernetesClientBuilder().withConfig(config).build(), Clock.systemUTC());
    election.checking.start();
    return election;
  }

  /** Waits until this process leads. */
  void awaitLeadership() throws InterruptedException {
    elected.await();
  }

  /** Whether this process leads. */
  boolean isLeader() {
    return elected.getCount() == 0 && !closed;
  }

  /** The pod that leads, by the lease as last read. */
  Optional<String> leader() {
    var identityOfLeader = isLeader() ? identity : holder;
    int end = identityOfLeader.lastIndexOf('_');
    return end <= 0 ? Optional.empty() : Optional.of(identityOfLeader.substring(0, end));
  }

  /** Whether the lease could be read, so that this process can become the leader. */
  boolean isAbleToLead() {
    return leaseSeen;
  }

  /** Lets a client write only while this process leads. */
  void guard(HttpClient.Builder http) {
    http.addOrReplaceInterceptor(
        "leader",
        new Interceptor() {
          @Override
          public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (!request.method().equals("GET")) {
              assertLeading();
            }
          }
        });
  }

  /**
   * Must be called right before each change; ends the process if another may lead by now.
   *
   * @throws IllegalStateException if the lease was released
   */
  void assertLeading() {
    if (closed) {
      throw new IllegalStateException("this process no longer leads");
    }
    if (left() <= 0) {
      end("the lease was not renewed in time");
    }
  }

  private void checkPeriodically() {
    while (!closed) {
      try {
        check();
      } catch (KubernetesClientException e) {
        // Another process was quicker, or the API server does not respond; the deadline stays.
        LOG.warn("Lease {}: {}", settings.leaseName(), e.getMessage());
      } catch (RuntimeException | Error e) {
        LOG.error("Leader election", e);
        end("the leader is unknown");
      }
      try {
        Thread.sleep(RETRY.toMillis());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void check() {
    long sent = System.nanoTime();
    var lease = lease().get();
    boolean first = !leaseSeen;
    leaseSeen = true;
    if (lease == null) {
      see("none");
      if (isLeader() || first || isOver(LEASE)) {
        client.resource(held(new Lease())).create();
        lead(sent);
      }
      return;
    }
    see(lease.getMetadata().getResourceVersion());
    var spec = Objects.requireNonNullElseGet(lease.getSpec(), LeaseSpec::new);
    var current = Objects.requireNonNullElse(spec.getHolderIdentity(), "");
    holder = current;
    var seconds = Optional.ofNullable(spec.getLeaseDurationSeconds());
    if (current.equals(identity)) {
      replace(held(lease));
      lead(sent);
    } else if (isLeader()) {
      end("the lease was taken by '" + current + "'");
    } else if (current.isEmpty() || isOver(seconds.map(Duration::ofSeconds).orElse(LEASE))) {
      replace(held(lease));
      lead(sent);
    }
  }

  private void see(String version) {
    if (!version.equals(seenVersion)) {
      seenVersion = version;
      seenSince = System.nanoTime();
    }
  }

  private boolean isOver(Duration duration) {
    return System.nanoTime() - seenSince > duration.toNanos();
  }

  private Lease held(Lease before) {
    var now = ZonedDateTime.now(clock);
    var spec = Optional.ofNullable(before.getSpec()).orElseGet(LeaseSpec::new);
    var transitions = Optional.ofNullable(spec.getLeaseTransitions()).orElse(-1);
    boolean renewed = identity.equals(spec.getHolderIdentity());
    return new LeaseBuilder(before)
        .editOrNewMetadata()
        .withName(settings.leaseName())
        .withNamespace(settings.namespace())
        .endMetadata()
        .editOrNewSpec()
        .withHolderIdentity(identity)
        .withLeaseDurationSeconds((int) LEASE.toSeconds())
        .withAcquireTime(renewed ? spec.getAcquireTime() : now)
        .withRenewTime(now)
        .withLeaseTransitions(renewed ? transitions : transitions + 1)
        .endSpec()
        .build();
  }

  private Resource<Lease> lease() {
    return client.leases().inNamespace(settings.namespace()).withName(settings.leaseName());
  }

  /** Replaces the lease that was read; fails if it has changed since. */
  private void replace(Lease lease) {
    client.resource(lease).lockResourceVersion(lease.getMetadata().getResourceVersion()).update();
  }

  private synchronized void lead(long sent) {
    if (closed) {
      return;
    }
    mayActUntil = sent + RENEW_DEADLINE.toNanos();
    if (!isLeader()) {
      LOG.info("{} leads, by lease {}", identity, settings.leaseName());
      elected.countDown();
      watching.start();
    }
  }

  private void watch() {
    try {
      for (long left = left(); left > 0; left = left()) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
      end("the lease was not renewed in time");
    } catch (InterruptedException e) {
      LOG.debug("The lease is being released");
    }
  }

  private long left() {
    return mayActUntil - System.nanoTime();
  }

  /** No hook runs: the hooks of a regular stop give reconciliations time to end. */
  private void end(String reason) {
    try {
      LOG.error("{} ends: {}", identity, reason);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  /** Releases the lease; no component may act any more when this is called. */
  @Override
  public void close() {
    boolean led;
    synchronized (this) {
      led = isLeader();
      closed = true;
    }
    watching.interrupt();
    checking.interrupt();
    try {
      checking.join(2 * REQUEST.toMillis());
      if (led) {
        release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (KubernetesClientException e) {
      LOG.warn("Lease {} was not released: {}", settings.leaseName(), e.getMessage());
    } finally {
      client.close();
    }
  }

  private void release() {
    var lease = lease().get();
    if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
      replace(
          new LeaseBuilder(lease)
              .editSpec()
              .withHolderIdentity("")
              .withLeaseDurationSeconds(1)
              .endSpec()
              .build());
      LOG.info("{} has released lease {}", identity, settings.leaseName());
    }
  }

  private static Thread daemon(String name, Runnable task) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
