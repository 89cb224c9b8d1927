package io.offheap.hbase.operator.cli;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Parses a configuration file as Hadoop does, without the files that it refers to. */
final class SiteFile {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}$\\s]+)}");
  private static final String NO_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";

  private SiteFile() {}

  /**
   * The properties by name. Of equal names the last counts, unless one before it is final.
   *
   * @throws RefusedException if the file is not a configuration file
   */
  static Map<String, String> read(Path path, String content) throws RefusedException {
    var root = parse(path, content);
    if (!root.getTagName().equals("configuration")) {
      throw refused(
          path, "begins with <" + root.getTagName() + ">; must begin with <configuration>");
    }
    var properties = new LinkedHashMap<String, String>();
    var finals = new LinkedHashSet<String>();
    for (Node node = root.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element property) {
        if (!property.getTagName().equals("property")) {
          throw refused(path, "has <" + property.getTagName() + ">; must have only <property>");
        }
        add(property, properties, finals);
      }
    }
    var expanded = new LinkedHashMap<String, String>();
    properties.forEach((name, value) -> expanded.put(name, expand(value, properties)));
    return expanded;
  }

  private static void add(Element property, Map<String, String> properties, Set<String> finals) {
    var name = text(property, "name").map(String::trim).orElse("");
    var value = text(property, "value");
    if (name.isEmpty() || value.isEmpty() || finals.contains(name)) {
      return;
    }
    properties.put(name, value.get().trim());
    if (text(property, "final").map(String::trim).filter("true"::equals).isPresent()) {
      finals.add(name);
    }
  }

  private static Optional<String> text(Element property, String name) {
    var elements = property.getElementsByTagName(name);
    return elements.getLength() > 0
        ? Optional.of(elements.item(0).getTextContent())
        : Optional.ofNullable(property.getAttributeNode(name)).map(it -> it.getValue());
  }

  /** Once: a value may refer to itself. */
  private static String expand(String value, Map<String, String> properties) {
    return VARIABLE
        .matcher(value)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(properties.getOrDefault(match.group(1), match.group())));
  }

  private static Element parse(Path path, String content) throws RefusedException {
    try {
      var factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature(NO_DOCTYPE, true);
      var builder = factory.newDocumentBuilder();
      // The default handler writes to standard error.
      builder.setErrorHandler(new DefaultHandler());
      return builder.parse(new InputSource(new StringReader(content))).getDocumentElement();
    } catch (SAXParseException e) {
      throw refused(path, "cannot be read in line " + e.getLineNumber() + ": " + e.getMessage());
    } catch (SAXException | IOException e) {
      throw refused(path, "cannot be read: " + e.getMessage());
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("every JDK has this parser", e);
    }
  }

  private static RefusedException refused(Path path, String message) {
    return new RefusedException(path.toString(), path.toString(), message);
  }
}
