import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { pressOn, says } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";

/** Makes the page count clicks. */
const COUNT = `addEventListener("click", () => {
  sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, { capture: true });`;

const { site, inBrowser } = await openSite("The five questions", {
  base: "/ops",
  async begin(page) {
    await page.setViewport({ width: 1280, height: 1000 });
    await page.evaluateOnNewDocument(COUNT);
  },
});

const press = (page: Page, within: string, text: string) => pressOn(page, `${within} a, ${within} button`, text);

const ANSWERS: readonly (readonly [string, readonly (readonly [string, string])[], RegExp])[] = [
  [
    "why did nobody get a mail for this alert",
    [
      ["nav", "Alerts"],
      [".rows", "Memory is short"],
    ],
    /Who was told\s+(?!Nobody)[\s\S]*Waits for the digest of its route: [^\n]+; Administrators is told then/,
  ],
  [
    "why did this job not run last night",
    [
      ["nav", "Events"],
      ["main table", "Fetch the support mailbox"],
      ["main", "Why?"],
    ],
    /It was due and did not run\.\s*The scheduler was paused in this minute\./,
  ],
  [
    "what changed before it broke",
    [
      ["nav", "Alerts"],
      [".rows", "Memory is short"],
    ],
    /Before it fired[\s\S]*Scheduler paused\s+.*\d\d:\d\d\s+System/,
  ],
  [
    "who may read this secret",
    [
      ["nav", "Secrets"],
      ["main table", "Access to the bank"],
    ],
    /Who may read it[\s\S]*through the category Billing/,
  ],
  [
    "which servers run out of disk this week",
    [
      ["nav", "Servers"],
      ["main th", "Full in"],
    ],
    /(?:db-1 runs out of disk in|servers run out of disk this week)/,
  ],
];

inBrowser.each(ANSWERS)("%s: answered within three clicks from the overview", async (_question, presses, answer) => {
  const { page, faults } = site.watched;
  await page.goto(`${site.served.url}/`);
  await page.waitForSelector(".g-need");
  await page.evaluate(`sessionStorage.clicks = 0`);
  for (const [within, text] of presses) await press(page, within, text);
  await page.waitForFunction(
    (source: string) => new RegExp(source).test(document.querySelector("main")?.innerText ?? ""),
    {},
    answer.source,
  );
  const clicks = Number(await page.evaluate(`sessionStorage.clicks`));
  expect(clicks).toBe(presses.length);
  expect(clicks).toBeLessThanOrEqual(3);
  expect(faults).toEqual([]);
});

inBrowser("guides are found by the global search and their own page, and read by section and whole", async () => {
  const { page, faults } = site.watched;
  await page.goto(`${site.served.url}/tags`);
  await page.waitForSelector("tbody tr");
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForSelector("dialog[open] .palette-find input");
  await page.type(".palette input", "rotate");
  await press(page, ".hits", "Rotate by a call");
  await page.waitForFunction(`location.pathname === "/ops/guides" && /doc=.*anchor=/.test(location.search)`);
  await page.waitForSelector(".md");
  await press(page, "main", "Whole page");
  await page.waitForFunction(`document.querySelectorAll(".md h3").length > 2`);

  await page.goto(`${site.served.url}/guides`);
  await says(page, "Type a word");
  await page.type("input[type=search]", "zebra crossing");
  await says(page, "No section contains “zebra crossing”.");
  await page.goto(`${site.served.url}/guides?q=${encodeURIComponent("master key")}`);
  await press(page, "main tbody", "");
  await page.waitForFunction(`document.querySelector(".md")?.textContent.includes("key")`);
  expect(faults).toEqual([]);
});
