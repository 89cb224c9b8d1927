package io.offheap.hbase.operator.it;

/**
 * A service account.
 *
 * @param namespace its namespace
 * @param name its name
 */
record ServiceAccount(String namespace, String name) {
  String user() {
    return "system:serviceaccount:" + namespace + ":" + name;
  }

  String[] groups() {
    return new String[] {
      "system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"
    };
  }
}
