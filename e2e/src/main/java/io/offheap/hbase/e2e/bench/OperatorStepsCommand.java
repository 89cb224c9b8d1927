package io.offheap.hbase.e2e.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.function.Function.identity;

import com.sun.tools.attach.AttachNotSupportedException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.tune.Metric;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * Finds {@link OperatorSteps} with a region server that a script starts.
 *
 * <p>Arguments: the resource, a folder, and seconds of a window, of the warm-up and of all. For
 * each start it writes the server's options to {@code next} in the folder and prints {@code start};
 * the script responds with the server's process on a line, once it is under load. At the end the
 * folder has {@code N.options} and {@code N.text} of each step from 0 on.
 */
final class OperatorStepsCommand implements OperatorSteps.Server {
  // As often as the observer's bean changes.
  private static final int PERIOD_SECONDS = 10;

  private final Path folder;
  private final BufferedReader responses =
      new BufferedReader(new InputStreamReader(System.in, UTF_8));
  private String process = "";

  private OperatorStepsCommand(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var folder = Path.of(args[1]);
    var steps =
        new OperatorSteps(
                Serialization.unmarshal(Files.readString(Path.of(args[0])), HBaseCluster.class),
                new OperatorStepsCommand(folder),
                seconds(args[2]),
                seconds(args[3]))
            .find(seconds(args[4]));
    for (int i = 0; i < steps.size(); i++) {
      Files.write(folder.resolve(i + ".options"), steps.get(i).plan().jvmOptions());
      Files.writeString(folder.resolve(i + ".text"), steps.get(i).text() + "\n");
    }
  }

  private static Duration seconds(String text) {
    return Duration.ofSeconds(Long.parseLong(text));
  }

  @Override
  public void start(MemoryPlan plan) throws IOException {
    Files.write(folder.resolve("next"), plan.jvmOptions());
    System.out.println("start");
    process = responses.readLine();
    if (process == null) {
      throw new IOException("the script that starts servers ended");
    }
  }

  @Override
  public void pause() throws InterruptedException {
    TimeUnit.SECONDS.sleep(PERIOD_SECONDS);
  }

  /** A metric without a value (-1) is left out, as the operator does. */
  @Override
  public Map<Metric, Double> values() throws IOException {
    var values = new EnumMap<Metric, Double>(Metric.class);
    try (var connector = Snapshot.connect(process)) {
      for (Metric.Bean bean : Metric.Bean.values()) {
        values.putAll(values(bean, connector.getMBeanServerConnection()));
      }
    } catch (JMException | AttachNotSupportedException e) {
      throw new IOException(e);
    }
    return values;
  }

  private static Map<Metric, Double> values(Metric.Bean bean, MBeanServerConnection connection)
      throws IOException, JMException {
    var byAttribute =
        bean.metrics().stream().collect(Collectors.toMap(Metric::attribute, identity()));
    var name = new ObjectName(bean.objectName());
    var values = new EnumMap<Metric, Double>(Metric.class);
    try {
      for (Attribute attribute :
          connection.getAttributes(name, byAttribute.keySet().toArray(String[]::new)).asList()) {
        if (attribute.getValue() instanceof Number number && number.doubleValue() >= 0) {
          values.put(byAttribute.get(attribute.getName()), number.doubleValue());
        }
      }
    } catch (InstanceNotFoundException e) {
      // HBase removes its beans for a moment after a region was opened or closed.
      System.err.println("no bean " + name);
    }
    return values;
  }

  @Override
  public Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
