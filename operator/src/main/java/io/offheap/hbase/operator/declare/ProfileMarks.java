package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.api.Profile;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.FieldPath;
import io.offheap.hbase.operator.plan.JvmOption;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;

/**
 * Marks the values that come from a profile: those whose deciding field only the profile sets.
 *
 * @param profile the profile
 * @param declared what was declared beside it
 */
record ProfileMarks(Profile profile, RegionServersSpec declared) {
  private static final ObjectMapper JSON = new ObjectMapper();

  MemoryPlan mark(MemoryPlan plan) {
    JsonNode fields = JSON.valueToTree(declared);
    JsonNode ofProfile = JSON.valueToTree(Profiles.of(profile));
    return new MemoryPlan(
        plan.settings().stream().map(it -> mark(it, fields, ofProfile)).toList(), plan.budget());
  }

  private Setting mark(Setting setting, JsonNode fields, JsonNode ofProfile) {
    if (setting.provenance() != Provenance.DECLARED) {
      return setting;
    }
    boolean isOfProfile =
        setting.fields().stream()
            .findFirst()
            .filter(it -> !has(fields, it) && has(ofProfile, it))
            .isPresent();
    return isOfProfile ? setting.ofProfile(profile.text()) : setting;
  }

  private static boolean has(JsonNode fields, FieldPath field) {
    var node = fields.at("/" + field.path().replace('.', '/'));
    if (field.entry().isEmpty()) {
      return !node.isMissingNode();
    }
    var name = field.entry().get();
    if (node.isObject()) {
      return node.has(name);
    }
    for (JsonNode option : node) {
      if (JvmOption.nameOf(option.asText()).equals(name)) {
        return true;
      }
    }
    return false;
  }
}
