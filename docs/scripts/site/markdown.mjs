// Renders one page of Markdown as HTML, with the sections that the search indexes.
import { dirname, join, normalize } from "node:path/posix";
import MarkdownIt from "markdown-it";
import { anchorMaker } from "../../../scripts/house/references.mjs";

/**
 * Path in the site of a file of the repository: pages become HTML, sources become pages that show them, and other files keep
 * their path.
 */
export function siteNameOf(path) {
  const name = path.replace(/^docs\//, "");
  if (/(?:^|\/)README\.md$/.test(name)) return name.replace(/README\.md$/, "index.html");
  if (name.endsWith(".md")) return name.replace(/\.md$/, ".html");
  if (/\.(?:webp|png|svg|json|yml|txt)$/.test(name)) return name;
  return `${name}.html`;
}

/** Relative path from one file of the site to another, so that the site works from a folder and below any path. */
export function wayTo(from, to) {
  const up = dirname(from)
    .split("/")
    .filter((part) => part !== ".");
  const there = to.split("/");
  while (up.length > 0 && there.length > 1 && up[0] === there[0]) {
    up.shift();
    there.shift();
  }
  return [...up.map(() => ".."), ...there].join("/");
}

const isOutside = (address) => /^\w+:/.test(address);

/** The file of the repository that a link on a page points to, with its anchor. */
export function targetOf(page, address) {
  const [path = "", anchor] = address.split("#", 2);
  return { path: path === "" ? page : normalize(join(dirname(page), path)), anchor };
}

/** Rewrites a link of the page, and records its target. */
function relink(page, address, links) {
  if (isOutside(address)) return address;
  const { path, anchor } = targetOf(page, address);
  links.push({ path, anchor });
  const way = path === page ? "" : wayTo(siteNameOf(page), siteNameOf(path));
  return anchor === undefined ? way : `${way}#${anchor}`;
}

/** HTML of README's pictures, with addresses rewritten like links. */
const relinkHtml = (page, html, links) =>
  html.replace(/\b(src|srcset)="([^"]+)"/g, (_all, name, address) => `${name}="${relink(page, address, links)}"`);

const textOf = (token) =>
  (token.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : type === "image" ? "" : content))
    .join("");

/** Only README contains HTML; in other pages `<id>` is text. */
export function renderPage(page, text) {
  const parser = new MarkdownIt({ html: page === "README.md" });
  const tokens = parser.parse(text, {});
  const links = [];
  const anchorOf = anchorMaker();
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = tokens[index + 1];
      const anchor = anchorOf(heading.content);
      token.attrSet("id", anchor);
      sections.push({ heading: textOf(heading), anchor, text: [] });
    } else if (token.type === "html_block") token.content = relinkHtml(page, token.content, links);
    else if (token.type === "fence") sections.at(-1)?.text.push(token.content);
    else if (token.type === "inline" && tokens[index - 1].type !== "heading_open")
      sections.at(-1)?.text.push(textOf(token));
    for (const child of token.children ?? [])
      for (const name of ["href", "src"])
        if (child.attrGet(name) !== null) child.attrSet(name, relink(page, decodeURI(child.attrGet(name)), links));
  }
  return {
    title: sections[0]?.heading ?? page,
    html: parser.renderer
      .render(tokens, parser.options, {})
      .replaceAll("<table>", '<div class="wide"><table>')
      .replaceAll("</table>", "</table></div>"),
    anchors: new Set(sections.map(({ anchor }) => anchor)),
    sections: sections.map((section) => ({ ...section, text: section.text.join(" ").replace(/\s+/g, " ").trim() })),
    links,
  };
}

/** Renders a source file that pages link to as a page. */
export function renderSource(page, text) {
  const html = `<h1>${page}</h1><pre><code>${new MarkdownIt().utils.escapeHtml(text)}</code></pre>`;
  return { title: page, html, anchors: new Set(), sections: [], links: [] };
}
