import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElementHandle, Page } from "puppeteer-core";
import { afterAll, expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, hold, pressOn, says } from "./fixture/hands.ts";
import { serveFixture } from "./fixture/serve.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("The pages", { base: "/ops" });
const folder = mkdtempSync(join(tmpdir(), "events-"));

afterAll(() => rmSync(folder, { recursive: true }));

const press = (page: Page, text: string) => pressOn(page, "main a, main button", text);

inBrowser("the reason why an event did not run is three steps from the list", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events`);
  await page.waitForSelector(".run-strip");
  await page.type("input[data-filter]", "mailbox");
  await page.waitForFunction(`document.querySelectorAll("main tbody tr").length === 1`);
  await press(page, "Fetch the support mailbox");
  await says(page, "4 runs did not happen");
  await press(page, "Why?");
  await says(page, "It was due and did not run. The scheduler was paused in this minute.");
  expect(await page.evaluate(() => new URLSearchParams(location.search).has("why"))).toBe(true);
  expect(faults).toEqual([]);
});

inBrowser("cron text takes effect as it is typed: Enter in its field saves it", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/certificates/edit`);
  await press(page, "Every day at 08:00");
  await fill(page, "As cron text", "45 4 * * 1-5");
  await page.keyboard.press("Enter");
  await page.waitForFunction(`location.pathname === "/ops/events/certificates"`);
  const { event } = await site.store.box.api.getEvent({ id: "certificates" });
  expect(event.triggers?.[0]).toMatchObject({ hours: [4], minutes: [45], weekdays: [1, 2, 3, 4, 5] });
  expect(faults).toEqual([]);
});

inBrowser("a schedule is edited with its preview while another user changes the event, and rolled back", async () => {
  const { page, faults } = await newPage(browser);
  const { api } = site.store.box;
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/backup/edit`);
  await press(page, "Every day at 03:00");
  await fill(page, "As cron text", "45 4 * * 1-5");
  await (await field(page, "Title")).focus();
  await says(page, "Monday to Friday at 04:45");
  await page.waitForSelector(".upcoming li");

  await api.updateEvent({ id: "backup", notes: "Ask Mara first" } as Parameters<typeof api.updateEvent>[0]);
  await says(page, "Somebody has changed it in the meantime");
  await press(page, "Keep both");
  await press(page, "Save");
  await page.waitForFunction(`location.pathname === "/ops/events/backup"`);
  const { event } = await api.getEvent({ id: "backup" });
  expect(event).toMatchObject({ notes: "Ask Mara first", revision: 3 });
  expect(event.triggers?.[0]).toMatchObject({ hours: [4], minutes: [45], weekdays: [1, 2, 3, 4, 5] });

  await page.goto(`${site.served.url}/events/backup/history`);
  await press(page, "Created by");
  await press(page, "Back to this revision");
  await says(page, "The event was restored to revision 1");
  const { event: back } = await api.getEvent({ id: "backup" });
  expect(back.triggers?.[0]).toMatchObject({ hours: [3], minutes: [0] });
  expect(back["notes"] ?? "").toBe("");
  expect(faults).toEqual([]);
});

inBrowser("an event is run with an answer, a parameter and a file", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/invoices/run`);
  await fill(page, "Month", " ");
  await page.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLInputElement>("input[type=checkbox]:enabled:not(:checked)"))
      box.click();
  });
  await fill(page, "Month", "2026-10");
  const file = join(folder, "rates.csv");
  writeFileSync(file, "EUR,1\n");
  const input = (await page.$("input[type=file]")) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(file);
  await says(page, "6 B");
  await input.uploadFile(file);
  await page.waitForFunction(`document.querySelectorAll(".files li").length === 2`);
  await pressOn(page, ".files li:last-child button");
  await page.waitForFunction(`document.querySelectorAll(".files li").length === 1`);
  await press(page, "Run as a test");
  await page.waitForFunction(`location.pathname.startsWith("/ops/jobs/j")`);
  const id = await page.evaluate(() => location.pathname.split("/").at(-1) ?? "");
  const { job } = await site.store.box.api.getJob({ id });
  expect(job["params"]).toMatchObject({ month: "2026-10", dry: true, annotate: true });
  expect(job["test"]).toBe(true);
  expect((job["input"] as { files: { filename: string }[] }).files).toMatchObject([{ filename: "rates.csv" }]);
  expect(faults).toEqual([]);
});

inBrowser("a run with a missing answer focuses its field", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/invoices/run`);
  const month = await field(page, "Month");
  await month.evaluate((one) => (one as HTMLInputElement).select());
  await page.keyboard.press("Backspace");
  await pressOn(page, ".foot button");
  await says(page, "This is required.");
  await expect.poll(() => month.evaluate((one) => one === document.activeElement)).toBe(true);
});

inBrowser("an event with missing values focuses the first such field, also of its plugin", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/new`);
  const isAt = async (label: string) => {
    const wanted = await field(page, label);
    await expect.poll(() => wanted.evaluate((one) => one === document.activeElement)).toBe(true);
  };
  await says(page, "Switched off, you can try it first");
  await pressOn(page, ".foot button", "Create");
  await isAt("Title");
  await fill(page, "Title", "Clean up carts");
  await pressOn(page, ".foot button", "Create");
  await isAt("Script Source");
  await says(page, "Choose at least one server or group.");
  // Among many servers, part of a name finds one, and Enter in that field does not save.
  const { api } = site.store.box;
  for (let at = 0; at < 20; at += 1)
    await site.store.box.connect({ id: `many_${at}`, hostname: `many-${at}`, groups: ["main"] });
  const find = (await page.waitForSelector(
    '[aria-label="Find: Groups and servers"]',
  )) as ElementHandle<HTMLInputElement>;
  await find.type("ny-7");
  await page.keyboard.press("Enter");
  await page.waitForFunction(`document.querySelectorAll(".boxes:has([type=search]) label").length === 1`);
  await find.evaluate((one) => one.select());
  await find.type("b-1");
  await page.waitForFunction(`document.querySelector(".boxes:has([type=search]) label")?.textContent === "web-1"`);
  expect((await api.getEvents({})).rows.some(({ title }) => title === "Clean up carts")).toBe(false);
  // A fault that only the server can find is shown at its entry.
  await fill(page, "Script Source", "true");
  await pressOn(page, "label", "web-1");
  await press(page, "Add an action");
  await pressOn(page, ".menu:popover-open button", "call a web hook");
  await pressOn(page, ".entry-open", "call a web hook");
  await pressOn(page, ".foot button", "Create");
  await page.waitForFunction(
    `document.querySelector(".entry .wrong")?.textContent === "Invalid Web Hook ID." &&
      document.activeElement?.textContent === "On failure: call a web hook"`,
  );
});

inBrowser("a file that is too large is refused beside the button, and entries stay", async () => {
  const { page } = await newPage(browser);
  const file = join(folder, "large.csv");
  writeFileSync(file, "x".repeat(2000));
  await site.store.box.api.adminUpdateConfig({ "client.job_upload_settings.max_file_size": 1000 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/invoices/run`);
  const upload = await page.waitForSelector("input[type=file]");
  await (upload as ElementHandle<HTMLInputElement>).uploadFile(file);
  await pressOn(page, ".foot button");
  const fault = await page.waitForSelector("footer .wrong");
  expect(await fault?.evaluate((one) => one.textContent)).toContain("large.csv");
  expect(await page.$$eval(".files li", (all) => all.length)).toBe(1);
  await site.store.box.api.adminUpdateConfig({ "client.job_upload_settings.max_file_size": null });
});

inBrowser("a user who may change nothing is offered no changes, and can still read the reasons", async () => {
  const reading = await serveFixture(site.store, { readOnly: true });
  const { page, faults } = await newPage(browser);
  await enter(page, reading.url);
  await page.goto(`${reading.url}/events/mailbox`);
  await says(page, "By its schedule");
  const offered = await page.evaluate(() => document.querySelector("main")?.textContent ?? "");
  expect(offered).not.toMatch(/Run now|Edit|Duplicate/);
  await page.goto(`${reading.url}/events/mailbox?why=${Math.floor(site.store.box.clock.now() / 180) * 180 - 180}`);
  await says(page, "Its triggers");
  await page.goto(`${reading.url}/events/mailbox/edit`);
  await says(page, "Not possible");
  for (const path of ["/tickets/new", "/alert-rules/new"]) {
    await page.goto(reading.url + path);
    await says(page, "Not possible");
  }
  await page.goto(`${reading.url}/tickets`);
  await page.waitForSelector("main tbody tr");
  expect(await page.$$eval("main input[type=checkbox]", (all) => all.length)).toBe(0);
  await page.goto(`${reading.url}/system/logs`);
  await page.waitForSelector(".log-rows li");
  // Enabled fields without a submit button would look broken.
  for (const [path, isThere] of [
    ["/system", "This node"],
    ["/me", "Preferences"],
    ["/secrets/bank", "Who may read it"],
    ["/people/jonas", "May do, and through what"],
  ] as const) {
    await page.goto(reading.url + path);
    await says(page, isThere);
    const fields = await page.$$eval("main :is(input, select):not(:disabled)", (all) => all.length);
    expect([path, fields]).toEqual([path, path === "/me" ? 3 : 0]);
    expect(await page.$eval("main", (main) => main.textContent)).not.toMatch(/Open the values|Log out|Backup/);
  }
  expect(faults).toEqual([]);
  await page.close();
  await reading.stop();
});

inBrowser("expectations are set in the editor, and each shows its state and what it would have done", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/prune/expect`);
  await says(page, "No expectations are set.");
  await press(page, "Set expectations");
  await (await page.waitForSelector(".span-field input"))?.type("26");
  await fill(page, "Runs that may fail", "3");
  await press(page, "Save");
  await page.waitForFunction(`location.pathname.endsWith("/events/prune")`);
  expect((await site.store.box.api.getEvent({ id: "prune" })).event.expect).toEqual({
    ...{ success_every: 93_600, max_failures: 3, from: expect.any(Number) },
  });
  await press(page, "Expectations");
  await says(page, "A run must succeed at least every 1 d 2 h; it may be 5 min late.");
  await says(page, "Event Is Overdue");

  await page.goto(`${site.served.url}/events/statements/expect`);
  await press(page, "Back-test");
  await says(page, "would have fired.");
  await page.waitForFunction(
    `document.querySelector("main table tbody")?.textContent.includes("Event Fails Too Often")`,
  );
  expect(faults).toEqual([]);
});

inBrowser("an alert on an event names the event, says why, and is silenced for this event alone", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/events/statements`);
  await pressOn(page, 'main .hero a[href*="/alerts/"]');
  await says(page, "on Import bank statements");
  await says(page, "expect.");
  await pressOn(page, "main .foot button", "Silence");
  const choices = await page.waitForSelector("dialog select");
  expect(await choices?.evaluate((one) => one.textContent)).toContain("Everything on Import bank statements");
  await pressOn(page, "dialog button[type=submit]");
  await expect
    .poll(async () => (await site.store.box.api.getSilences({})).rows.map(({ events }) => events ?? []))
    .toContainEqual(["statements"]);
  expect(faults).toEqual([]);
});

inBrowser("the tabs of an event stay in place while its runs load", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  const letGo = await hold(page, /search_jobs|get_active_jobs|get_upcoming_runs/);
  const tabs = () => page.$eval("main .tabs", (one) => Math.round(one.getBoundingClientRect().top));
  await page.goto(`${site.served.url}/events/mailbox`);
  await page.waitForSelector("main .hero .run-strip");
  const before = await tabs();
  letGo();
  await page.waitForSelector(".runs li");
  await page.waitForSelector(".upcoming li");
  expect(await tabs()).toBe(before);
  expect(faults).toEqual([]);
});

inBrowser("sections below the running jobs appear only once the running jobs are known", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const letGo = await hold(page, /get_active_jobs/);
  const isShown = () => page.$eval("main tbody tr a", (one) => one.checkVisibility({ visibilityProperty: true }));
  await page.goto(`${site.served.url}/jobs`);
  await page.waitForSelector("main tbody tr a");
  expect(await isShown()).toBe(false);
  letGo();
  await page.waitForFunction(`document.querySelectorAll("main .panel tbody").length === 2`);
  await expect.poll(isShown).toBe(true);
  expect(faults).toEqual([]);
});
