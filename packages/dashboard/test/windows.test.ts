import type { Page } from "puppeteer-core";
import { afterEach, expect } from "vitest";
import { closePages, enter, newPage, windowBeside } from "./fixture/browser.ts";
import { hold, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("Windows", { base: "/ops" });

// Runs before the site closes the pages, because each open page holds a stream.
afterEach(async () => {
  await closePages(browser);
  await expect.poll(site.served.streams).toBe(0);
});

const jobOf = (event: string) =>
  site.store.servers.flatMap(({ jobs }) => jobs).find((job) => job.event === event && !job.isOver);

/** Opens the log of a running job. */
async function follow(page: Page, event: string): Promise<void> {
  await page.goto(`${site.served.url}/jobs/${jobOf(event)?.id}`);
  await page.waitForSelector(".lines");
}
const shows = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector(".view")?.textContent.includes(${JSON.stringify(text)})`);
const isLive = (page: Page) => page.waitForSelector(".live.is-live");

/** A window that answers late whenever it is asked for its page. */
const BUSY = `{
  const post = BroadcastChannel.prototype.postMessage;
  BroadcastChannel.prototype.postMessage = function (message) {
    setTimeout(() => post.call(this, message), message.isAnswer ? 300 : 0);
  };
}`;

inBrowser("all windows share one stream, and the others continue without a gap when its owner closes", async () => {
  const { page: first, faults } = await newPage(browser);
  await enter(first, site.served.url);
  await first.goto(`${site.served.url}/tickets/1`);
  await isLive(first);
  const second = await windowBeside(first);
  await follow(second, "invoices");
  await isLive(second);
  const third = await windowBeside(first);
  await third.evaluateOnNewDocument(BUSY);
  await follow(third, "index");
  await isLive(third);
  jobOf("invoices")?.log("seen by the second\n");
  jobOf("index")?.log("seen by the third\n");
  const { ticket } = await site.store.box.api.getTicket({ num: 1 });
  await site.store.box.api.addTicketChange({ id: ticket.id, change: { type: "comment", body: "Seen by the first" } });
  await Promise.all([
    says(first, "Seen by the first"),
    shows(second, "seen by the second"),
    shows(third, "seen by the third"),
  ]);
  expect(await second.evaluate(`document.querySelector(".view").textContent`)).not.toContain("by the third");
  await expect.poll(site.served.streams).toBe(1);

  jobOf("invoices")?.log("gap 0\n");
  await first.close();
  for (let at = 1; at < 12; at += 1) {
    jobOf("invoices")?.log(`gap ${at}\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await site.store.box.api.createTag({ id: "handed_over", title: "Handed over" } as never);
  await shows(second, "gap 11");
  const said = (await second.evaluate(`document.querySelector(".view").textContent`)) as string;
  expect([...said.matchAll(/gap (\d+)/g)].map(([, at]) => Number(at))).toEqual(
    Array.from({ length: 12 }, (_, at) => at),
  );
  jobOf("index")?.log("still seen by the third\n");
  await shows(third, "still seen by the third");
  await expect.poll(site.served.streams).toBe(1);
  expect(faults).toEqual([]);
});

/** Shortens the minute after which a hidden page closes its channel, and hides or shows the page. */
const HURRY = `{ const own = setTimeout; setTimeout = (run, ms, ...rest) => own(run, ms === 60000 ? 20 : ms, ...rest); }`;
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));`);

inBrowser("a window hidden for a minute closes the stream, and reloads when it becomes visible", async () => {
  const { page, faults } = await newPage(browser);
  await page.evaluateOnNewDocument(HURRY);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/tags`);
  await isLive(page);
  await says(page, "Billing error");
  const before = site.served.streams();
  await setHidden(page, true);
  await expect.poll(site.served.streams).toBe(before - 1);
  await site.store.box.api.createTag({ id: "unseen", title: "Made meanwhile" } as never);
  expect(await page.evaluate(`document.body.innerText`)).not.toContain("Made meanwhile");
  await setHidden(page, false);
  await says(page, "Made meanwhile");
  await expect.poll(site.served.streams).toBe(before);
  expect(faults).toEqual([]);
});

inBrowser("failed loads and actions are reported while the server is away, and recover by themselves", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events`);
  await isLive(page);
  await says(page, "Nightly invoice run");
  site.served.cut(true);
  await says(page, "No connection since");
  await press(page, "Pause the scheduler");
  await says(page, "Check whether the change was made once the connection is back.");
  await pressOn(page, "nav.side a", "Secrets");
  await says(page, "Part of this page could not be loaded");
  site.served.cut(false);
  await says(page, "Access to the bank");
  await isLive(page);
});

inBrowser("a browser without the Web Locks API opens one stream per window", async () => {
  const { page, faults } = await newPage(browser);
  await page.evaluateOnNewDocument(`delete Navigator.prototype.locks`);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/tags`);
  await isLive(page);
  await says(page, "Billing error");
  await site.store.box.api.createTag({ id: "alone", title: "Told to one window" } as never);
  await says(page, "Told to one window");
  expect(faults).toEqual([]);
});

const newTicket = (subject: string) =>
  site.store.box.api.createTicket({ subject, type: "issue", status: "open" } as never);
const subjects = (page: Page): Promise<string[]> =>
  page.$$eval("tbody tr a.whole", (links) => links.map((link) => link.textContent ?? ""));

inBrowser("new rows enter a list at once, but wait while the user is in it", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/tickets`);
  await page.waitForSelector("tbody tr");
  await page.waitForSelector(".live.is-live");
  await page.mouse.move(2, 2);
  await newTicket("Enters at once");
  await says(page, "Enters at once");

  await page.hover("tbody tr:nth-child(2)");
  const before = await subjects(page);
  const { ticket } = (await newTicket("Waits for a hand")) as { readonly ticket: { readonly id: string } };
  await newTicket("Waits as well");
  await says(page, "2 new rows");
  const gone = (await site.store.box.api.searchTickets({ query: "subject:enters", limit: 1 })).rows[0];
  await site.store.box.api.deleteTicket({ id: gone?.id ?? "" });
  await page.waitForFunction(`document.querySelector("tr.is-gone")?.textContent.includes("Enters at once")`);
  expect(await subjects(page)).toEqual(before);
  await press(page, "2 new rows");
  await page.waitForFunction(`!document.querySelector("tr.is-gone, .new-rows")`);
  expect((await subjects(page)).slice(0, 2).sort()).toEqual(["Waits as well", "Waits for a hand"]);

  await page.bringToFront();
  await page.keyboard.press(".");
  // A busy browser sometimes drops a key.
  if (!(await page.waitForSelector(".live.is-paused", { timeout: 10_000 }).catch(() => undefined)))
    await page.keyboard.press(".");
  await page.waitForSelector(".live.is-paused");
  await page.mouse.move(2, 2);
  await site.store.box.api.updateTicket({ id: ticket.id, subject: "Said while paused" });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await subjects(page)).not.toContain("Said while paused");
  await page.keyboard.press(".");
  await says(page, "Said while paused");
  expect(faults).toEqual([]);
});

inBrowser("a run of less than a second appears among its event's runs, but waits for the user", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/rates`);
  await page.waitForSelector(".runs li");
  await isLive(page);
  await page.hover(".runs li:nth-child(2)");
  const links = () => page.$$eval(".runs li a", (all) => all.map((one) => one.getAttribute("href")));
  const before = await links();
  const { id } = await site.store.box.api.runEvent({ id: "rates" });
  await says(page, "1 new row");
  expect(await links()).toEqual(before);
  await press(page, "1 new row");
  await page.waitForFunction(`document.querySelector(".runs li a").getAttribute("href").endsWith("${id}")`);
  expect(faults).toEqual([]);
});

/** Waits until updates have come: changes are sent after a tenth of a second, the status each second. */
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1200));

inBrowser("charts keep their headings and space while readings load", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const letGo = await hold(page, /get_historical_monitor_data/);
  await page.goto(`${site.served.url}/servers/db_1`);
  await page.waitForSelector(".wide3 .chart h2");
  const heights = () => page.$$eval(".wide3 .chart", (all) => all.map((chart) => chart.getBoundingClientRect().height));
  const before = await heights();
  expect(await page.$$(".plot")).toEqual([]);
  const first = page.evaluate(
    () =>
      new Promise((resolve) => {
        const drawn = () => document.querySelectorAll(".plot").length;
        const changes = { childList: true, subtree: true };
        new MutationObserver(() => drawn() > 0 && resolve(drawn())).observe(document, changes);
      }),
  );
  letGo();
  // The charts that the window shows are drawn first.
  expect(await first).toBe(2);
  await page.waitForFunction(`document.querySelectorAll(".plot svg").length === ${before.length}`);
  expect(await heights()).toEqual(before);
  await page.waitForSelector(`.plot[aria-label*="lowest"]`);
  expect(faults).toEqual([]);
});

inBrowser("changes between the first answer of a list and the opening of the stream are not missed", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/me`);
  const letGo = await hold(page, /stream_updates/);
  await page.goto(`${site.served.url}/tickets`);
  await page.waitForSelector("tbody tr");
  await newTicket("Made before the stream was open");
  await aSecond();
  expect(await subjects(page)).not.toContain("Made before the stream was open");
  letGo();
  await says(page, "Made before the stream was open");
  expect(faults).toEqual([]);
});

inBrowser("a window that joins others reloads what their stream reported before", async () => {
  const { page: first, faults } = await newPage(browser);
  await enter(first, site.served.url);
  await first.goto(`${site.served.url}/`);
  await isLive(first);
  const second = await windowBeside(first);
  // Delays the window's first message to the others.
  await second.evaluateOnNewDocument(`{
      const own = BroadcastChannel.prototype.postMessage;
      BroadcastChannel.prototype.postMessage = function (...all) { window.letGo = () => own.apply(this, all); };
    }`);
  await second.goto(`${site.served.url}/tickets`);
  await second.waitForSelector("tbody tr");
  await newTicket("Made before the window was known");
  await aSecond();
  expect(await subjects(second)).not.toContain("Made before the window was known");
  await second.evaluate("window.letGo()");
  await says(second, "Made before the window was known");
  expect(faults).toEqual([]);
});

inBrowser("a renamed server shows its new name in place", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const rename = (title: string) => site.store.box.api.updateServer({ id: "web_2", title });
  for (const path of ["/servers", "/notices/routes/busy"]) {
    await page.goto(site.served.url + path);
    await isLive(page);
    await says(page, "web-2");
    await rename("Second shop");
    await says(page, "Second shop");
    await rename("");
    await says(page, "web-2");
  }
  expect(faults).toEqual([]);
});
