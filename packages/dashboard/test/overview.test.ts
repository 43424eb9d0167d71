import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("The overview and the events");

const api = () => site.store.box.api;

async function open(path: string, prepare?: (page: Page) => unknown): Promise<Page> {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await prepare?.(page);
  await page.goto(`${site.served.url}${path}`);
  await page.waitForSelector(".live.is-live");
  return page;
}

/** Answers calls of some operations instead of the server, or holds them back until the promise resolves. */
async function meet(page: Page, operations: readonly string[], how: "refuse" | Promise<void>): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isMet = operations.some((name) => request.url().includes(`/${name}/`));
    if (!isMet) return void request.continue();
    if (how !== "refuse") return void how.then(() => request.continue());
    const body = JSON.stringify({ code: "internal", description: "The storage is away" });
    void request.respond({ status: 500, contentType: "application/json", body });
  });
}

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (one) => (one as HTMLElement).innerText);

inBrowser("the overview claims no idle state before jobs and tickets have loaded", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const page = await open("/", (own) => meet(own, ["get_active_jobs", "search_tickets"], promise));
  await page.waitForSelector(".g-srv tbody tr");
  expect(await page.$eval(".g-run", (panel) => panel.textContent)).not.toContain("Nothing is running");
  expect(await page.$eval(".g-strip div:last-child dd", (count) => count.textContent)).toBe("–");
  expect(await textOf(page, "h1")).toBe("Checking what needs a person");
  resolve();
  await page.waitForFunction(`document.querySelector(".g-run").textContent.includes("Nightly invoice run")`);
  await page.waitForFunction(`/^\\d+$/.test(document.querySelector(".g-strip div:last-child dd").textContent)`);
  await pressOn(page, ".g-strip a", "Failed");
  const chips = () => page.$$eval(".chip b", (all) => all.map((one) => one.textContent));
  await expect.poll(chips).toEqual(["today", "Failed"]);
});

inBrowser("jobs that cannot be loaded are shown as unknown, on the overview and in their list", async () => {
  const page = await open("/", (own) => meet(own, ["get_active_jobs"], "refuse"));
  await page.waitForFunction(`document.querySelector(".g-run").innerText.includes("The storage is away")`);
  await page.waitForFunction(`document.querySelector(".g-need").innerText.includes("The storage is away")`);
  await pressOn(page, "nav.side a", "Jobs");
  await page.waitForSelector("[aria-label='Finished jobs']");
  await says(page, "The storage is away");
});

inBrowser("no next run is shown while the scheduler is paused, and reasons are loaded again", async () => {
  const page = await open("/");
  await page.waitForSelector(".g-next li");
  expect(await textOf(page, ".g-next")).not.toContain("paused");
  await api().updateGlobalState({ "scheduler.enabled": false } as never);
  await page.waitForFunction(`document.querySelector(".g-next").innerText.includes("The scheduler is paused")`);
  const minute = Math.floor((site.store.box.clock.now() + 3600) / 60) * 60;
  await page.goto(`${site.served.url}/events/mailbox?why=${minute}`);
  await pressOn(page, "#why button", "Start the scheduler");
  await page.waitForFunction(
    `![...document.querySelectorAll("#why button")].some((one) => one.textContent === "Start the scheduler")`,
  );
});

inBrowser("each of many events gets its next run", async () => {
  const last = 204;
  for (let at = 0; at <= last; at += 1)
    await api().createEvent({
      ...{ id: `many${at}`, title: `Many ${at}`, category: "general", plugin: "shellplug", enabled: true },
      ...{ targets: ["web_1"], algo: "random", params: { script: "true" } },
      triggers: [{ type: "schedule", enabled: true, hours: [at % 24], minutes: [5] }],
    } as never);
  const answered: string[] = [];
  const page = await open("/events?q=many", (own) =>
    own.on("requestfinished", (request) => {
      if (request.url().includes("/get_upcoming_runs/")) answered.push(JSON.parse(request.postData() ?? "").id);
    }),
  );
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(200);
  await api().updateEvent({ id: "many0", notes: "Changed" } as never);
  // The changed event, and all others that were not asked for yet.
  const planned = (await api().getEvents({})).rows.filter(({ enabled, triggers }) =>
    triggers?.some(({ type, enabled: isOn }) => enabled && isOn && type === "schedule"),
  );
  expect(planned.length).toBeGreaterThan(200);
  const ids = planned.map(({ id }) => id);
  await expect.poll(() => answered).toEqual(expect.arrayContaining(ids));
  await expect.poll(() => answered.filter((id) => id === "many0").length).toBeGreaterThan(1);
  await page.waitForSelector("main tbody time");
});

inBrowser("before the first event the overview explains events and links to the form", async () => {
  const page = await open("/", async (own) => {
    await own.setRequestInterception(true);
    own.on("request", (request) => {
      if (!request.url().includes("/get_events/")) return void request.continue();
      const body = JSON.stringify({ code: 0, rows: [], list: { length: 0 } });
      void request.respond({ contentType: "application/json", body });
    });
  });
  await says(page, "There are no events yet.");
  await pressOn(page, "main a.btn", "Create event");
  await page.waitForFunction(`location.pathname === "/events/new"`);
});
