import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { closePages, newPage, openBrowser } from "../../../packages/dashboard/test/fixture/browser.ts";
import { readPages, siteFiles } from "./build.mjs";

const browser = await openBrowser();
if (typeof browser === "string") console.warn(`The search of the site is not tried in a browser: ${browser}`);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "signalbox-site-"));

afterAll(async () => {
  if (typeof browser !== "string") await closePages(browser);
  rmSync(folder, { recursive: true });
});

function writeSite() {
  for (const [name, content] of siteFiles(root, readPages(root))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

test.skipIf(typeof browser === "string")(
  "the search of a page that was opened from a file finds sections, and links to them",
  async () => {
    writeSite();
    const { page, faults } = await newPage(browser);
    await page.goto(String(pathToFileURL(join(folder, "guide/jobs.html"))));
    await page.keyboard.press("/");
    await page.keyboard.type("acknowledgement link");
    await page.waitForSelector("#found li a");
    const found = await page.$$eval("#found li a", (links) => links.map((link) => link.firstChild.textContent));
    expect(found).toContain("Notices › Acknowledgement by link");

    const titles = async (words) => {
      await page.$eval("input[type=search]", (input) => input.select());
      await page.keyboard.type(words);
      const [first = ""] = words.split(" ");
      await page.waitForFunction(
        (word) => {
          const [row] = document.querySelectorAll("#found li");
          return row?.textContent.toLowerCase().includes(word) || row?.textContent.startsWith("No page");
        },
        {},
        first,
      );
      return page.$$eval("#found li", (rows) => rows.map((row) => row.textContent));
    };
    expect(await titles("qwertz zebra")).toEqual(["No page has all of these words."]);
    expect((await titles("dashboard own login"))[0]).toContain("Dashboard");
    await page.keyboard.press("Enter");
    await page.waitForFunction(`location.pathname.endsWith("/guide/dashboard.html")`);
    expect(faults).toEqual([]);
  },
  60_000,
);
