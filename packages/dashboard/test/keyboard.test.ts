import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { openSite } from "./fixture/site.ts";

const { site, inBrowser } = await openSite("Pages by keyboard alone", {
  begin: (page) => page.setViewport({ width: 1280, height: 900 }),
});

/** Opens a page with the pointer on nothing, and moves the focus where Tab would bring it. */
async function at(path: string, selector: string): Promise<Page> {
  const { page } = site.watched;
  await page.goto(`${site.served.url}${path}`);
  // A section that still waits for another one is hidden, and hidden elements take no focus.
  const isFocused = (wanted: string): boolean => {
    document.querySelector<HTMLElement>(wanted)?.focus();
    return document.activeElement?.matches(wanted) ?? false;
  };
  await page.waitForFunction(isFocused, {}, selector);
  // Key handlers are registered after the first paint.
  const picture = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await page.evaluate(picture);
  return page;
}

/** Waits until the focus is on an element that matches the selector. */
const isOn = (page: Page, selector: string) =>
  page.waitForFunction((wanted: string) => document.activeElement?.matches(wanted), {}, selector);

inBrowser("Enter on a link opens the page and moves the focus there", async () => {
  const page = await at("/events", 'main a[href$="/events/mailbox"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".runs li");
  await isOn(page, "main#main");
  await page.focus('nav.side a[href$="/jobs"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".panel tbody tr");
  await isOn(page, "main#main");
});

inBrowser("an alert opens beside its list, which keeps the focus; Escape returns to the list", async () => {
  const page = await at("/alerts", ".rows li a");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".split.open .plot");
  await isOn(page, ".rows li[aria-current] a");
  await page.focus(".split > :last-child button");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".split.lone");
  await isOn(page, ".rows li a");
});

inBrowser("a button that waits for its answer keeps the focus", async () => {
  const page = await at("/alerts", ".rows .acts button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".toast");
  await isOn(page, ".rows .acts button");
});

inBrowser("a removed row passes the focus to its neighbour", async () => {
  const page = await at("/jobs?q=tags%3A_error+event%3Astatements", ".filters .chip");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".filters .chip").length === 1);
  await isOn(page, ".filters .chip");
  await page.keyboard.press("Enter");
  await isOn(page, "input.query");
});

inBrowser("Escape closes a menu and nothing behind it; Tab leaves it closed", async () => {
  const page = await at("/alerts", ".rows li a");
  await page.keyboard.press("Enter");
  const menu = ".split > :last-child [aria-haspopup=menu]";
  await page.waitForSelector(menu);
  await page.focus(menu);
  await page.keyboard.press("Enter");
  await isOn(page, ".menu:popover-open button");
  await page.keyboard.press("Escape");
  await isOn(page, menu);
  expect(await page.$(".split.open")).not.toBeNull();
  await page.keyboard.press("Enter");
  await isOn(page, ".menu:popover-open button");
  await page.keyboard.press("End");
  await isOn(page, ".menu:popover-open button:last-child");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => !document.querySelector(":popover-open"));
});

inBrowser("a select that acts at once is browsed with arrows and applied with Enter", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/secrets/bank`);
  await page.waitForFunction(() => [...document.querySelectorAll(".picks")].at(-1)?.querySelector("option + option"));
  const [select] = (await page.$$(".picks")).slice(-1);
  const list = await select?.$("select");
  await list?.focus();
  const wanted = await list?.evaluate((one) => (one as HTMLSelectElement).options[1]?.text);
  await page.keyboard.press("ArrowDown");
  // The list is a separate window, which takes no keys before it is open.
  await page.waitForSelector(".picks select:open");
  await page.keyboard.press("ArrowDown");
  expect(await select?.$$(".chip")).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (text: string) => [...document.querySelectorAll(".picks .chip")].some((one) => one.textContent.trim() === text),
    {},
    wanted ?? "",
  );
  expect(await select?.$$(".chip")).toHaveLength(1);
});

inBrowser("a chart is zoomed with keys, and Escape undoes one step at a time", async () => {
  const page = await at("/servers/db_1", ".plot");
  await page.waitForSelector(".plot svg");
  await page.keyboard.press("End");
  await page.keyboard.down("Shift");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("PageUp");
  await page.keyboard.up("Shift");
  await page.waitForSelector(".plot .chosen");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".plot :is(.chosen, .pointed)"));
  await page.keyboard.press("Home");
  await page.keyboard.down("Shift");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("PageDown");
  await page.keyboard.up("Shift");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /[?&]from=\d+&to=\d+/.test(location.search));
});

inBrowser("a ticket is moved on the board with its focus, and the undo key moves it back", async () => {
  const page = await at("/tickets?view=board", ".board section:first-child li:first-child [aria-haspopup]");
  const card = await page.$eval(".board li", (one) => one.id);
  const columnOf = () => page.$eval(`#${card}`, (one) => one.closest("section")?.getAttribute("aria-label"));
  expect(await columnOf()).toBe("Open");
  await page.keyboard.press("Enter");
  await isOn(page, ".menu:popover-open button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".toast");
  await expect.poll(columnOf).toBe("In progress");
  await isOn(page, `#${card} [aria-haspopup]`);
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await expect
    .poll(async () => (await site.store.box.api.getTicket({ id: card.slice("card-".length) })).ticket.status)
    .toBe("open");
});

inBrowser("j and k move in every list, and x selects", async () => {
  const page = await at("/tickets", "main tbody a");
  await page.keyboard.press("j");
  await isOn(page, "tbody tr:nth-child(2) a");
  await page.keyboard.press("x");
  await page.waitForSelector("tbody tr:nth-child(2) input:checked");
  await page.keyboard.press("k");
  await isOn(page, "tbody tr:nth-child(1) a");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("j");
  await isOn(page, "tbody tr:nth-child(1) a");
});

inBrowser("a graph is wired and arranged with keys, and the focused node is visible", async () => {
  const page = await at("/workflows/closing/edit?node=invoices", "[data-node=start]");
  const seen = (node: string) =>
    page.waitForFunction(
      (id: string) => {
        const box = document.querySelector(`[data-node="${id}"]`)?.getBoundingClientRect();
        const view = document.querySelector(".canvas")?.getBoundingClientRect();
        return box && view && box.left >= view.left && box.right <= view.right;
      },
      {},
      node,
    );
  await page.keyboard.press("ArrowRight");
  const [first] = await page.$$eval("[data-node]", (all) =>
    all.filter((one) => one === document.activeElement).map((one) => one.getAttribute("data-node") ?? ""),
  );
  await seen(first ?? "");
  const left = () => page.$eval(`[data-node="${first}"]`, (one) => Math.round(one.getBoundingClientRect().left));
  const before = await left();
  await page.keyboard.down("Shift");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.up("Shift");
  await expect.poll(left).toBeGreaterThan(before);
  const wires = await page.$$eval(".wire", (all) => all.length);
  await page.keyboard.press("c");
  await page.focus("[data-node=start]");
  await page.keyboard.press("Enter");
  await page.waitForFunction((count: number) => document.querySelectorAll(".wire").length > count, {}, wires);
});

inBrowser("a wire is removed with keys, and restored from the menu that has the focus then", async () => {
  const remove = '.wireline button[aria-label="Delete wire to Hourly usage roll-up"]';
  const page = await at("/workflows/closing/edit?node=invoices", remove);
  const count = (many: number) => page.waitForFunction(`document.querySelectorAll(".wireline").length === ${many}`);
  await page.keyboard.press("Enter");
  await count(2);
  await page.waitForFunction(`document.activeElement.matches("select")`);
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await count(3);
});

inBrowser("arrows move the view of a graph while no node has the focus", async () => {
  const page = await at("/workflows/closing", "[data-node=start]");
  const left = () => page.$eval("[data-node=start]", (one) => Math.round(one.getBoundingClientRect().left));
  const before = await left();
  await page.focus(".canvas");
  await page.keyboard.press("ArrowRight");
  await expect.poll(left).toBeLessThan(before);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(left).toBe(before);
});

inBrowser("a filter term becomes one chip and leaves the box", async () => {
  const page = await at("/jobs", "main tbody a");
  await page.type("[data-filter]", "event:mailbox disk");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".chip");
  const typed = () => page.$eval("[data-filter]", (one) => (one as HTMLInputElement).value);
  await expect.poll(typed).toBe("disk");
  await page.keyboard.press("Enter");
  await page.waitForFunction(`new URLSearchParams(location.search).get("q") === "event:mailbox disk"`);
  expect(await page.$$eval(".chip, .filters .wrong", (all) => all.length)).toBe(1);
  await page.type("[data-filter]", " evnt:mailbox");
  await page.keyboard.press("Enter");
  const why = await page.waitForSelector(".filters .wrong");
  expect(await why?.evaluate((one) => one.textContent)).toMatch(/^This list has no field “evnt”. It has event, .+\.$/);
  expect(await page.$eval("[data-filter]", (one) => one.getAttribute("aria-describedby"))).toBe(
    await why?.evaluate((one) => one.id),
  );
});

inBrowser("a page's own keys take precedence over global keys, also on the first page", async () => {
  const page = await at("/alerts", ".rows li a");
  await page.keyboard.press("j");
  await page.waitForSelector(".split.open");
});

inBrowser("single keys do nothing once they are switched off, and chords still work", async () => {
  const page = await at("/me", "main .check input");
  await page.$eval("main .check input", (one) => (one as HTMLInputElement).click());
  await page.goto(`${site.served.url}/alerts`);
  await page.waitForSelector(".rows li a");
  await page.keyboard.press("j");
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForSelector("dialog[open]");
  expect(await page.$(".split.open")).toBeNull();
  await page.evaluate(() => localStorage.removeItem("signalbox.keys"));
});

inBrowser("a list loads more rows while the focus stays in it", async () => {
  const page = await at("/activity", "main .tail button");
  const count = () => page.$$eval("main tbody tr", (rows) => rows.length);
  const before = await count();
  await page.keyboard.press("Enter");
  await expect.poll(count).toBeGreaterThan(before);
  await isOn(page, "main .tail button");
});

inBrowser("an alert is silenced from the overview, also after the page's clock has advanced", async () => {
  const page = await at("/", ".g-need [aria-haspopup=menu]");
  const running = () => page.$eval(".g-run tbody", (one) => one.textContent);
  const before = await running();
  await expect.poll(running).not.toBe(before);
  await page.keyboard.press("Enter");
  await isOn(page, ".menu:popover-open button");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".toast");
  expect(site.watched.faults).toEqual([]);
});
