import { expect, vi } from "vitest";
import { enter, newPage, signIn } from "./fixture/browser.ts";
import { fill, press } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("The pages", { base: "/ops/box" });

const textOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`;

inBrowser("a user signs in, sees what needs attention, runs an event and watches its log", async () => {
  const { page, faults } = await newPage(browser);
  await signIn(page, site.served.url);
  await page.waitForSelector(".g-need li");
  await page.waitForFunction(`/need/.test(${textOf("h1")})`);
  await page.waitForFunction(`(${textOf(".g-run")}).includes("Nightly invoice run")`);

  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForSelector("dialog[open] .palette-find input");
  await page.type(".palette input", "Rebuild");
  await page.waitForFunction(`document.querySelector(".hits")?.textContent.includes("Run Rebuild search index")`);
  // The first hit opens the event, the second one runs it.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(`location.pathname.startsWith("/ops/box/jobs/j")`);
  await page.waitForSelector(".lines");

  // The page's own job, because other jobs of this event may run as well.
  const job = await vi.waitUntil(
    () => site.store.servers.flatMap(({ jobs }) => jobs).find(({ id }) => page.url().endsWith(`/jobs/${id}`)),
    { timeout: 120_000 },
  );
  job.log("a line that was written while somebody looked\n");
  await page.waitForFunction(`document.querySelector(".view")?.textContent.includes("while somebody looked")`);
  job.finish({ code: 0, description: "Done" });
  await page.waitForFunction(`document.querySelector(".head .pill")?.textContent === "Done"`);
  // Neither the log of a running job, which is not complete yet, nor the missing session before the login may be a fault.
  expect(faults).toEqual([]);
});

inBrowser("a link of the peer's form opens the right page", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const [job] = (await site.store.box.api.searchJobs({ query: "*", limit: 1 })).rows;
  await page.goto(`${site.served.url}/#Job?id=${job?.id}`);
  await page.waitForFunction(`location.pathname === "/ops/box/jobs/${job?.id}"`);
  await page.waitForSelector(".hero");
  expect(faults).toEqual([]);
});

/** Addresses of records that do not exist, each with the list that it leads to. */
const LOST = {
  "jobs/nope": "Jobs",
  "tickets/9999": "Tickets",
  "events/nope": "Events",
  "events/nope/run": "Events",
  "workflows/nope": "Workflows",
  "servers/nope": "Servers",
  "groups/nope": "Groups",
  "snapshots/nope": "Snapshots",
  "snapshots/compare?a=x&b=y": "Snapshots",
  "alert-rules/nope": "Alert rules",
  "secrets/nope": "Secrets",
  "people/nope": "People",
  "notices/nope": "Notices",
};

inBrowser("the address of a missing record says so under a heading, and links to the list", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  for (const [path, list] of Object.entries(LOST)) {
    await page.goto(`${site.served.url}/${path}`);
    await page.waitForFunction(`${textOf("main h1")} === "Not found"`);
    await page.waitForFunction(`${textOf("main .empty a.btn")} === ${JSON.stringify(list)}`);
    expect(await page.$$eval("main .empty button", (all) => all.length)).toBe(0);
  }
  await page.click("main .empty a.btn");
  await page.waitForFunction(`location.pathname === "/ops/box/notices"`);
});

inBrowser("a page prints without navigation, dark on light, over the whole width", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/tickets/1`);
  await page.waitForSelector(".talk");
  await page.evaluate(`document.documentElement.dataset.theme = "dark"`);
  await page.emulateMediaType("print");
  const [shown, left, text] = (await page.evaluate(`[
    [...document.querySelectorAll(".side, .top, .tabbar")].filter((one) => one.checkVisibility()).length,
    document.querySelector("main").getBoundingClientRect().left,
    getComputedStyle(document.body).color,
  ]`)) as [number, number, string];
  expect([shown, left]).toEqual([0, 0]);
  await page.emulateMediaType("screen");
  expect(await page.evaluate(`getComputedStyle(document.body).color`)).not.toBe(text);
});

inBrowser("a wrong password is reported in its form", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/me`);
  await fill(page, "Your password", "no such password");
  await press(page, "Save");
  const fault = await page.waitForSelector("form .wrong");
  expect(await fault?.evaluate((one) => one.textContent)).toBe("Your password is incorrect.");
  expect(await page.$$eval(".toast", (all) => all.length)).toBe(0);
});
