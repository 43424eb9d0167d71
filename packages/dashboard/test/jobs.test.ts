import type { Page } from "puppeteer-core";
import { afterEach, expect } from "vitest";
import { enter, newPage, windowBeside } from "./fixture/browser.ts";
import { press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("The pages of jobs", {
  prepare: ({ box }) => box.api.createTag({ id: "seasonal", title: "Seasonal" } as never),
});

afterEach(() => site.served.cut(false));

const api = () => site.store.box.api;
const active = (event: string) =>
  site.store.servers.flatMap(({ jobs }) => jobs).find((job) => job.event === event && !job.isOver);

async function open(path: string): Promise<Page> {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}${path}`);
  await page.waitForSelector(".live.is-live");
  return page;
}

/** More updates than a stream can replay after a reconnect. */
async function muchHappens(): Promise<void> {
  for (let at = 0; at < 1100; at += 1) await api().updateTag({ id: "slow", notes: `Round ${at}` });
}

const tagsOf = async (id: string): Promise<readonly string[]> =>
  ((await api().getJob({ id })).job["tags"] as readonly string[]).filter((tag) => !tag.startsWith("_")).toSorted();

async function finished(count: number, event = "mailbox"): Promise<string[]> {
  const { rows } = await api().searchJobs({ query: `event:${event}`, limit: count });
  return rows.map(({ id }) => id ?? "");
}

inBrowser("a job that ended while the connection was lost is shown as ended, with the end of its log", async () => {
  const job = active("reminders");
  const page = await open(`/jobs/${job?.id}`);
  await page.waitForSelector(".lines");
  expect(await page.$eval(".head .pill", (pill) => pill.textContent)).toBe("Running");
  site.served.cut(true);
  await says(page, "No connection since");
  job?.log("the last line of all\n");
  job?.finish({ code: 0, description: "All are sent" });
  await muchHappens();
  site.served.cut(false);
  await says(page, "All are sent");
  expect(await page.$eval(".head .pill", (pill) => pill.textContent)).toBe("Done");
  await page.keyboard.press("G");
  await showsLine(page, "the last line of all");
});

inBrowser("two running jobs of one event are aborted by buttons of different names", async () => {
  const ids = [await api().runEvent({ id: "reminders" }), await api().runEvent({ id: "reminders" })].map(
    ({ id }) => id,
  );
  const page = await open("/jobs");
  for (const id of ids) await page.waitForSelector(`td button[aria-label="Abort Send payment reminders, ${id}"]`);
  const names = await page.$$eval("td button[aria-label^=Abort]", (all) => all.map((one) => one.ariaLabel ?? ""));
  expect(names).toContain("Abort Nightly invoice run");
  expect(new Set(names).size).toBe(names.length);
  await Promise.all(ids.map((id) => api().abortJob({ id })));
});

const showsLine = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector(".view")?.textContent.includes(${JSON.stringify(text)})`);

/** The number of the last line. */
const lastNumber = (page: Page): Promise<number> =>
  page.$eval(".gutter", (gutter) => Number(gutter.textContent.trim().split("\n").at(-1)));

inBrowser("a long live log keeps its lines when another window changes its page", async () => {
  const job = active("index");
  // Longer than the end of a log that is sent at once.
  const piece = `${"x".repeat(99)}\n`.repeat(600);
  for (let at = 0; at < 20; at += 1) job?.log(piece);
  job?.log("begins here\n");
  const page = await open(`/jobs/${job?.id}`);
  await showsLine(page, "begins here");
  job?.log(`${piece}goes on\n`);
  await showsLine(page, "goes on");
  const before = await lastNumber(page);
  expect(before).toBeGreaterThan(10_000);
  const second = await windowBeside(page);
  await second.goto(`${site.served.url}/jobs/${active("invoices")?.id}`);
  await second.waitForSelector(".live.is-live");
  job?.log("written after that\n");
  await showsLine(page, "written after that");
  expect(await lastNumber(page)).toBe(before + 1);
});

inBrowser("undoing tags leaves changes that other users made since", async () => {
  const [id = ""] = await finished(1);
  await api().manageJobTags({ id, tags: ["slow"] });
  const page = await open(`/jobs/${id}`);
  await pressOn(page, ".head button[aria-haspopup]");
  await pressOn(page, ".menu:popover-open button", "Set tags");
  await pressOn(page, "dialog label", "Billing error");
  await api().manageJobTags({ id, tags: ["slow", "seasonal"] });
  await press(page, "Set tags");
  await says(page, "Undo");
  expect(await tagsOf(id)).toEqual(["billing_error", "seasonal", "slow"]);
  await api().manageJobTags({ id, tags: ["billing_error", "seasonal"] });
  await press(page, "Undo");
  await expect.poll(() => tagsOf(id)).toEqual(["seasonal"]);
});

/** Selects the first rows of the list. */
const choose = (page: Page, count: number): Promise<string[]> =>
  page.$$eval(
    "tr:has(.pick input)[data-id]",
    (rows, most) =>
      rows.slice(0, most).map((row) => {
        row.querySelector("input")?.click();
        return row.getAttribute("data-id") ?? "";
      }),
    count,
  );

inBrowser("selected jobs are deleted, also when newer jobs moved them off the list or some are gone", async () => {
  const page = await open("/jobs?q=event%3Aprune%7Cmailbox");
  await page.waitForSelector("tr[data-id] .pick input");
  const chosen = await choose(page, 3);
  for (let at = 0; at < 51; at += 1) await api().runEvent({ id: "prune" });
  await says(page, "new rows");
  await api().deleteJob({ id: chosen[0] ?? "" });
  await pressOn(page, ".foot button", "Delete 3");
  await pressOn(page, "dialog button[type=submit]", "Delete 3");
  await page.waitForFunction(`!document.querySelector(".foot[role=region]")`);
  const { rows } = await api().searchJobs({ query: "event:prune|mailbox", limit: 1000 });
  expect(rows.filter(({ id = "" }) => chosen.includes(id))).toEqual([]);
});

inBrowser("a quiet job is not listed among running jobs, and still opens", async () => {
  const { id: quiet } = await api().runEvent({ id: "reminders", invisible: true });
  const { id } = await api().runEvent({ id: "reminders" });
  const page = await open("/jobs");
  await page.waitForSelector(`[data-id="${id}"]`);
  expect(await page.$(`[data-id="${quiet}"]`)).toBeNull();
  await page.goto(`${site.served.url}/jobs/${quiet}`);
  await page.waitForSelector(".head .pill");
  await Promise.all([id, quiet].map((each) => api().abortJob({ id: each })));
});

inBrowser("finished jobs are sorted by how long they took", async () => {
  const { id: long } = await api().runEvent({ id: "reminders" });
  await site.store.box.advanceBy({ seconds: 5 });
  site.store.servers
    .flatMap(({ jobs }) => jobs)
    .find((job) => job.id === long)
    ?.finish({ code: 0 });
  const { id: short } = await api().runEvent({ id: "mailbox" });
  const page = await open("/jobs");
  const row = (id: string) => `tr[data-id="${id}"]`;
  await page.waitForSelector(`${row(short)} ~ ${row(long)}`);
  for (const order of ["ascending", "descending"]) {
    await pressOn(page, "button.sort", "Took");
    await page.waitForSelector(`th[aria-sort=${order}]`);
  }
  await page.waitForSelector(`${row(long)} ~ ${row(short)}`);
});

inBrowser("a failed job links to the last successful run and to its event", async () => {
  const { rows } = await api().searchJobs({ query: "event:mailbox tags:_error", limit: 1 });
  const page = await open(`/jobs/${rows[0]?.id}`);
  const good = await page.waitForSelector(".hero a[href*='/jobs/']");
  const id = (await good?.evaluate((link) => link.getAttribute("href")))?.split("/").at(-1) ?? "";
  const { job } = await api().getJob({ id });
  expect([job.event, job.code]).toEqual(["mailbox", 0]);
  await pressOn(page, ".top a", "Fetch the support mailbox");
  await page.waitForFunction(`location.pathname === "/events/mailbox"`);
});

/** A workflow with one sub-job without an event, which fails. */
async function failedPart(): Promise<string> {
  const node = { id: "part", type: "job", x: 0, y: 0 };
  const data = {
    plugin: "shellplug",
    category: "general",
    targets: ["web_1"],
    label: "Count stock",
    params: { script: "true" },
  };
  await api().createEvent({
    ...{ id: "stock", title: "Stock", type: "workflow", category: "general", enabled: true },
    triggers: [{ id: "start", type: "manual", enabled: true }],
    workflow: {
      nodes: [
        { id: "start", type: "trigger", x: 0, y: 0 },
        { ...node, data },
      ],
      connections: [{ id: "c1", source: "start", dest: "part" }],
    },
  } as never);
  await api().runEvent({ id: "stock" });
  // Jobs of events may end meanwhile.
  const parts = async () => (await api().searchJobs({ query: "plugin:shellplug", limit: 50 })).rows;
  const part = async () => (await parts()).find(({ event }) => event === "")?.id ?? "";
  await expect.poll(part).not.toBe("");
  return part();
}

inBrowser("a workflow's part has the name of its node, and offers no run outside its workflow", async () => {
  const id = await failedPart();
  const page = await open("/jobs");
  await pressOn(page, "[aria-label='Finished jobs'] a", "Count stock · Stock");
  await page.waitForFunction(`location.pathname === "/jobs/${id}"`);
  await says(page, "Count stock · Stock");
  await pressOn(page, ".head button[aria-haspopup]");
  await page.waitForSelector(".menu:popover-open");
  const offered = await page.$$eval(".head button", (all) => all.map((one) => one.textContent));
  expect(offered.filter((text) => text?.startsWith("Run again"))).toEqual([]);
  await page.goto(`${site.served.url}/jobs?group=event`);
  await says(page, "Parts of workflows");
});
