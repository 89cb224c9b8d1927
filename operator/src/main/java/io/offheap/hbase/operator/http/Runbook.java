package io.offheap.hbase.operator.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * {@code docs/runbook.md} of this version as a page, the target of the alerts' links: a heading
 * with an anchor for each alert. Other documents are not served: a link to one of them becomes its
 * text and the document's path.
 */
public final class Runbook {
  /** Media type of the page. */
  public static final String TYPE = "text/html; charset=utf-8";

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Runbook</title>
      """;

  private Runbook() {}

  /** The runbook as a page of its own. */
  static String page() throws IOException {
    return HEAD
        + "<style>body { max-width: 48em; margin: 2em auto; padding: 0 1em; font: 1em/1.5"
        + " sans-serif }</style>\n</head>\n<body>\n"
        + article()
        + "</body>\n</html>\n";
  }

  /**
   * The runbook as a part of the operator's page.
   *
   * @param styleSheet path of its style sheet
   * @throws IOException if the document is not in the jar
   */
  public static String page(String styleSheet) throws IOException {
    return HEAD
        + "<link rel=\"stylesheet\" href=\""
        + styleSheet
        + "\">\n<link rel=\"icon\" href=\"/icon.svg\">\n</head>\n<body>\n"
        + "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
        + "<header class=\"top\"><nav aria-label=\"Pages\"><a class=\"brand\" href=\"/\">HBase"
        + " off-heap</a> <a href=\"/runbook\" aria-current=\"page\">Runbook</a></nav></header>\n"
        + "<main id=\"main\" class=\"prose\">\n"
        + article()
        + "</main>\n</body>\n</html>\n";
  }

  private static String article() throws IOException {
    var extensions = List.of(TablesExtension.create());
    var document = Parser.builder().extensions(extensions).build().parse(text());
    document.accept(new OwnLinksOnly());
    return HtmlRenderer.builder()
        .extensions(extensions)
        .escapeHtml(true)
        .sanitizeUrls(true)
        .attributeProviderFactory(
            context ->
                (node, tag, attributes) -> {
                  if (node instanceof Heading heading && heading.getLevel() == 2) {
                    attributes.putAll(Map.of("id", anchor(heading)));
                  }
                  // The renderer sets alignment by an attribute that HTML 5 lacks.
                  attributes.remove("align");
                })
        .build()
        .render(document);
  }

  private static String anchor(Heading heading) {
    return heading.getFirstChild() instanceof Text text
        ? text.getLiteral().toLowerCase(Locale.ROOT).replace(' ', '-')
        : "";
  }

  private static String text() throws IOException {
    try (var text = Runbook.class.getResourceAsStream("/runbook.md")) {
      return new String(text.readAllBytes(), UTF_8);
    }
  }

  /** Replaces links to other documents by their text and, in parentheses, the document's path. */
  private static final class OwnLinksOnly extends AbstractVisitor {
    private static final Path DOCS = Path.of("docs");

    @Override
    public void visit(Link link) {
      var destination = link.getDestination();
      if (destination.startsWith("#") || destination.startsWith("https://")) {
        return;
      }
      link.insertAfter(new Text(" (" + DOCS.resolve(destination).normalize() + ")"));
      for (Node part = link.getFirstChild(); part != null; part = link.getFirstChild()) {
        link.insertBefore(part);
      }
      link.unlink();
    }
  }
}
