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

inBrowser.each(PAGES)(
  "$name has nothing that bars somebody, with the colours of $themes",
  async ({ name, path, ready, themes }) => {
    const { page } = site.watched;
    const address = await path(site.store);
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
