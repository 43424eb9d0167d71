// The layout of each page of the site: contents at the side, search at the top, no external resources.
import { CONTENTS } from "./contents.mjs";
import { siteNameOf, wayTo } from "./markdown.mjs";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** In the contents, the first page is called by its role, not by the product's name. */
const shownTitle = (path, titles) => (path === "README.md" ? "Overview" : titles.get(path));

function navigation(page, titles) {
  const parts = CONTENTS.map(({ title, pages }) => {
    const items = pages.map(([path]) => {
      const current = path === page ? ' aria-current="page"' : "";
      const way = wayTo(siteNameOf(page), siteNameOf(path));
      return `<li><a href="${way}"${current}>${escaped(shownTitle(path, titles))}</a></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join("")}</ul>`;
  });
  const types = wayTo(siteNameOf(page), "api/index.html");
  return `${parts.join("")}<h2>Types</h2><ul><li><a href="${types}">Every exported name</a></li></ul>`;
}

/** The page before and after it in the order of the contents. */
function neighbours(page, titles) {
  const order = CONTENTS.flatMap(({ pages }) => pages.map(([path]) => path));
  const place = order.indexOf(page);
  const link = (path, rel, mark) =>
    path === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${wayTo(siteNameOf(page), siteNameOf(path))}">${mark(escaped(shownTitle(path, titles)))}</a>`;
  if (place === -1) return "";
  const before = link(order[place - 1], "prev", (title) => `← ${title}`);
  const after = link(order[place + 1], "next", (title) => `${title} →`);
  return `<nav class="turn" aria-label="Neighbours">${before}${after}</nav>`;
}

export function framed(page, { title, html }, titles) {
  const way = (name) => wayTo(siteNameOf(page), name);
  return `<!doctype html>
<html lang="en" data-root="${way("index.html").replace(/index\.html$/, "")}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}${title === "Signalbox" ? "" : " – Signalbox"}</title>
<link rel="stylesheet" href="${way("site.css")}"><script src="${way("search.js")}" defer></script></head>
<body><a class="skip" href="#content">To the text</a>
<header><a href="${way("index.html")}"><b>Signalbox</b></a>
<search><input type="search" placeholder="Search" aria-label="Search the pages" aria-controls="found" autocomplete="off"></search></header>
<ol id="found" hidden aria-label="What was found"></ol>
<div class="body"><details class="contents" open><summary>Contents</summary><nav aria-label="Contents">${navigation(page, titles)}</nav></details>
<main id="content">${html}${neighbours(page, titles)}</main></div></body></html>
`;
}
