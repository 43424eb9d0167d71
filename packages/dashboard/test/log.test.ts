import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { pressOn } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";
import type { Store } from "./fixture/store.ts";

const LINES = 100_000;
const CPU_SLOWDOWN = 4;

/** A finished job, and one that still writes. */
let ended = "";
let live = "";

function jobOf(store: Store, id: string) {
  const found = store.servers.flatMap(({ jobs }) => jobs).find((job) => job.id === id);
  if (!found) throw new Error(`No machine has the job ${id}`);
  return found;
}

const lineOf = (at: number): string => {
  if (at === 51_234) return "\x1b[31mERROR\x1b[0m: the needle is here";
  if (at % 1000 === 500) return `WARN row ${at} is slow`;
  return at % 10 === 0
    ? `info \x1b[32mrow ${at}\x1b[0m was taken over in ${at % 40} ms`
    : `info row ${at} was taken over`;
};

async function prepare(store: Store): Promise<void> {
  const start = async (): Promise<string> => {
    const { id } = await store.box.api.runEvent({ id: "index" });
    for (let at = 0; at < 3; at += 1) await store.second();
    return id;
  };
  live = await start();
  ended = await start();
  jobOf(store, ended).log(Array.from({ length: LINES - 600 }, (_, at) => `${lineOf(at + 600)}\n`).join(""));
  jobOf(store, ended).finish({ code: 1, description: "One row is wrong" });
  for (let at = 0; at < 3; at += 1) await store.second();
}

const { browser, site, inBrowser } = await openPages("Logs", { prepare });

/** Longest task since the last reset, as the browser measures it. */
const WATCH = `globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
}).observe({ type: "longtask", buffered: true });`;

async function measured(page: Page, deed: () => Promise<unknown>): Promise<{ script: number; longest: number }> {
  await page.evaluate("globalThis.longest = 0");
  const before = await page.metrics();
  await deed();
  const after = await page.metrics();
  const longest = Number(await page.evaluate("Math.round(globalThis.longest)"));
  return { script: Math.round(((after.ScriptDuration ?? 0) - (before.ScriptDuration ?? 0)) * 1000), longest };
}

const hasText = (page: Page, selector: string, text: string) =>
  page
    .waitForFunction(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
    )
    .catch(async (error: Error) => {
      const shown = await page.evaluate(`document.querySelector(".log")?.innerText.slice(-300)`);
      throw new Error(`There is no ${text} in ${selector}: ${error.message}; shown is ${shown}`);
    });

inBrowser("100,000 lines are loaded, scrolled and searched while the page holds one screenful", async () => {
  const { page, faults } = await newPage(browser);
  await page.evaluateOnNewDocument(WATCH);
  await enter(page, site.served.url);
  await page.emulateCPUThrottling(CPU_SLOWDOWN);
  const reading = await measured(page, async () => {
    await page.goto(`${site.served.url}/jobs/${ended}`);
    await hasText(page, ".logfoot", `${LINES.toLocaleString("en")} lines`);
  });
  // The log of a failed job opens at its first error.
  await hasText(page, ".ln.err", "the needle is here");
  const walking = await measured(page, () =>
    page.evaluate(async () => {
      const view = document.querySelector(".view") as HTMLElement;
      for (let at = 0; at <= 60; at += 1) {
        view.scrollTop = (view.scrollHeight / 60) * at;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }),
  );
  await hasText(page, ".lines", `row ${LINES - 1} was`);
  const finding = await measured(page, async () => {
    await page.type(".logfind input", "/row \\d+500 is/");
    await hasText(page, ".logfind [role=status]", "of 99");
  });
  await page.keyboard.press("Enter");
  await hasText(page, "mark", "500 is");
  const drawn = Number(await page.evaluate(`document.querySelectorAll(".view *").length`));
  console.info(`log of ${LINES} lines at ${CPU_SLOWDOWN}x: ${JSON.stringify({ reading, walking, finding, drawn })}`);
  expect(drawn).toBeLessThan(1000);
  expect(faults).toEqual([]);
});

inBrowser("a line has an address, lines wrap, and the log fills the window", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/jobs/${ended}?wrap=1#L70001-L70002`);
  await hasText(page, ".ln.picked", "row 70000");
  await hasText(page, ".ln.picked", "row 70001");
  await page.focus(".view");
  await page.keyboard.press("w");
  await page.waitForFunction(`!location.search.includes("wrap")`);
  await pressOn(page, ".log button[aria-label='Full window']");
  await page.waitForSelector(".log.full");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".log:not(.full)");
  expect(faults).toEqual([]);
});

inBrowser("the end of a live log is followed until the user scrolls up", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/jobs/${live}`);
  await page.waitForSelector(".lines");
  // Browsers report a scroll by the page itself with a delay; by then, lines may have come that are not drawn yet.
  await page.evaluate(() => {
    const view = document.querySelector(".view");
    const soon = requestAnimationFrame;
    globalThis.requestAnimationFrame = (draw) => Number(setTimeout(() => soon(draw), 60));
    setInterval(() => view?.dispatchEvent(new Event("scroll")), 5);
  });
  jobOf(site.store, live).log("one\ntwo\nthree\nfour\nthe first new line\n");
  await hasText(page, ".lines", "the first new line");
  await page.evaluate(`document.querySelector(".view").scrollTop = 0`);
  await hasText(page, ".logfoot", "Paused here");
  jobOf(site.store, live).log("the second new line\n");
  await hasText(page, ".logfoot", "606 lines");
  expect(await page.evaluate(`document.querySelector(".view").scrollTop`)).toBe(0);
  await page.focus(".view");
  await page.keyboard.press("f");
  await hasText(page, ".lines", "the second new line");
  expect(faults).toEqual([]);
});

inBrowser("keys step through errors and warnings, and put a line's link into the address", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/jobs/${ended}`);
  await hasText(page, ".logfoot", `${LINES.toLocaleString("en")} lines`);
  // Key handlers are registered a moment after the page shows, and pressing this key again does no harm.
  const end = async () => {
    await page.keyboard.press("G");
    return page.$eval(".lines", (one) => one.textContent);
  };
  await expect.poll(end).toContain(`row ${LINES - 1} was`);
  await page.keyboard.press("E");
  await hasText(page, ".lines", "WARN row 99500");
  await page.keyboard.press("l");
  await page.waitForFunction(`location.hash === "#L99501"`);
  await page.keyboard.press("E");
  await hasText(page, ".lines", "WARN row 98500");
  await page.keyboard.press("L");
  await page.waitForFunction(`location.hash === "#L99501-L98501"`);
  await page.keyboard.press("e");
  await hasText(page, ".lines", "WARN row 99500");
});
