package io.offheap.hbase.operator.property;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;

/** A configuration file of Hadoop or HBase, as their processes read it. */
public final class HadoopFile {
  private HadoopFile() {}

  /** Its properties alone, without defaults and without the files that it includes. */
  public static Configuration read(String xml) {
    var conf = new Configuration(false);
    conf.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return conf;
  }
}
