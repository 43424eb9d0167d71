import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { faultsOf, llmsTextOf, readPages, siteFiles } from "./build.mjs";
import { renderPage, siteNameOf, targetOf, wayTo } from "./markdown.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = readPages(root);

test("every link of the pages leads somewhere, and no guide is missing", () => {
  expect(read.pages.size).toBeGreaterThan(80);
  expect(faultsOf(root, read)).toEqual([]);
});

test("a link to a missing page or heading is reported", () => {
  const text = "# Page\n[a](guide/none.md) [b](#page) [c](#none) [d](https://example.com/x.md)";
  const pages = new Map(read.pages).set("page.md", renderPage("page.md", text));
  expect(faultsOf(root, { ...read, pages })).toEqual([
    "page.md links to guide/none.md, which is not there",
    "page.md links to page.md#none, which is not there",
  ]);
});

test("docs/llms.txt agrees with the contents: npm run docs writes it", () => {
  expect(readFileSync(`${root}docs/llms.txt`, "utf8")).toBe(llmsTextOf(read));
});

test("all files that the site loads are part of it", () => {
  const files = siteFiles(root, read);
  const asked = [...files].flatMap(([name, content]) =>
    name.endsWith(".html")
      ? [...content.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].map(([, address]) => ({ name, address }))
      : [],
  );
  const isLink = ({ address }) => /^https?:/.test(address);
  const away = asked.filter((one) => !isLink(one) && !/(?:^|\/)api\/index\.html$/.test(one.address));
  const dead = away.filter(({ name, address }) => !files.has(targetOf(name, address).path));
  expect(dead).toEqual([]);
  const loaded = [...files.values()].join("\n").match(/<(?:script|img|source|link)\b[^>]*="https?:/g);
  expect(loaded).toBeNull();
});

test("the index of the search contains the headings and texts of the guides", () => {
  const seen = {};
  runInNewContext(siteFiles(root, read).get("search-index.js"), seen);
  expect(seen.signalboxSearch).toContainEqual({
    page: "guide/events.html",
    title: "Events and their times",
    heading: "Once, whatever happens",
    anchor: "once-whatever-happens",
    text: expect.stringContaining("A due run is stored under a unique key"),
  });
});

test.each([
  ["README.md", "index.html"],
  ["docs/guide/jobs.md", "guide/jobs.html"],
  ["docs/decisions/README.md", "decisions/index.html"],
  ["examples/hosts/ops.ts", "examples/hosts/ops.ts.html"],
  ["docs/pictures/job.webp", "pictures/job.webp"],
])("%s is %s in the site", (path, name) => expect(siteNameOf(path)).toBe(name));

test.each([
  ["index.html", "guide/jobs.html", "guide/jobs.html"],
  ["guide/jobs.html", "index.html", "../index.html"],
  ["guide/jobs.html", "guide/events.html", "events.html"],
  ["guide/hosts/koa.html", "guide/jobs.html", "../jobs.html"],
  ["guide/jobs.html", "guide/hosts/koa.html", "hosts/koa.html"],
])("from %s to %s: %s", (from, to, way) => expect(wayTo(from, to)).toBe(way));
