import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { newPage, openBrowser, signIn } from "../packages/dashboard/test/fixture/browser.ts";
import * as measure from "./dashboard-pages.ts";
import type { SiteAnswer, SiteOrder } from "./dashboard-site.ts";
import { median, type Row } from "./report.ts";

const SLOWDOWN = 4;
const SERVERS = 500;
const AUDIENCE = 200;
const IDLE_SEC = 20;
const LIVE_MINUTES = 30;
/** Real milliseconds per second of the engine's clock while half an hour passes. */
const HURRY_MS = 20;
/** Longest wait for an order: on an idle machine half an hour passes in four minutes. */
const ORDER_MS = 30 * 60_000;
const LINES = { perSecond: 5000, seconds: 10 } as const;
const FIRST_PAGES = 7;
const CHART_PAGES = 7;
const POINTS = 1440;
const WINDOW = { width: 1280, height: 900 };
/** Window heights in pixels. */
const CHART_WINDOWS = { "of a window with all": 3200, "of a window": WINDOW.height };
const LARGE = { jobs: 10_000, tickets: 10_000 } as const;

type Tell = (order: SiteOrder) => Promise<SiteAnswer>;

async function startSite(stack: AsyncDisposableStack): Promise<Tell> {
  const child = fork(new URL("./dashboard-site.ts", import.meta.url));
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`The site ended with ${code}`)));
  // The next order reports it.
  ended.catch(() => undefined);
  stack.defer(() => void (child.connected && child.disconnect()));
  await Promise.race([once(child, "message"), ended]);
  return async (order) => {
    const told = once(child, "message", { signal: AbortSignal.timeout(ORDER_MS) });
    child.send(order);
    return ((await Promise.race([told, ended])) as [SiteAnswer])[0];
  };
}

/** A figure and the most that is allowed: the ratio shows how much room is left. */
const within = (name: string, value: number, unit: string, most: number): Row => ({
  ...{ name, value, unit, floor: 1, ratio: most / Math.max(value, most / 1000) },
});

/** Opens the live channel for each viewer, and reads all messages. */
async function audience(stack: AsyncDisposableStack, url: string, key: string): Promise<void> {
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const asked = get(`${url}/api/app/stream_updates/v1`, { headers: { "X-API-Key": key }, agent: false }, (got) => {
        got.resume();
        got.on("error", () => undefined);
        if (got.statusCode === 200) resolve();
        else reject(new Error(`The channel answered ${got.statusCode}`));
      });
      asked.on("error", reject);
      stack.defer(() => void asked.destroy());
    });
  for (let at = 0; at < AUDIENCE; at += 1) await open();
}

async function server(tell: Tell, url: string, key: string): Promise<Row[]> {
  const alone = (await tell({ what: "idle", seconds: IDLE_SEC })).cpuMs ?? 0;
  await using stack = new AsyncDisposableStack();
  await audience(stack, url, key);
  const watched = (await tell({ what: "idle", seconds: IDLE_SEC })).cpuMs ?? 0;
  const { most = 0 } = await tell({ what: "change" });
  const share = ((watched - alone) / (IDLE_SEC * 1000)) * 100;
  return [
    within(`server: ${AUDIENCE} open dashboards, idle`, Math.max(0, share), "% of a core", 5),
    within("server: renderings of one change for all of them", most, "texts", 1),
  ];
}

/** Measures the pages in one browser whose processor is throttled. */
async function pages(tell: Tell, { url = "" }: SiteAnswer, only: RegExp): Promise<Row[]> {
  const browser = await openBrowser();
  if (typeof browser === "string") throw new Error(browser);
  const rows: Row[] = [];
  const part = async (name: string, run: () => Promise<Row | Row[]>): Promise<void> => {
    if (only.test(name)) rows.push(...[await run()].flat());
  };
  try {
    const { page, faults } = await newPage(browser);
    // Pages of tests stand still; most people's do not.
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "no-preference" }]);
    await measure.watch(page);
    await signIn(page, url);
    await page.emulateCPUThrottling(SLOWDOWN);
    await part("first page", async () => {
      const times: number[] = [];
      for (let at = 0; at < FIRST_PAGES; at += 1) times.push(await measure.firstPage(page, url));
      await page.setCacheEnabled(true);
      return within("first page: interactive", median(times), "ms", 600);
    });
    await part("charts", async () => {
      const past = await tell({ what: "hours", server: measure.CHARTED, count: POINTS });
      const rows: Row[] = [];
      for (const [where, height] of Object.entries(CHART_WINDOWS)) {
        const drawn: measure.Drawn[] = [];
        const count = await measure.chartsInWindow(page, url, { ...past, height });
        for (let at = 0; at < CHART_PAGES; at += 1)
          drawn.push(await measure.charts(page, url, { ...past, height, count }));
        const name = `charts: ${past.monitors} monitors of ${POINTS} points, the ${count} charts ${where}`;
        rows.push(
          within(`${name}, asked for and drawn`, median(drawn.map(({ fromAsking }) => fromAsking)), "ms", 150),
          within("the same from the end of the answer", median(drawn.map((one) => one.fromAnswer)), "ms", 150),
        );
      }
      await page.setViewport(WINDOW);
      return rows;
    });
    await part("grid", async () => {
      await page.setViewport(WINDOW);
      await page.goto(`${url}/groups/fleet`);
      await page.waitForFunction(`document.querySelectorAll(".cells li").length >= ${SERVERS}`);
      await pause(8000);
      return within(`grid: ${SERVERS} servers, script`, await measure.scriptASecond(page, 20), "ms a second", 8);
    });
    await part("log", async () => {
      const { job = "" } = await tell({ what: "job" });
      await page.goto(`${url}/jobs/${job}`);
      await page.waitForSelector(".lines");
      await pause(4000);
      const longest = await measure.longestTask(page, () => tell({ what: "lines", ...LINES }));
      return within("log: longest task over 50 ms at 5,000 lines a second", longest, "ms", 50);
    });
    // Before the half hour, in which no machine reports a minute: without recent ones, no disk has a forecast.
    if (only.test("large")) rows.push(...(await large(tell, page, url)));
    await part("memory", async () => {
      await page.emulateCPUThrottling(null);
      await page.goto(`${url}/`);
      await pause(5000);
      const session = await page.createCDPSession();
      await tell({ what: "run", seconds: 300, restMs: HURRY_MS });
      const early = await measure.heap(session);
      await tell({ what: "run", seconds: LIVE_MINUTES * 60, restMs: HURRY_MS });
      const late = await measure.heap(session);
      return within(`memory: growth in ${LIVE_MINUTES} minutes of updates`, (late - early) / 1e6, "MB", 1);
    });
    for (const fault of new Set(faults)) console.error(fault);
    return rows;
  } finally {
    await browser.close();
  }
}

/** Measures each page once over a large store, without throttling. */
async function large(tell: Tell, page: measure.Page, url: string): Promise<Row[]> {
  await page.emulateCPUThrottling(null);
  await tell({ what: "fill", ...LARGE });
  const { pages: all = [] } = await tell({ what: "paths" });
  const opened: measure.Opened[] = [];
  for (const one of all) opened.push(await measure.open(page, url, one));
  for (const { name, ms, elements } of opened) console.info(`${name}: ${Math.round(ms)} ms, ${elements} elements`);
  const slowest = opened.reduce((left, right) => (left.ms > right.ms ? left : right));
  const fullest = opened.reduce((left, right) => (left.elements > right.elements ? left : right));
  return [
    within(`large store: slowest page (${slowest.name})`, slowest.ms, "ms", 1500),
    within(`large store: fullest page (${fullest.name})`, fullest.elements, "elements", 6000),
  ];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Measures the dashboard in a browser that is throttled four times, and what its viewers cost the server. */
export async function runDashboard({ only }: { readonly only: RegExp }): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const tell = await startSite(stack);
  const site = await tell({ what: "start", servers: SERVERS });
  const { url = "", key = "" } = site;
  const shown = await pages(tell, site, only);
  return [...shown, ...(only.test("server") ? await server(tell, url, key) : [])];
}
