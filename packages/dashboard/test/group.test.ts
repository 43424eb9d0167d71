import { expect } from "vitest";
import { secondOf } from "./fixture/company/machines.ts";
import { press, pressOn, says } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";

/**
 * Lets only the first request for readings through and answers later ones with none, so that all others come over the channel.
 * Counts the channel's messages in `told`.
 */
const ASKED_ONCE = `
globalThis.told = 0;
const { parse } = JSON;
JSON.parse = (text, ...more) => {
  if (text.includes("quickmon_columns")) told += 1;
  return parse(text, ...more);
};
const ask = fetch;
let asked = 0;
globalThis.fetch = (url, init) => {
  if (!String(url).includes("get_quickmon_data") || asked++ === 0) return ask(url, init);
  return Promise.resolve(Response.json({ servers: {}, columns: { servers: [], monitors: {} } }));
};`;

const { site, inBrowser } = await openSite("The pages", {
  begin: (page) => page.evaluateOnNewDocument(ASKED_ONCE),
});

/** Records changes inside the cells of a group: the cell's text, the text before and after, and how far the page was scrolled. */
const NOTE_CHANGES = `
globalThis.changes = [];
new MutationObserver((list) => {
  for (const { target, attributeName, oldValue } of list) {
    const cell = (target.data === undefined ? target : target.parentElement).closest(".cells > li")?.textContent;
    changes.push([cell, oldValue, attributeName ? target.getAttribute(attributeName) : target.data, scrollY]);
  }
}).observe(document.querySelector(".cells"), {
  subtree: true, childList: true,
  attributes: true, attributeOldValue: true, characterData: true, characterDataOldValue: true,
});`;

type Change = readonly [cell: string | null, before: string | null, now: string | null, scrolled: number];

/** Opens the group of all servers, and waits for their readings. */
async function openGroup(height: number): Promise<void> {
  const { page } = site.watched;
  await page.setViewport({ width: 1280, height });
  await page.goto(`${site.served.url}/groups/main`);
  await page.waitForFunction(`/\\d %/.test(document.querySelector(".cells li:last-of-type b")?.textContent)`);
  await page.evaluate(NOTE_CHANGES);
}

/** Reports this load of web-1 over the channel. */
async function tellBusy(cpu: number): Promise<void> {
  site.store.servers[0]?.send("quickmon", secondOf({ id: "web_1", cpu, memory: 0.5, disk: 0.4 }, 0, 0));
  await site.store.box.advanceBy({ seconds: 2 });
}

/** Reports the load until the condition holds, because the page may not follow its readings yet. */
async function until(cpu: number, condition: string): Promise<readonly Change[]> {
  const { page } = site.watched;
  await expect
    .poll(async () => {
      await tellBusy(cpu);
      return page.evaluate(condition);
    })
    .toBe(true);
  return (await page.evaluate("changes")) as Change[];
}

inBrowser("live readings of a group update only the cells whose text changes", async () => {
  await openGroup(900);
  const changes = await until(0.99, "changes.length > 0");
  expect(new Set(changes.map(([cell]) => cell?.startsWith("web-1")))).toEqual(new Set([true]));
  expect(changes.filter(([, before, now]) => before === now)).toEqual([]);
  expect(site.watched.faults).toEqual([]);
});

inBrowser("cells outside the window are written when they scroll into it, with their newest readings", async () => {
  const { page, faults } = site.watched;
  await openGroup(120);
  await until(0.11, "told > 0");
  await page.evaluate(`document.querySelector(".cells").scrollIntoView({ block: "center" })`);
  await page.waitForFunction(
    `[...document.querySelectorAll(".cells li")].some((cell) => /^web-1.*11 %$/.test(cell.textContent))`,
  );
  const changes = (await page.evaluate("changes")) as Change[];
  expect(changes.filter(([, , , scrolled]) => scrolled === 0)).toEqual([]);
  expect(faults).toEqual([]);
});

inBrowser("typing a time moves the charts to the hour around it", async () => {
  const { page, faults } = site.watched;
  await openGroup(900);
  await page.type("input[type=datetime-local]", "11182026");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("0105PM");
  await page.waitForFunction(`/from=/.test(location.search)`);
  const [from = 0, to = 0] =
    page
      .url()
      .match(/\d{10}/g)
      ?.map(Number) ?? [];
  expect(to - from).toBe(3600);
  expect(await page.$eval("input[type=datetime-local]", (input) => (input as HTMLInputElement).value)).toBe(
    "2026-11-18T13:05",
  );
  expect(faults).toEqual([]);
});

inBrowser("a group shows until when it is watched, also after a reload and when another user ends it", async () => {
  const { page, faults } = site.watched;
  const { box } = site.store;
  const watch = async (duration: number): Promise<void> => {
    await box.api.watchGroup({ id: "main", duration });
    await box.advanceBy({ seconds: 2 });
  };
  await openGroup(900);
  await press(page, "Watch for an hour");
  await says(page, "A snapshot each minute until");
  await openGroup(900);
  await says(page, "A snapshot each minute until");
  await press(page, "End the watch");
  await says(page, "Main Group is no longer watched.");
  await watch(600);
  await says(page, "A snapshot each minute until");
  await watch(0);
  await pressOn(page, ".head button", "Watch for an hour");
  await says(page, "is taken each minute for an hour");
  await pressOn(page, ".toast button", "Undo");
  await pressOn(page, ".head button", "Watch for an hour");
  expect(faults).toEqual([]);
});
