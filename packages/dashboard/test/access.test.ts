import axe from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newPage, openBrowser, signIn, type WatchedPage } from "./fixture/browser.ts";
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
  await browser.close();
  await served.stop();
  await store.stop();
});

/** What axe finds on a page, a line each: the rule, and the first element that breaks it. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return (await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 2).join(" | "));
  })()`)) as readonly string[];
}

describe.skipIf(typeof opened === "string").each(FIXTURE_PAGES)("$name", ({ path, ready }) => {
  test.each(["light", "dark"] as const)(
    "has nothing that bars somebody, in the %s theme",
    async (theme) => {
      const { page } = watched;
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: theme },
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
      await page.goto(served.url + (await path(store)));
      await page.waitForSelector(ready, { timeout: 10_000 });
      expect(await violations(page)).toEqual([]);
    },
    30_000,
  );
});
