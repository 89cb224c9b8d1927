package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Normalizes a pod template to the form in which the API server stores it: quantities in canonical
 * form ({@code 1024Mi} is stored as {@code 1Gi}), and defaults in atomic lists and maps. Otherwise
 * each reconciliation would find a difference and write the StatefulSet again.
 */
final class StoredTemplate {
  private static final Pattern AMOUNT =
      Pattern.compile("(?<number>[+-]?[0-9]{1,30}(\\.[0-9]{0,9})?)(?<unit>[numkMGTPE]|[KMGTPE]i)?");
  private static final List<String> DECIMAL =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
  private static final int ONE = DECIMAL.indexOf("");
  private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  /** Default lifetime of a service account's token, in seconds. */
  private static final long TOKEN_EXPIRATION = 3600;

  private StoredTemplate() {}

  /** Normalizes a template in place. */
  static PodTemplateSpec of(PodTemplateSpec template) {
    var pod = template.getSpec();
    Stream.of(pod.getContainers(), pod.getInitContainers())
        .flatMap(List::stream)
        .map(Container::getEnv)
        .flatMap(List::stream)
        .map(EnvVar::getValueFrom)
        .flatMap(Stream::ofNullable)
        .forEach(
            it -> {
              complete(it.getFieldRef());
              complete(it.getResourceFieldRef());
            });
    files(pod)
        .forEach(
            it -> {
              complete(it.getFieldRef());
              complete(it.getResourceFieldRef());
            });
    projections(pod)
        .map(VolumeProjection::getServiceAccountToken)
        .flatMap(Stream::ofNullable)
        .filter(it -> it.getExpirationSeconds() == null)
        .forEach(it -> it.setExpirationSeconds(TOKEN_EXPIRATION));
    pod.getVolumes().forEach(StoredTemplate::shorten);
    return template;
  }

  private static Stream<DownwardAPIVolumeFile> files(PodSpec pod) {
    return Stream.concat(
        pod.getVolumes().stream()
            .map(Volume::getDownwardAPI)
            .flatMap(Stream::ofNullable)
            .flatMap(it -> it.getItems().stream()),
        projections(pod)
            .map(VolumeProjection::getDownwardAPI)
            .flatMap(Stream::ofNullable)
            .flatMap(it -> it.getItems().stream()));
  }

  private static Stream<VolumeProjection> projections(PodSpec pod) {
    return pod.getVolumes().stream()
        .map(Volume::getProjected)
        .flatMap(Stream::ofNullable)
        .flatMap(it -> it.getSources().stream());
  }

  private static void complete(ObjectFieldSelector field) {
    if (field != null && field.getApiVersion() == null) {
      field.setApiVersion("v1");
    }
  }

  private static void complete(ResourceFieldSelector resource) {
    if (resource != null) {
      resource.setDivisor(
          Optional.ofNullable(resource.getDivisor())
              .map(StoredTemplate::shortest)
              .orElseGet(() -> new Quantity("0")));
    }
  }

  private static void shorten(Volume volume) {
    var folder = volume.getEmptyDir();
    if (folder != null && folder.getSizeLimit() != null) {
      folder.setSizeLimit(shortest(folder.getSizeLimit()));
    }
    var ephemeral = volume.getEphemeral();
    if (ephemeral != null
        && ephemeral.getVolumeClaimTemplate() != null
        && ephemeral.getVolumeClaimTemplate().getSpec() != null
        && ephemeral.getVolumeClaimTemplate().getSpec().getResources() != null) {
      var resources = ephemeral.getVolumeClaimTemplate().getSpec().getResources();
      shorten(resources.getRequests());
      shorten(resources.getLimits());
    }
  }

  private static void shorten(Map<String, Quantity> amounts) {
    if (amounts != null) {
      amounts.replaceAll((name, amount) -> shortest(amount));
    }
  }

  /** Kubernetes' canonical form; a text with an exponent, or that is no quantity, is unchanged. */
  static Quantity shortest(Quantity amount) {
    var text = amount.getAmount() + Optional.ofNullable(amount.getFormat()).orElse("");
    var match = AMOUNT.matcher(text);
    if (!match.matches()) {
      return amount;
    }
    var number = new BigDecimal(match.group("number"));
    var unit = Optional.ofNullable(match.group("unit")).orElse("");
    boolean isBinary = unit.endsWith("i");
    var value =
        isBinary
            ? number.multiply(KIBI.pow(BINARY.indexOf(unit)))
            : number.scaleByPowerOfTen(3 * (DECIMAL.indexOf(unit) - ONE));
    // Under 1 Ki, and with a fraction, it is stored as decimal.
    return isBinary && isWhole(value) && value.abs().compareTo(KIBI) >= 0
        ? shortest(value, KIBI, BINARY)
        : decimal(value).orElse(amount);
  }

  /** Empty for less than a billionth, which the API server rounds. */
  private static Optional<Quantity> decimal(BigDecimal value) {
    var nano = value.scaleByPowerOfTen(9);
    return isWhole(nano)
        ? Optional.of(value.signum() == 0 ? new Quantity("0") : shortest(nano, THOUSAND, DECIMAL))
        : Optional.empty();
  }

  private static Quantity shortest(BigDecimal value, BigDecimal step, List<String> units) {
    var rest = value;
    int at = 0;
    while (at + 1 < units.size() && rest.remainder(step).signum() == 0) {
      rest = rest.divide(step);
      at++;
    }
    return new Quantity(rest.toBigInteger().toString(), units.get(at));
  }

  private static boolean isWhole(BigDecimal value) {
    return value.remainder(BigDecimal.ONE).signum() == 0;
  }
}
