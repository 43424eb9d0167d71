import axe from "axe-core";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { FIXTURE_PAGES } from "./fixture/pages.ts";
import { openSite } from "./fixture/site.ts";

const { site, inBrowser } = await openSite("Pages looked at for accessibility", {
  async begin(page, url) {
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(`${url}/`);
    await page.waitForSelector("main#main h1");
    await page.evaluate(axe.source);
  },
});

type Theme = "light" | "dark";

/** Rules about colours, in which alone the themes differ. They cost axe more than all other rules together. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** In the second theme `npm run soak -- pages` checks the colours of all texts, `npm test` the colours of looks that are new in it. */
const isWhole = process.env["SIGNALBOX_THEMES"] === "both";

/**
 * Runs in the page, which stays the same document for all tests: the first text of each look that no earlier call for the theme
 * has found. Texts look the same if they and all their ancestors have the same tag and attributes, except for attributes that
 * name something.
 */
function textsOfNewLook(theme: Theme): Element[] {
  const page = globalThis as { looks?: Record<Theme, Set<number>> & { ids: Map<string, number> } };
  page.looks ??= { ids: new Map(), light: new Set(), dark: new Set() };
  const { ids, [theme]: known } = page.looks;
  const naming =
    /^(?:id|href|title|for|name|value|d|datetime|list|data-id|aria-(?:label|labelledby|describedby|controls))$/;
  const lookOf = new Map<Element | null, number>();
  const found: Element[] = [];
  for (const one of document.querySelectorAll("*")) {
    const attributes = [...one.attributes]
      .filter(({ name }) => !naming.test(name))
      .map((each) => [each.name, each.value]);
    const key = JSON.stringify([lookOf.get(one.parentElement), one.tagName, attributes]);
    const look = ids.get(key) ?? ids.size;
    ids.set(key, look);
    lookOf.set(one, look);
    const isText = one.matches("input, select, textarea") || [...one.childNodes].some(({ nodeType }) => nodeType === 3);
    if (!isText || known.has(look)) continue;
    known.add(look);
    found.push(one);
  }
  return found;
}

const newIn = (theme: Theme): string => `(${textsOfNewLook})("${theme}")`;

/** Violations that axe finds, one a line: the rule, and the first elements that break it. `where` is an expression. */
async function violations(page: Page, theme: Theme, where: string, options: object = {}): Promise<unknown> {
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  return page.evaluate(`(async () => {
    const include = ${where};
    if (include.length === 0) return [];
    const { violations } = await axe.run({ include }, ${JSON.stringify({ resultTypes: ["violations"], ...options })});
    return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 2).join(" | "));
  })()`);
}

const PAGES = FIXTURE_PAGES.map((page, index) => ({
  ...page,
  themes: (index % 2 === 0 ? ["light", "dark"] : ["dark", "light"]) as [Theme, Theme],
}));

/** Goes to an address like "back" does: loading the page again would compile all scripts again. */
const moveTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);

inBrowser.each(PAGES)("$name has no accessibility violation in either theme", async ({ name, path, ready, themes }) => {
  const { page } = site.watched;
  const address = await path(site.store);
  // The selector must not match the previous page.
  await moveTo(page, name === "not-found" ? "/tags" : "/nowhere");
  await page.waitForFunction(`!document.querySelector(${JSON.stringify(ready)})`);
  await moveTo(page, address);
  await page.waitForSelector(ready);
  const [first, second] = themes;
  const all = await violations(page, first, "[document]");
  // The first theme has checked them.
  await page.evaluate(`${newIn(first)}.length`);
  const others = await violations(page, second, isWhole ? "[document]" : newIn(second), { runOnly: OF_COLOURS });
  expect({ [first]: all, [second]: others }).toEqual({ light: [], dark: [] });
});
