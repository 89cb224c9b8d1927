package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.api.Profile;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.JvmOption;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import java.util.regex.Pattern;

/**
 * Tells what a person declared from what their profile says: a value that follows from a field that
 * only the profile has is marked as the profile's.
 *
 * @param profile the profile
 * @param declared what was declared beside it
 */
record ProfileMarks(Profile profile, RegionServersSpec declared) {
  private static final Pattern FIELD =
      Pattern.compile("spec\\.regionServers\\.([\\w.]+\\w)(?:\\[([^\\]]+)])?");

  private static final ObjectMapper JSON = new ObjectMapper();

  MemoryPlan mark(MemoryPlan plan) {
    JsonNode tree = JSON.valueToTree(declared);
    JsonNode said = JSON.valueToTree(Profiles.of(profile));
    return new MemoryPlan(
        plan.settings().stream().map(setting -> mark(setting, tree, said)).toList(), plan.budget());
  }

  private Setting mark(Setting setting, JsonNode tree, JsonNode said) {
    var field = FIELD.matcher(setting.reason());
    if (!setting.source().equals(Setting.USER)
        || !field.find()
        || has(tree, field.group(1), field.group(2))
        || !has(said, field.group(1), field.group(2))) {
      return setting;
    }
    var source = "profile " + profile.text();
    return new Setting(
        setting.target(),
        setting.key(),
        setting.value(),
        setting.reason().replace("declared in " + field.group(), field.group() + " of the profile"),
        source);
  }

  private static boolean has(JsonNode tree, String path, String key) {
    if (key == null) {
      return !tree.at("/" + path.replace('.', '/')).isMissingNode();
    }
    if (path.equals("config")) {
      return tree.path("config").has(key);
    }
    for (JsonNode option : tree.path("jvmOptions")) {
      if (JvmOption.nameOf(option.asText()).equals(key)) {
        return true;
      }
    }
    return false;
  }
}
