import type { ElementHandle, Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("What people enter", { base: "/ops" });

const open = async (path: string) => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(site.served.url + path);
  return { page, faults };
};
const isAt = (page: Page, path: string) => page.waitForFunction((wanted) => location.pathname === wanted, {}, path);
const entered = async (page: Page, label: string): Promise<string> =>
  (await field(page, label)).evaluate((one) => (one as HTMLInputElement).value);

inBrowser("the button of the browser that leads back asks before entries are lost", async () => {
  const { page, faults } = await open("/tags");
  await press(page, "Create tag");
  await isAt(page, "/ops/tags/new");
  await fill(page, "Title", "Not saved yet");
  await page.evaluate("history.back()");
  await page.waitForSelector("dialog[open]");
  await press(page, "Cancel");
  await page.waitForFunction(`!document.querySelector("dialog[open]")`);
  expect([await page.evaluate("location.pathname"), await entered(page, "Title")]).toEqual([
    "/ops/tags/new",
    "Not saved yet",
  ]);
  await page.evaluate("history.back()");
  await pressOn(page, "dialog[open] footer .danger");
  await isAt(page, "/ops/tags");
  expect(faults).toEqual([]);
});

inBrowser("a tab is closed or loaded anew only after a question while entries would be lost", async () => {
  const { page, faults } = await open("/tags/new");
  const isAsked = (): Promise<unknown> =>
    page.evaluate(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`);
  await field(page, "Title");
  expect(await isAsked()).toBe(false);
  await fill(page, "Title", "Soon saved");
  await fill(page, "Id", "soon");
  await expect.poll(isAsked).toBe(true);
  await press(page, "Create tag");
  await isAt(page, "/ops/tags/soon");
  await expect.poll(isAsked).toBe(false);
  expect(faults).toEqual([]);
});

inBrowser("data of a bucket that a job has written meanwhile are replaced only by one who knows it", async () => {
  const { page } = await open("/buckets/rates");
  const { api } = site.store.box;
  const area = (await page.waitForSelector("textarea.mono")) as ElementHandle<HTMLTextAreaElement>;
  await area.evaluate((one) => one.select());
  await area.type('{ "EUR": 2 }');
  expect(await page.evaluate(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)).toBe(true);
  await api.writeBucketData({ id: "rates", data: { NOK: 11 } });
  const stored = async () => (await api.getBucket({ id: "rates" })).data;
  await press(page, "Save");
  await says(page, "The data were changed meanwhile.");
  expect(await stored()).toMatchObject({ EUR: 1, NOK: 11 });
  await press(page, "Save");
  await expect.poll(stored).toEqual({ EUR: 2 });
});

inBrowser("several names that are entered at once are all taken", async () => {
  const { page, faults } = await open("/channels/new");
  await fill(page, "Title", "Both");
  await (await field(page, "People")).type("mara, jonas");
  await page.keyboard.press("Enter");
  await press(page, "Create channel");
  await says(page, "Used by");
  const made = (await site.store.box.api.getChannels({})).rows.find(({ title }) => title === "Both");
  expect(made?.users).toEqual(["mara", "jonas"]);
  expect(faults).toEqual([]);
});

inBrowser("a description that somebody else has saved meanwhile is not written over", async () => {
  const { page } = await open("/tickets/1");
  const { ticket } = await site.store.box.api.getTicket({ num: 1 });
  const description = async () => (await site.store.box.api.getTicket({ num: 1 })).ticket.body;
  await pressOn(page, ".panel button", "Edit");
  await (await field(page, "Description")).type("mine");
  await site.store.box.api.updateTicket({ id: ticket.id, status: "on_hold" });
  await says(page, "On hold");
  await site.store.box.api.updateTicket({ id: ticket.id, subject: "Named by another", body: "Theirs" });
  await page.waitForFunction(`document.querySelector("h1").textContent === "Named by another"`);
  await press(page, "Save");
  await page.waitForSelector(".toast .t-crit");
  expect(await description()).toBe("Theirs");
  expect(await entered(page, "Description")).toContain("mine");
});

inBrowser("the undo of a search that was kept leaves those that were kept after it", async () => {
  const { page, faults } = await open("/jobs?q=first");
  const names = () => page.$$eval(".saved a", (links) => links.map(({ textContent }) => textContent.trim()));
  const keep = async (name: string): Promise<void> => {
    await press(page, "Save search");
    await (await field(page, "Name")).type(name);
    await press(page, "Save");
    await page.waitForFunction((kept) => document.querySelector(".saved")?.textContent.includes(kept), {}, name);
  };
  await keep("First");
  await page.evaluate(`history.pushState(null, "", "?q=second"); dispatchEvent(new PopStateEvent("popstate"))`);
  await keep("Second");
  await pressOn(page, ".toast:first-child button", "Undo");
  await page.waitForFunction(`!document.querySelector(".saved")?.textContent.includes("First")`);
  expect(await names()).toEqual(["Second"]);
  expect(faults).toEqual([]);
});
