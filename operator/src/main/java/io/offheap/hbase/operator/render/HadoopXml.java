package io.offheap.hbase.operator.render;

import java.util.Map;

/** Hadoop's configuration file format. */
public final class HadoopXml {
  private HadoopXml() {}

  /** One file with these properties, in their order. */
  public static String of(Map<String, String> properties) {
    var xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("  <property><name>")
                .append(escape(name))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
