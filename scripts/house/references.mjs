// Finds references from code and pages to pages and headings, and reports the broken ones.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const LEFT_OUT = new Set(["node_modules", "dist", "fixtures", "reference", ".cache", ".git"]);
/** `npm run docs` writes the site there; its pages are generated from the checked ones. */
const BUILT = join("docs", "site");

/** Files below a folder whose text may refer to pages. */
function* textsIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!LEFT_OUT.has(entry.name) && !path.endsWith(BUILT)) yield* textsIn(path);
    } else if (/\.(?:tsx?|mjs|md)$/.test(entry.name)) yield path;
  }
}

/** Returns a function that makes the anchors of one page's headings in order, as GitHub does. */
export function anchorMaker() {
  const seen = new Map();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

/** Anchors of the headings of a page. */
export function anchorsOf(text) {
  const plain = text.replace(/^```[\s\S]*?^```/gm, "");
  const anchorOf = anchorMaker();
  return new Set([...plain.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => anchorOf(heading)));
}

/** References in a file, each as page and anchor: pages of `docs/contract` anywhere in the text, and Markdown links. */
export function referencesOf(path, text) {
  const named = [...text.matchAll(/\bdocs\/contract\/([\w-]+\.md)(?:#([\w-]+))?/g)].map(([written, page, anchor]) => ({
    written,
    page: `docs/contract/${page}`,
    anchor,
  }));
  if (!path.endsWith(".md")) return named;
  const plain = text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  const links = [...plain.matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, page, anchor]) => ({
    written: `${page}${anchor === undefined ? "" : `#${anchor}`}`,
    page: page === "" ? path : normalize(join(dirname(path), page)),
    anchor,
  }));
  return [...named, ...links.filter(({ page }) => page.endsWith(".md"))];
}

/** "file: reference" for each reference to a missing page or heading. `files`: text by path, relative to the root. */
export function deadReferences(files) {
  const anchors = new Map();
  const anchorsIn = (page) => {
    if (!anchors.has(page)) anchors.set(page, anchorsOf(files.get(page)));
    return anchors.get(page);
  };
  const isAlive = ({ page, anchor }) => files.has(page) && (anchor === undefined || anchorsIn(page).has(anchor));
  return [...files].flatMap(([path, text]) =>
    referencesOf(path, text)
      .filter((reference) => !isAlive(reference))
      .map(({ written }) => `${path}: ${written}`),
  );
}

/** All texts of a checkout by their paths below its root. Includes the generated reference, which pages may link to. */
export function readTexts(root) {
  const folders = ["packages", "docs", "attack", "examples", "bench", "scripts"].map((name) => join(root, name));
  const paths = folders.filter(existsSync).flatMap((folder) => [...textsIn(folder)]);
  const generated = readdirSync(join(root, "docs/reference")).map((name) => join(root, "docs/reference", name));
  const pages = readdirSync(root).filter((name) => name.endsWith(".md"));
  return new Map(
    [...paths, ...generated, ...pages.map((name) => join(root, name))].map((path) => [
      relative(root, path),
      readFileSync(path, "utf8"),
    ]),
  );
}
