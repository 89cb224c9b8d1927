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
 * Of several operators, the one that holds a lease acts and the others stand by:
 *
 * <ol>
 *   <li>Who stands by looks at the lease every {@link #RETRY}. It takes a lease that is free, or
 *       that it has seen unchanged for as long as it lasts ({@link #LEASE}) by its own monotonic
 *       clock: the clocks of two nodes need not agree.
 *   <li>Who leads renews it as often. It may act until {@link #RENEW_DEADLINE} after it began to
 *       ask for the last renewal that came about, so it has stopped 5 s before anybody else can
 *       begin. The lease is replaced under its resource version, so one of two takes it.
 *   <li>Who could not renew in time, or finds the lease taken, ends: at once and without hooks, as
 *       a pass that goes on for a moment would be one too many. A thread waits for that time,
 *       however long a request hangs; and each write asks first ({@link #guard}), as after a halt
 *       of the whole process any thread may be the first to run again.
 *   <li>Who is told to stop ends its passes, then gives the lease back ({@link #close}), and
 *       another takes it with its next look.
 * </ol>
 *
 * <p>No lease calls back a request that was on its way when the process was halted: it reaches the
 * API server when the process runs again. What must not be done twice, or late, names the resource
 * version that it was decided on.
 *
 * <p>JOSDK's own election is not used: it compares one node's clock with another's, lets a request
 * that hangs pass the deadline, never gives the lease back, and starts the controllers' event
 * sources, which ask HBase, on those who stand by.
 */
final class LeaderElection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

  /** The same as client-go's. */
  static final Duration LEASE = Duration.ofSeconds(15);

  static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  static final Duration RETRY = Duration.ofSeconds(2);

  private static final Duration REQUEST = Duration.ofMillis(2500);

  private final OperatorSettings.Election settings;
  private final KubernetesClient client;
  private final Clock clock;

  /** Two processes never have the same, whatever their pods are called. */
  private final String identity;

  private final CountDownLatch elected = new CountDownLatch(1);
  private final Thread looking = daemon("leader-election", this::look);
  private final Thread watching = daemon("leader-deadline", this::watch);
  private volatile boolean leaseSeen;
  private volatile boolean closed;
  private volatile long mayActUntil = System.nanoTime();

  /** Who held the lease when it was read last; empty where nobody did. */
  private volatile String holder = "";

  private String seenVersion;
  private long seenSince;

  private LeaderElection(OperatorSettings.Election settings, KubernetesClient client, Clock clock) {
    this.settings = settings;
    this.client = client;
    this.clock = clock;
    this.identity = settings.identity() + "_" + UUID.randomUUID();
  }

  /** Takes part from now on, with the cluster that the environment names. */
  static LeaderElection join(OperatorSettings.Election settings) {
    // A client of its own: no retries of others and no long wait use up the time for renewal.
    var config =
        new ConfigBuilder()
            .withConnectionTimeout((int) REQUEST.toMillis())
            .withRequestTimeout((int) REQUEST.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    var election =
        new LeaderElection(
            settings, new KubernetesClientBuilder().withConfig(config).build(), Clock.systemUTC());
    election.looking.start();
    return election;
  }

  /** Waits until this process leads. */
  void awaitTurn() throws InterruptedException {
    elected.await();
  }

  /** Whether this process leads. */
  boolean isLeader() {
    return elected.getCount() == 0 && !closed;
  }

  /** The pod that leads, as of the lease when it was read last. */
  Optional<String> leader() {
    var identityOfLeader = isLeader() ? identity : holder;
    int end = identityOfLeader.lastIndexOf('_');
    return end <= 0 ? Optional.empty() : Optional.of(identityOfLeader.substring(0, end));
  }

  /** Whether the lease could be read, so that this process can take its turn. */
  boolean isAbleToLead() {
    return leaseSeen;
  }

  /** Lets a client write as long as this process leads. */
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
   * To be asked right before anything is changed; ends the process if another may lead by now.
   *
   * @throws IllegalStateException if the lease was given back
   */
  void assertLeading() {
    if (closed) {
      throw new IllegalStateException("this process no longer leads");
    }
    if (left() <= 0) {
      end("the lease was not renewed in time");
    }
  }

  private void look() {
    while (!closed) {
      try {
        lookOnce();
      } catch (KubernetesClientException e) {
        // Another was quicker, or the API server is away; the deadline stands.
        LOG.warn("Lease {}: {}", settings.leaseName(), e.getMessage());
      } catch (RuntimeException | Error e) {
        LOG.error("Leader election", e);
        end("it cannot be told any more who leads");
      }
      try {
        Thread.sleep(RETRY.toMillis());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void lookOnce() {
    long asked = System.nanoTime();
    var lease = lease().get();
    boolean first = !leaseSeen;
    leaseSeen = true;
    if (lease == null) {
      see("none");
      if (isLeader() || first || isOver(LEASE)) {
        client.resource(held(new Lease())).create();
        lead(asked);
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
      lead(asked);
    } else if (isLeader()) {
      end("the lease was taken by '" + current + "'");
    } else if (current.isEmpty() || isOver(seconds.map(Duration::ofSeconds).orElse(LEASE))) {
      replace(held(lease));
      lead(asked);
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

  /** Replaces the lease that was seen; one that has changed since is left as it is. */
  private void replace(Lease lease) {
    client.resource(lease).lockResourceVersion(lease.getMetadata().getResourceVersion()).update();
  }

  private synchronized void lead(long asked) {
    if (closed) {
      return;
    }
    mayActUntil = asked + RENEW_DEADLINE.toNanos();
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
      LOG.debug("The lease is given back");
    }
  }

  private long left() {
    return mayActUntil - System.nanoTime();
  }

  /** No hook runs: those of a stop in peace give passes time to end. */
  private void end(String reason) {
    try {
      LOG.error("{} ends: {}", identity, reason);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  /** Lets another lead; nothing may act any more when this is called. */
  @Override
  public void close() {
    boolean led;
    synchronized (this) {
      led = isLeader();
      closed = true;
    }
    watching.interrupt();
    looking.interrupt();
    try {
      looking.join(2 * REQUEST.toMillis());
      if (led) {
        giveBack();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (KubernetesClientException e) {
      LOG.warn("Lease {} was not given back: {}", settings.leaseName(), e.getMessage());
    } finally {
      client.close();
    }
  }

  private void giveBack() {
    var lease = lease().get();
    if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
      replace(
          new LeaseBuilder(lease)
              .editSpec()
              .withHolderIdentity("")
              .withLeaseDurationSeconds(1)
              .endSpec()
              .build());
      LOG.info("{} has given back lease {}", identity, settings.leaseName());
    }
  }

  private static Thread daemon(String name, Runnable task) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
