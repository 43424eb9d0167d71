import axe from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, enter, newPage, openBrowser, type WatchedPage } from "./fixture/browser.ts";
import { FIXTURE_PAGES } from "./fixture/pages.ts";
import { type Served, serveFixture } from "./fixture/serve.ts";
import { prepareStore, type Store } from "./fixture/store.ts";

const opened = await openBrowser();
if (typeof opened === "string") console.warn(`Accessibility is not looked at in a browser: ${opened}`);
const browser = opened as Browser;

let store: Store;
let served: Served;
let watched: WatchedPage;

beforeAll(async () => {
  if (typeof opened === "string") return;
  store = await prepareStore();
  served = await serveFixture(store);
  watched = await newPage(browser);
  await watched.page.setViewport({ width: 1280, height: 900 });
  await enter(watched.page, served.url);
  await watched.page.goto(`${served.url}/`);
  await watched.page.waitForSelector("main#main h1");
  await watched.page.evaluate(axe.source);
});

afterAll(async () => {
  if (typeof opened === "string") return;
  await closePages(browser);
  await served.stop();
  await store.stop();
});

type Theme = "light" | "dark";

/**
 * The rules on colours cost axe more than all others. Pages are made of the same parts, so every other page is looked
 * at in the dark theme; `npm run soak -- pages` looks at each in both.
 */
const isBoth = process.env["SIGNALBOX_THEMES"] === "both";
const themesOf = (index: number): Theme[] => (isBoth ? ["light", "dark"] : [index % 2 === 0 ? "light" : "dark"]);
const PAGES = FIXTURE_PAGES.map((page, index) => ({ ...page, themes: themesOf(index) }));

/** Rules that look at colours; themes differ in nothing else, so in a second one the others would say the same again. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Faults that axe finds on a page, a line each: the rule, and the first element that breaks it. */
async function violations(page: Page, theme: Theme, rules?: readonly string[]): Promise<readonly string[]> {
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  return (await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify(options)});
    return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 2).join(" | "));
  })()`)) as readonly string[];
}

/** As "back" does it: a page that is loaded anew compiles all scripts again. */
const moveTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);

test.skipIf(typeof opened === "string").each(PAGES)(
  "$name has nothing that bars somebody, with the colours of $themes",
  async ({ name, path, ready, themes }) => {
    const { page } = watched;
    const address = await path(store);
    // The selector must not match the page before.
    await moveTo(page, name === "not-found" ? "/tags" : "/nowhere");
    await page.waitForFunction(`!document.querySelector(${JSON.stringify(ready)})`);
    await moveTo(page, address);
    await page.waitForSelector(ready);
    const [first, ...others] = themes as [Theme, ...Theme[]];
    const found = { [first]: await violations(page, first) };
    for (const theme of others) found[theme] = await violations(page, theme, OF_COLOURS);
    expect(found).toEqual(Object.fromEntries(themes.map((theme) => [theme, []])));
  },
);
