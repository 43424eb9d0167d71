// Generates all files of the site from the Markdown of the repository, and reports their faults.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { BESIDE, CONTENTS, FOLDERS, llmsText } from "./contents.mjs";
import { framed } from "./layout.mjs";
import { renderPage, renderSource, siteNameOf, wayTo } from "./markdown.mjs";

const here = (name) => readFileSync(new URL(name, import.meta.url));

const listed = () => CONTENTS.flatMap(({ pages }) => pages.map(([path]) => path));

/** The pages by their paths. Linked program sources become pages, and linked pictures are included. */
export function readPages(root) {
  const inFolders = FOLDERS.flatMap((folder) => globSync(`${folder}/*.md`, { cwd: root }));
  const paths = new Set([...listed(), ...inFolders, ...BESIDE]);
  const pages = new Map();
  for (const path of paths) pages.set(path, renderPage(path, readFileSync(join(root, path), "utf8")));
  const files = new Set();
  for (const { path } of [...pages.values()].flatMap(({ links }) => links)) {
    if (
      pages.has(path) ||
      path.endsWith(".md") ||
      !existsSync(join(root, path)) ||
      statSync(join(root, path)).isDirectory()
    )
      continue;
    if (siteNameOf(path) === path.replace(/^docs\//, "")) files.add(path);
    else pages.set(path, renderSource(path, readFileSync(join(root, path), "utf8")));
  }
  return { pages, files };
}

/** "page: link" for each broken link, and pages of guides that the contents omit. */
export function faultsOf(root, { pages, files }) {
  const isAlive = ({ path, anchor }) =>
    files.has(path) || (pages.has(path) && (anchor === undefined || pages.get(path).anchors.has(anchor)));
  const dead = [...pages].flatMap(([page, { links }]) =>
    links
      .filter((link) => !isAlive(link))
      .map(
        ({ path, anchor }) => `${page} links to ${path}${anchor === undefined ? "" : `#${anchor}`}, which is not there`,
      ),
  );
  const guides = globSync("docs/guide/**/*.md", { cwd: root });
  const left = guides.filter((path) => !pages.has(path)).map((path) => `${path} is not in the contents`);
  return [...dead, ...left];
}

const titlesOf = (pages) => new Map([...pages].map(([path, { title }]) => [path, title]));

/** The text of `docs/llms.txt`, which lies beside the folders of pages. */
export const llmsTextOf = ({ pages }) => llmsText(titlesOf(pages), (path) => wayTo("docs/llms.txt", path));

function searchIndex(pages) {
  const rows = [...pages].flatMap(([path, { title, sections }]) =>
    sections.map(({ heading, anchor, text }) => ({ page: siteNameOf(path), title, heading, anchor, text })),
  );
  return `globalThis.signalboxSearch = ${JSON.stringify(rows)};\n`;
}

/** Content of each file by its name in the site. */
export function siteFiles(root, read) {
  const { pages, files } = read;
  const titles = titlesOf(pages);
  return new Map([
    ...[...pages].map(([path, page]) => [siteNameOf(path), framed(path, page, titles)]),
    ...[...files].map((path) => [siteNameOf(path), readFileSync(join(root, path))]),
    ["site.css", here("site.css")],
    ["search.js", here("search.js")],
    ["search-index.js", searchIndex(pages)],
    ["llms.txt", llmsText(titles, siteNameOf)],
  ]);
}
