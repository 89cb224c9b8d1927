package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.plan.Texts;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ignores fields of a resource that this version of the operator does not know. The API server
 * accepts them where the installed definition is a later one, as after {@code helm rollback}, which
 * changes no definition. Each is logged once.
 */
final class UnknownFields extends DeserializationProblemHandler {
  /** A spec that is kept in status is a text, in which any writer can put names without end. */
  private static final int MOST = 100;

  private static final int LONGEST = 100;

  private static final Logger LOG = LoggerFactory.getLogger(UnknownFields.class);

  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      JsonDeserializer<?> deserializer,
      Object beanOrClass,
      String name)
      throws IOException {
    var type = beanOrClass instanceof Class<?> given ? given : beanOrClass.getClass();
    var field = type.getSimpleName() + "." + Texts.cut(name, LONGEST);
    if (seen.size() < MOST && seen.add(field)) {
      LOG.warn(
          "{}",
          LogLine.of("FieldIgnored")
              .with("field", field)
              .with("note", "this version of the operator does not know it"));
    }
    parser.skipChildren();
    return true;
  }
}
