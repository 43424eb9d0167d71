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

/**
 * Rules about colours cost axe more than all others. Pages share their parts, so only every other page is checked in the dark
 * theme; `npm run soak -- pages` checks each in both.
 */
const isBoth = process.env["SIGNALBOX_THEMES"] === "both";
const themesOf = (index: number): Theme[] => (isBoth ? ["light", "dark"] : [index % 2 === 0 ? "light" : "dark"]);
const PAGES = FIXTURE_PAGES.map((page, index) => ({ ...page, themes: themesOf(index) }));

/** Rules about colours. Themes differ in nothing else, so in a second theme the other rules would only repeat their results. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Violations that axe finds on a page, one a line: the rule, and the first element that breaks it. */
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

/** Goes to an address like "back" does: loading the page again would compile all scripts again. */
const moveTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`);

inBrowser.each(PAGES)(
  "$name has nothing that bars somebody, with the colours of $themes",
  async ({ name, path, ready, themes }) => {
    const { page } = site.watched;
    const address = await path(site.store);
    // The selector must not match the previous page.
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
