package io.offheap.hbase.operator.plan;

/**
 * Names of fields in reasons and problems: a resource and a configuration name them differently.
 */
public interface FieldNames {
  /** The name of a field. */
  String of(FieldPath field);

  /**
   * The paths of a resource's fields.
   *
   * @param group path of the group: {@code spec.regionServers}
   */
  static FieldNames below(String group) {
    return new Below(group);
  }

  /**
   * The paths of a resource's fields.
   *
   * @param group path of the group
   */
  record Below(String group) implements FieldNames {
    @Override
    public String of(FieldPath field) {
      return group + "." + field;
    }
  }
}
