package io.offheap.hbase.operator.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class logs, a line each with its level before it, until it is closed. */
public final class LogCapture extends AbstractAppender implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogCapture(Class<?> type) {
    super("capture", null, null, true, Property.EMPTY_ARRAY);
    logger = (Logger) LogManager.getLogger(type);
  }

  /** Begins to listen. */
  public static LogCapture of(Class<?> type) {
    var capture = new LogCapture(type);
    capture.start();
    capture.logger.addAppender(capture);
    return capture;
  }

  @Override
  public void append(LogEvent event) {
    lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
  }

  /** The lines so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    stop();
  }
}
