package io.offheap.hbase.operator.render;

import java.util.Map;

/** Hadoop's configuration file format. */
public final class HadoopXml {
  private HadoopXml() {}

  /** A file with these properties, in their order. */
  public static String of(Map<String, String> properties) {
    return of(properties, "");
  }

  /**
   * A file with these properties that includes another file of the folder, which is read again
   * whenever the configuration is reloaded. A missing file has no effect.
   */
  public static String including(String file, Map<String, String> properties) {
    return of(
        properties,
        "  <xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\""
            + escape(file)
            + "\"><xi:fallback/></xi:include>\n");
  }

  private static String of(Map<String, String> properties, String end) {
    var xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("  <property><name>")
                .append(escape(name))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
    return xml.append(end).append("</configuration>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
