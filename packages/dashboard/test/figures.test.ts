import { expect } from "vitest";
import { pressOn, says } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";

/** More jobs and changes than one request of a page covers. */
const MANY = 205;
let begun = 0;

const { site, inBrowser } = await openSite("Figures", {
  base: "/ops",
  async prepare({ box, second }) {
    const { api } = box;
    await api.createEvent({
      ...{
        id: "often",
        title: "Often",
        category: "data",
        targets: ["web_1"],
        enabled: true,
        plugin: "shellplug",
        algo: "random",
      },
      ...{ params: { script: "true" }, triggers: [{ type: "manual", enabled: true }] },
    });
    await api.createTag({ id: "turned", title: "Turned", notes: "0" });
    begun = box.signalbox.now();
    for (let at = 1; at <= MANY; at += 1) {
      await second();
      await api.runEvent({ id: "often" });
      await api.updateTag({ id: "turned", notes: String(at) });
    }
    await second();
  },
});
const api = () => site.store.box.api;

inBrowser("jobs of a chart's period are marked above it, also when more jobs ran since", async () => {
  const { page } = site.watched;
  const stretch = { from: begun - 1200, to: begun - 600 };
  const found = await api().searchJobs({ query: `server:web_1 date:${stretch.from}..${stretch.to}`, limit: 1000 });
  const rows = found.rows.filter(({ completed = 0 }) => completed >= stretch.from && completed <= stretch.to);
  expect(rows.length).toBeGreaterThan(0);
  await page.goto(`${site.served.url}/servers/web_1?from=${stretch.from}&to=${stretch.to}`);
  for (const { id } of rows) await page.waitForSelector(`.lanes a[href$="/jobs/${id}"]`);
});

/** Calls that the page of a server makes for what stands beside its charts. */
const BESIDE = ["get_active_servers", "get_masters", "search_jobs", "get_latest_monitor_data", "get_global_state"];

inBrowser("a server page requests what its charts do not need only after their readings", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/servers/web_1`);
  const asked = await page.waitForFunction(
    (names: readonly string[]) => {
      const calls = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const found = (name: string) => calls.find((call) => call.name.includes(`/${name}/`));
      const readings = found("get_historical_monitor_data")?.responseEnd ?? 0;
      const starts = names.map((name) => found(name)?.startTime);
      return readings > 0 && starts.every(Boolean) && starts.map((start = 0) => start > readings);
    },
    {},
    BESIDE,
  );
  expect(await asked.jsonValue()).toEqual(BESIDE.map(() => true));
});

inBrowser("the path above a page is there in the first frame of the page", async () => {
  const { page } = site.watched;
  const { identifier } = await page.evaluateOnNewDocument(() => {
    const look = (): void => {
      const isThere = document.querySelector("main .head h1") !== null;
      if (isThere) document.documentElement.dataset["path"] = document.querySelector(".crumbs")?.textContent ?? "";
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${site.served.url}/servers/web_1`);
  await page.waitForSelector("html[data-path]");
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  expect(await page.$eval("html", ({ dataset }) => dataset["path"])).toBe("Servers/web-1");
});

inBrowser("a change is compared with the state before it, also when many changes followed", async () => {
  const { page } = site.watched;
  const { rows } = await api().searchActivity({ query: "keywords:turned action:tag_update", limit: 1000 });
  const third = rows.at(-3)?.id ?? "";
  await page.goto(`${site.served.url}/activity?q=keywords:turned&open=${third}`);
  await page.waitForSelector("tbody a");
  for (let shown = ""; await page.$(".tail"); ) {
    shown = await page.$eval(".tail", ({ textContent }) => textContent);
    await pressOn(page, ".tail button");
    await page.waitForFunction((before) => document.querySelector(".tail")?.textContent !== before, {}, shown);
  }
  await page.waitForSelector(".differences");
  const told = await page.$$eval(".differences dd", (all) => all.map(({ textContent }) => textContent));
  expect(told).toEqual(["Before: 2After: 3"]);
});

inBrowser("the search over everything asks the server between words, and for each list once", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/tags`);
  await page.waitForSelector("main h1");
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForSelector("dialog[open] .palette-find input");
  /** Enters the texts one after the other; each is drawn before the next. */
  const enter = (...texts: readonly string[]) =>
    page.evaluate(async (all: readonly string[]) => {
      const box = document.querySelector<HTMLInputElement>(".palette-find input") as HTMLInputElement;
      for (const text of all) {
        box.value = text;
        box.dispatchEvent(new InputEvent("input", { bubbles: true }));
        for (let turn = 0; turn < 20; turn += 1) await undefined;
      }
    }, texts);
  /** Calls of documents, jobs and roles, once both searches have been answered so often. */
  const asked = (least: number) =>
    page.waitForFunction(
      (many: number) => {
        const calls = performance.getEntriesByType("resource");
        const counts = ["search_docs", "search_jobs", "get_roles"].map(
          (name) => calls.filter((call) => call.name.includes(`/${name}/`)).length,
        );
        return counts.slice(0, 2).every((count) => count >= many) && (counts[2] ?? 0) > 0 && counts;
      },
      {},
      least,
    );
  await enter("pay", "payo", "payou");
  expect(await (await asked(1)).jsonValue()).toEqual([1, 1, 1]);
  await enter("payout");
  expect(await (await asked(2)).jsonValue()).toEqual([2, 2, 1]);
  await page.keyboard.press("Escape");
});

inBrowser("letters typed while the search opens stay in the box", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/servers`);
  await page.waitForSelector(".filters input.query");
  await page.evaluate(() => {
    const box = document.querySelector<HTMLInputElement>(".filters input.query") as HTMLInputElement;
    const enter = (text: string) => {
      box.value = text;
      box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    const replace = history.replaceState;
    history.replaceState = function (...state) {
      replace.apply(this, state);
      history.replaceState = replace;
      enter("web-");
    };
    const seen = new Set<string>();
    Object.assign(window, { seen });
    setInterval(() => (box.value !== "we" || seen.size > 0 ? seen.add(box.value) : undefined), 1);
    enter("we");
  });
  await page.waitForFunction(`new URLSearchParams(location.search).get("q") === "web-"`);
  expect(await page.evaluate("[...window.seen]")).toEqual(["web-"]);
});

inBrowser("a server that connected and left while the list was open stays in it", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/servers`);
  await page.waitForSelector("tbody a");
  const late = await site.store.box.connect({ id: "late_1", hostname: "late-1", groups: ["main"] });
  await site.store.second();
  await says(page, "late-1");
  late.disconnect();
  await site.store.second();
  await page.waitForFunction(
    `[...document.querySelectorAll("tbody tr")].some((row) => /late-1/.test(row.textContent) && row.querySelector(".mark[aria-label='Gone'], .mark.t-crit, .t-gone"))`,
  );
  // A page that names the server still shows its name, even if it has never seen it connected.
  const end = site.store.box.clock.now() + 3600;
  await api().createSilence({ title: "Away", servers: ["late_1"], end });
  await page.goto(`${site.served.url}/alerts/silences`);
  await says(page, "late-1");
});

inBrowser("a negated term of a filter excludes its matches", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/servers?q=-state:online`);
  await page.waitForSelector("tbody a");
  const shown = await page.$$eval("tbody a", (all) => all.map(({ textContent }) => textContent.trim()));
  expect(shown).toContain("cache-1");
  expect(shown).not.toContain("web-1");
});

inBrowser("a snapshot names the alerts of its time, also ended ones", async () => {
  const { page } = site.watched;
  const firing = (await api().searchAlerts({ query: "server:db_1 active:true", limit: 10 })).rows;
  expect(firing.length).toBeGreaterThan(0);
  const { id } = await api().createSnapshot({ server: "db_1" });
  for (const { alert } of firing) await api().updateAlert({ id: alert, enabled: false });
  await site.store.box.advanceBy({ minutes: 2 });
  await page.goto(`${site.served.url}/snapshots/${id}`);
  const { rows } = await api().getAlerts({});
  await says(page, rows.find((rule) => rule.id === firing[0]?.alert)?.title ?? "?");
  // Comparing needs two snapshots; an address without them leads to their list.
  await page.goto(`${site.served.url}/snapshots/compare`);
  await pressOn(page, "main a.btn", "Snapshots");
  await page.waitForSelector("main tbody a");
});

inBrowser("two servers with equal readings are distinguishable", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/servers/compare?a=web_1&b=db_1`);
  await page.waitForSelector(".plot path[stroke='var(--c2)']");
  const dashes = await page.$$eval(".plot path[stroke]", (all) =>
    all.slice(0, 2).map((one) => one.hasAttribute("stroke-dasharray")),
  );
  expect(dashes).toEqual([false, true]);
});
