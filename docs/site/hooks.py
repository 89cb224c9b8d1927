"""Hooks of MkDocs: pages that are made from other files of the project, and links to them.

The reference pages are made from the files that the product uses: the custom resource definition,
the chart's schema and values, the alert rules. READMEs outside of docs/ become pages of "Project".
A link to any other file of the project, such as a class, has no page to lead to; its text stays,
with the file's path as its title. A link to a file that does not exist fails the build.
"""

import html
import json
import logging
import os
import posixpath
import re
from pathlib import Path

import yaml
from mkdocs.structure.files import File

LOG = logging.getLogger("mkdocs.hooks.docs")
ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts/hbase-offheap-operator"

# Files outside of docs/ that are pages.
PAGES = {
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CHANGELOG.md": "project/changelog.md",
    "README.md": "project/readme.md",
    "charts/hbase-offheap-operator/README.md": "project/chart.md",
    "images/hbase/README.md": "project/image.md",
    "images/hbase/observer/README.md": "project/observer.md",
    "images/loadgen/README.md": "project/loadgen.md",
    "patches/README.md": "project/patches.md",
    "e2e/cluster/README.md": "project/clusters.md",
}

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
DEFINITION = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def on_files(files, config):
    """Adds the pages that are not files below docs/."""
    for source, page in PAGES.items():
        files.append(generated(page, (ROOT / source).read_text("utf-8"), config))
    files.append(generated("reference/resource.md", resource(), config))
    files.append(generated("reference/chart.md", chart(), config))
    files.append(generated("reference/alerts.md", alerts(), config))
    diagrams = os.environ["MERMAID_JS"]
    files.append(File.generated(config, "assets/mermaid.min.js", abs_src_path=diagrams))
    style = str(ROOT / "docs/site/site.css")
    files.append(File.generated(config, "assets/site.css", abs_src_path=style))
    return files


def generated(page, content, config):
    return File.generated(config, page, content=content)


def on_page_markdown(markdown, page, config, files):
    """Leads links out of docs/ to the pages made of these files, or makes them text."""
    uri = page.file.src_uri
    source = next((it for it, made in PAGES.items() if made == uri), None)
    folder = posixpath.dirname(source if source else "docs/" + uri)
    classes = {name: url for name, url in DEFINITION.findall(markdown)}
    outside = {name for name, url in classes.items() if not url.startswith(("http", "#"))}

    def link(match):
        return rewritten(match[1], match[2], folder, uri, match[0])

    def reference(match):
        name = match[1]
        if name not in outside:
            return match[0]
        return rewritten(name, classes[name], folder, uri, match[0])

    def image(match):
        target = posixpath.normpath(posixpath.join(folder, match[2]))
        if not (ROOT / target).is_file():
            LOG.warning("%s: no such picture: %s", uri, target)
        back = posixpath.relpath(target.removeprefix("docs/"), posixpath.dirname(uri) or ".")
        return f"![{match[1]}]({back})"

    def text(part):
        part = IMAGE.sub(image, part)
        part = LINK.sub(link, part)
        if outside:
            part = re.sub(r"\[([^\]\[]+)\](?![\[(:])", reference, part)
        return part

    if outside:
        markdown = DEFINITION.sub(lambda it: "" if it[1] in outside else it[0], markdown)
    parts, end = [], 0
    for code in CODE.finditer(markdown):
        # A link whose text is code: the code is a part of the link.
        if code[0].startswith("`") and markdown[code.end() : code.end() + 2] == "](":
            continue
        parts += [text(markdown[end : code.start()]), code[0]]
        end = code.end()
    parts.append(text(markdown[end:]))
    return "".join(parts)


def rewritten(text, url, folder, uri, unchanged):
    if url.startswith(("http:", "https:", "mailto:", "#")):
        return unchanged
    path, _, anchor = url.partition("#")
    target = posixpath.normpath(posixpath.join(folder, path))
    page = None
    if target in PAGES:
        page = PAGES[target]
    elif target.startswith("docs/"):
        page = target[len("docs/") :]
    elif folder == "docs/reference":
        page = posixpath.normpath(posixpath.join("reference", path))
    if page:
        back = posixpath.relpath(page, posixpath.dirname(uri) or ".")
        return f"[{text}]({back}{'#' + anchor if anchor else ''})"
    if not (ROOT / target).exists():
        LOG.warning("%s: no such file: %s", uri, target)
    return f'{text}{{ title="{target}" }}' if text.startswith("`") else text


def cell(text):
    return " ".join(html.escape(str(text), quote=False).split()).replace("|", "\\|")


def resource():
    """The fields of the resource, from its definition."""
    definition = yaml.safe_load(next((ROOT / "crds").glob("*.yml")).read_text("utf-8"))
    version = definition["spec"]["versions"][0]
    schema = version["schema"]["openAPIV3Schema"]
    lines = [
        "# HBaseCluster",
        "",
        f"`apiVersion: {definition['spec']['group']}/{version['name']}`, `kind:"
        f" {definition['spec']['names']['kind']}`. Made from the custom resource definition;"
        " `kubectl explain hbc.spec --recursive` shows the same.",
        "",
        "A field marked with * is required where its parent is there.",
    ]
    for part in ("spec", "status"):
        lines += ["", f"## {part}", ""]
        sections = []
        fields(schema["properties"][part], part, sections)
        for path, rows, rules in sections:
            if path != part:
                lines += ["", f"### {path}", ""]
            lines += ["| Field | Type | Default | Meaning |", "| --- | --- | --- | --- |", *rows]
            if rules:
                lines += ["", "Rules:", "", *(f"- {cell(rule)}" for rule in rules)]
    return "\n".join(lines) + "\n"


def fields(schema, path, sections):
    rows, below = [], []
    rules = [it.get("message", it["rule"]) for it in schema.get("x-kubernetes-validations", [])]
    sections.append((path, rows, rules))
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        inner, suffix = field, ""
        if field.get("type") == "array":
            inner, suffix = field["items"], "[]"
        elif isinstance(field.get("additionalProperties"), dict):
            inner, suffix = field["additionalProperties"], "{}"
        rows.append(
            f"| `{name}`{'*' if name in required else ''} | {cell(type_of(field, inner, suffix))}"
            f" | {'`' + cell(json.dumps(field['default'])) + '`' if 'default' in field else ''}"
            f" | {cell(meaning(field, inner))} |"
        )
        if "properties" in inner:
            below.append((inner, f"{path}.{name}{suffix}"))
    for inner, name in below:
        fields(inner, name, sections)


def type_of(field, inner, suffix):
    if field.get("x-kubernetes-int-or-string"):
        return "quantity"
    if "enum" in inner:
        return " \\| ".join(f"`{it}`" for it in inner["enum"]) + (" (list)" if suffix else "")
    name = inner.get("format") or inner.get("type", "any")
    return {"[]": f"list of {name}", "{}": f"map of {name}"}.get(suffix, name)


def meaning(field, inner):
    text = field.get("description") or inner.get("description", "")
    bounds = []
    for key, phrase in (
        ("minimum", "at least {}"),
        ("maximum", "at most {}"),
        ("minLength", "at least {} characters"),
        ("maxLength", "at most {} characters"),
        ("maxItems", "at most {} entries"),
        ("maxProperties", "at most {} entries"),
        ("pattern", "`{}`"),
    ):
        if key in field:
            bounds.append(phrase.format(field[key]))
    rules = [it["message"] for it in field.get("x-kubernetes-validations", []) if "message" in it]
    if "properties" in inner:
        rules = []
    sentences = [it.rstrip(". ") for it in [text, "; ".join(bounds), *rules] if it]
    return "".join(it[0].upper() + it[1:] + ". " for it in sentences).strip()


def chart():
    """The chart's values, from its schema and values.yaml."""
    values = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    schema = json.loads((CHART / "values.schema.json").read_text("utf-8"))
    lines = [
        "# The chart's values",
        "",
        "Made from `values.schema.json` and `values.yaml`. How to install it, and the rights that it"
        " gives: [the chart](../project/chart.md).",
        "",
        "| Value | Type | Default | Meaning |",
        "| --- | --- | --- | --- |",
    ]

    def walk(node, path, default, parent=""):
        if node is False:   # a key that must be absent
            return
        node = node if isinstance(node, dict) else {}   # `true` permits any value
        properties = node.get("properties")
        if properties and isinstance(default, dict) and default:
            for name, inner in properties.items():
                inner_path = f"{path}.{name}" if path else name
                walk(inner, inner_path, default.get(name), node.get("description", ""))
            return
        kind = node.get("type", "any")
        kind = " or ".join(kind) if isinstance(kind, list) else kind
        if "enum" in node:
            kind = " | ".join(f"`{it}`" for it in node["enum"])
        # "Whether there is one" is about the parent.
        text = " ".join(it for it in (parent, node.get("description", "")) if it)
        text = meaning({**node, "description": text}, {})
        lines.append(f"| `{path}` | {cell(kind)} | `{cell(json.dumps(default))}` | {cell(text)} |")

    walk(schema, "", values)
    return "\n".join(lines) + "\n"


def alerts():
    """The alert rules, each with its paragraph of the runbook."""
    rules = yaml.safe_load((CHART / "alerts/hbase-offheap.rules.yaml").read_text("utf-8"))
    lines = [
        "# Alerts",
        "",
        "Made from the rules of the chart. Each name leads to its paragraph of the runbook, which"
        " `kubectl hbc page` shows too ([how to open it](../operations.md#runbook)).",
        "",
        "| Alert | Severity | For | Summary |",
        "| --- | --- | --- | --- |",
    ]
    for group in rules["groups"]:
        for rule in group["rules"]:
            if "alert" in rule:
                lines.append(
                    f"| [{rule['alert']}](../runbook.md#{rule['alert'].lower()})"
                    f" | {rule['labels'].get('severity', '')} | {rule.get('for', '0s')}"
                    f" | {cell(rule['annotations']['summary'])} |"
                )
    return "\n".join(lines) + "\n"
