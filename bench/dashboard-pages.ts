import type { WatchedPage } from "../packages/dashboard/test/fixture/browser.ts";

export type Page = WatchedPage["page"];
type Session = Awaited<ReturnType<Page["createCDPSession"]>>;

/** Longest wait for a page, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Script that records in each page the tasks over 50 ms and when a wanted element was presented, as reported by the browser for a
 * marker. The marker is added beside the element in the same turn, so that both are in the same frame: a later marker would give
 * the time of the next frame.
 */
const WATCH = `
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
}).observe({ type: "longtask", buffered: true });
globalThis.paintedAt = () => new Promise((resolve) => {
  const sign = document.createElement("span");
  sign.textContent = "there";
  sign.setAttribute("elementtiming", "there");
  Object.assign(sign.style, { position: "fixed", top: 0 });
  new PerformanceObserver((list) => resolve(list.getEntries()[0].renderTime)).observe({ type: "element" });
  document.body.append(sign);
});
globalThis.whenThere = (isThere) => new Promise((resolve) => {
  const changes = new MutationObserver(() => {
    if (!isThere()) return;
    changes.disconnect();
    paintedAt().then(resolve);
  });
  changes.observe(document, { childList: true, characterData: true, subtree: true });
  setTimeout(resolve, ${PATIENCE_MS}, NaN);
});`;

export const watch = (page: Page) => page.evaluateOnNewDocument(WATCH);

/**
 * Opens a page; resolves to the milliseconds from the navigation until something was there. The page itself records the time: a
 * question from here would be answered late, after the last frame and script.
 */
async function arrival(page: Page, url: string, isThere: string): Promise<number> {
  const { identifier } = await page.evaluateOnNewDocument(`globalThis.arrived = whenThere(() => ${isThere});`);
  await page.goto(url, { waitUntil: "domcontentloaded" });
  const at = Number(await page.evaluate("arrived"));
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  if (Number.isNaN(at)) throw new Error(`${url}: nothing where ${isThere}`);
  return at;
}

/** Loads the overview with an empty cache until its answer and the table of running jobs are there. */
export async function firstPage(page: Page, url: string): Promise<number> {
  await page.setCacheEnabled(false);
  const sentence = `/need|nothing/i.test(document.querySelector("main h1")?.textContent ?? "")`;
  return arrival(page, `${url}/`, `${sentence} && document.querySelector(".g-run tbody tr") !== null`);
}

/** Longest task in milliseconds while a log grows; 0 when none was over 50. */
export async function longestTask(page: Page, during: () => Promise<unknown>): Promise<number> {
  await page.evaluate("globalThis.longTasks = []");
  await during();
  return Number(await page.evaluate("Math.max(0, ...globalThis.longTasks)"));
}

export interface Drawn {
  /** Milliseconds from requesting the points until all charts are painted. */
  readonly fromAsking: number;
  /** Milliseconds from the end of the server's answer. */
  readonly fromAnswer: number;
}

interface Past {
  readonly from?: number;
  readonly to?: number;
  /** Height of the window in pixels. */
  readonly height: number;
}

/** Server whose hours are filled in: random ones, with which no disk fills up soon, as the large store shows one of `db_1`. */
export const CHARTED = "db_2";

const pathOf = ({ from = 0, to = 0 }: Past): string => `/servers/${CHARTED}?from=${from}&to=${to}`;
/** True once the first charts of the page are drawn; without a number, all of them. */
const drawn = (count = 0): string => `((charts) => charts.length > 0 && charts.length >= ${count} &&
  charts.slice(0, ${count || undefined}).every((chart) => chart.querySelector(".plot svg") !== null)
)([...document.querySelectorAll(".chart")])`;

/** Number of charts that begin within a window of this height. */
export async function chartsInWindow(page: Page, url: string, past: Past): Promise<number> {
  await page.setViewport({ width: 1280, height: past.height });
  await arrival(page, url + pathOf(past), drawn());
  return Number(
    await page.evaluate(`[...document.querySelectorAll(".chart")]
      .filter((chart) => chart.getBoundingClientRect().top < innerHeight).length`),
  );
}

/** Opens the page of a server with the charts of a time range, and waits for the charts that the window shows. */
export async function charts(page: Page, url: string, past: Past & { readonly count: number }): Promise<Drawn> {
  const at = await arrival(page, url + pathOf(past), drawn(past.count));
  const [asked, answered] = (await page.evaluate(`performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes("get_historical_monitor_data"))
    .map(({ startTime, responseEnd }) => [startTime, responseEnd])[0]`)) as [number, number];
  return { fromAsking: at - asked, fromAnswer: at - answered };
}

/** Milliseconds of script per second on an idle page. */
export async function scriptASecond(page: Page, seconds: number): Promise<number> {
  const before = await page.metrics();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const after = await page.metrics();
  return (((after.ScriptDuration ?? 0) - (before.ScriptDuration ?? 0)) * 1000) / seconds;
}

export interface Opened {
  readonly name: string;
  readonly ms: number;
  readonly elements: number;
}

/** Opens a page: measures the milliseconds until its main content is there, and counts its elements then. */
export async function open(page: Page, url: string, { name, path, ready }: PageToOpen): Promise<Opened> {
  const ms = await arrival(page, url + path, `document.querySelector(${JSON.stringify(ready)}) !== null`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { name, ms, elements: Number(await page.evaluate(`document.querySelectorAll("*").length`)) };
}

interface PageToOpen {
  readonly name: string;
  readonly path: string;
  readonly ready: string;
}

/** Bytes of the heap in use after a garbage collection. */
export async function heap(session: Session): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}
