import axe from "axe-core";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { FIXTURE_PAGES, visit } from "./fixture/pages.ts";
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

/** Violations that axe finds, one a line: the rule, and the first elements that break it. */
async function violations(page: Page, theme: Theme, options: object = {}): Promise<unknown> {
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  return page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...options })});
    return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 2).join(" | "));
  })()`);
}

const PAGES = FIXTURE_PAGES.map((page, index) => ({
  ...page,
  themes: (index % 2 === 0 ? ["light", "dark"] : ["dark", "light"]) as [Theme, Theme],
}));

inBrowser.each(PAGES)("$name has no accessibility violation in either theme", async ({ themes, ...one }) => {
  const { page } = site.watched;
  await visit(page, site.store, one);
  const [first, second] = themes;
  const all = await violations(page, first);
  const others = await violations(page, second, { runOnly: OF_COLOURS });
  expect({ [first]: all, [second]: others }).toEqual({ light: [], dark: [] });
});
