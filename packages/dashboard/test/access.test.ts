import axe from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, openBrowser, signIn, type WatchedPage } from "./fixture/browser.ts";
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
  await signIn(watched.page, served.url);
}, 60_000);

afterAll(async () => {
  if (typeof opened === "string") return;
  await closePages(browser);
  await served.stop();
  await store.stop();
});

/** Rules that look at colours; themes differ in nothing else, so in the dark one the others would say the same again. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** What axe finds on a page, a line each: the rule, and the first element that breaks it. */
async function violations(page: Page, theme: "light" | "dark"): Promise<readonly string[]> {
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  const options = { resultTypes: ["violations"], ...(theme === "dark" && { runOnly: OF_COLOURS }) };
  return (await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify(options)});
    return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 2).join(" | "));
  })()`)) as readonly string[];
}

test.skipIf(typeof opened === "string").each(FIXTURE_PAGES)(
  "$name has nothing that bars somebody, in the light and in the dark theme",
  async ({ path, ready }) => {
    const { page } = watched;
    await page.goto(served.url + (await path(store)));
    await page.waitForSelector(ready);
    await page.evaluate(axe.source);
    const light = await violations(page, "light");
    expect({ light, dark: await violations(page, "dark") }).toEqual({ light: [], dark: [] });
  },
  30_000,
);
