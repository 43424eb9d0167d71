import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, hold, pressOn, says, type } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";
import { PASSWORD } from "./fixture/store.ts";

const { browser, site, inBrowser } = await openPages("What pages tell", {
  prepare: ({ box }) => box.api.adminUpdateConfig({ max_jobs_per_min: 1000 } as never),
});

const api = () => site.store.box.api;
const active = (event: string) =>
  site.store.servers.flatMap(({ jobs }) => jobs).find((job) => job.event === event && !job.isOver);
const ended = async (query: string): Promise<number> => (await api().searchJobs({ query, limit: 1 })).list.length;

async function open(path: string, user?: string): Promise<Page> {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url, user);
  await page.goto(`${site.served.url}${path}`);
  await page.waitForSelector(".live.is-live");
  return page;
}

/** Runs more jobs than one request of a page covers. */
async function runMany(event: string): Promise<void> {
  const before = await ended(`event:${event}`);
  for (let at = 0; at < 101; at += 1) await api().runEvent({ id: event });
  await expect.poll(() => ended(`event:${event}`)).toBeGreaterThanOrEqual(before + 101);
}

/** Finishes the running job of an event. */
async function end(event: string, code: number): Promise<void> {
  const before = await ended(`event:${event}`);
  active(event)?.finish({ code, description: `Ended with ${code}` });
  await expect.poll(() => ended(`event:${event}`)).toBe(before + 1);
}

inBrowser("values not entered by hand come from the event at the moment of its start", async () => {
  const page = await open("/events/backup/run");
  await page.waitForSelector(".run-form textarea");
  const params = { script: "#!/bin/sh\necho corrected", annotate: false, json: true };
  await api().updateEvent({ id: "backup", params } as never);
  await page.waitForFunction(`document.querySelector(".run-form textarea").value.includes("corrected")`);
  await pressOn(page, ".run-form .foot button");
  await page.waitForFunction(`location.pathname.startsWith("/jobs/")`);
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await expect.poll(() => ended(`#id:${id}`)).toBe(1);
  expect((await api().getJob({ id })).job["params"]).toMatchObject({ script: params.script });
});

inBrowser("a filter applies even when its page is left at once", async () => {
  const page = await open("/events");
  await page.waitForSelector("main tbody tr");
  await page.type("input[data-filter]", "mailbox");
  await page.keyboard.press("Tab");
  await page.waitForFunction(`document.querySelectorAll("main tbody tr").length === 1`);
});

/** Shows the lines of the overview beyond the first ones. */
const showAll = (page: Page) =>
  page.waitForFunction(() => {
    const rest = document.querySelector<HTMLElement>(".g-need .tail button");
    rest?.click();
    return document.querySelector(".g-need .rows") && !rest;
  });

const needs = async (): Promise<string> => {
  const page = await open("/");
  await showAll(page);
  return page.$eval(".g-need", (panel) => panel.textContent);
};

inBrowser("an event that keeps failing hides no other failure, and many good runs hide no event", async () => {
  await end("index", 3);
  await runMany("statements");
  expect(await needs()).toContain("Ended with 3");
  await api().runEvent({ id: "index" });
  await expect.poll(() => active("index") !== undefined).toBe(true);
  await end("index", 0);
  await runMany("prune");
  const later = await needs();
  expect(later).toContain("Lock held by pid 4117");
  expect(later).not.toContain("Ended with 3");
});

inBrowser("the list of events shows the last run of an event that many other runs followed", async () => {
  const page = await open("/events");
  await page.waitForSelector("tr[data-id=reminders] .run-strip");
  await pressOn(page, "nav.side a", "Tags");
  await page.waitForFunction(`location.pathname === "/tags"`);
  await end("reminders", 4);
  await runMany("prune");
  await pressOn(page, "nav.side a", "Events");
  await page.waitForSelector("tr[data-id=reminders] .run-strip rect.fail");
});

inBrowser("the workflow editor starts from what is stored, not from an earlier visit", async () => {
  const page = await open("/workflows/closing/edit");
  await page.waitForSelector("input[name=title]");
  await pressOn(page, "nav.side a", "Workflows");
  await page.waitForFunction(`!document.querySelector("input[name=title]")`);
  await api().updateEvent({ id: "closing", title: "Closing anew" } as never);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.setRequestInterception(true);
  let isAsked = false;
  page.on("request", (request) => {
    const isHeld = request.url().includes("/get_event/");
    isAsked ||= isHeld;
    void (isHeld ? promise : Promise.resolve()).then(() => request.continue());
  });
  await page.goBack();
  await expect.poll(() => isAsked).toBe(true);
  expect(await page.$("input[name=title]")).toBe(null);
  resolve();
  await page.waitForFunction(`document.querySelector("input[name=title]")?.value === "Closing anew"`);
});

inBrowser("saving a new password keeps a mail address that was changed elsewhere", async () => {
  const page = await open("/me", "mara");
  await says(page, "New password");
  await api().userAdminUpdate({ username: "mara", email: "mara@new.example" } as never);
  await fill(page, "New password", "A quite new one 88");
  await fill(page, "Your password", PASSWORD);
  await pressOn(page, "form button[type=submit]", "Save");
  await says(page, "Your password is changed");
  expect((await api().userAdminGetUser({ username: "mara" } as never)).user).toMatchObject({
    email: "mara@new.example",
  });
});

inBrowser("what is typed while an account is saved or a message sent stays", async () => {
  const page = await open("/me");
  await fill(page, "Name", "Ada of the night");
  await fill(page, "Your password", PASSWORD);
  const saved = await hold(page, /user_update/);
  await pressOn(page, "form button[type=submit]", "Save");
  await fill(page, "Your password", "for the next change");
  saved();
  await says(page, "Your account is saved.");
  const password = await field(page, "Your password");
  expect(await password.evaluate((one) => (one as HTMLInputElement).value)).toBe("for the next change");

  const system = await open("/system");
  const message = "input[aria-label=Message]";
  await type(system, message, "Deploying");
  const sent = await hold(system, /admin_broadcast/);
  await pressOn(system, "button[aria-label='Send: Message to all']");
  await type(system, message, "Deployed");
  sent();
  await says(system, "The message is shown to all.");
  expect(await system.$eval(message, (one) => (one as HTMLInputElement).value)).toBe("Deployed");
});

inBrowser("failed parts of workflows hide no failed event", async () => {
  await api().runEvent({ id: "index" });
  await expect.poll(() => active("index") !== undefined).toBe(true);
  await end("index", 7);
  const parts = Array.from({ length: 101 }, (_, at) => ({
    ...{ id: `part${at}`, type: "job", x: 0, y: 0 },
    data: { plugin: "shellplug", category: "general", targets: ["web_1"], params: { script: "false" } },
  }));
  await api().createEvent({
    ...{ id: "parts", title: "Parts", type: "workflow", category: "general", enabled: true },
    triggers: [{ id: "start", type: "manual", enabled: true }],
    workflow: {
      nodes: [{ id: "start", type: "trigger", x: 0, y: 0 }, ...parts],
      connections: parts.map(({ id }) => ({ id: `to_${id}`, source: "start", dest: id })),
    },
  } as never);
  await api().runEvent({ id: "parts" });
  await expect.poll(() => ended("event:parts")).toBe(1);
  const told = await needs();
  expect(told).toContain("Ended with 7");
  expect(told).toContain("Parts failed");
});

inBrowser("more than a hundred overdue tickets are counted, with a link to all of them", async () => {
  for (let at = 0; at < 102; at += 1)
    await api().createTicket({ subject: `Late ${at}`, type: "issue", status: "open", due: "2026-11-10" } as never);
  const late = (await api().searchTickets({ query: "status:open due:<today", limit: 1 })).list.length;
  expect(late).toBeGreaterThan(101);
  const page = await open("/");
  await says(page, `${late - 100} more tickets are overdue`);
  await showAll(page);
  const [head, ...rows] = await page.$$eval("h1, .g-need .rows li", (all) => all.map((one) => one.textContent));
  expect(rows.filter((row) => row.includes("was due on"))).toHaveLength(100);
  expect(head).toContain(`${rows.length + late - 100} things`);
  await pressOn(page, ".g-need .tail a");
  await page.waitForFunction(`document.querySelector("main").innerText.includes("of ${late}")`);
});

inBrowser("users and keys are shown by name, and by id only once they are deleted", async () => {
  const { api_key, plain_key } = await api().createApiKey({ title: "Deploy bot", privileges: { create_tags: true } });
  const made = await fetch(`${site.served.url}/api/app/create_tag/v1`, {
    ...{ method: "POST", headers: { "X-API-Key": plain_key, "Content-Type": "application/json" } },
    body: JSON.stringify({ id: "by_key", title: "By a key" }),
  });
  expect(made.status).toBe(200);
  const page = await open("/tags/by_key");
  await says(page, "by Deploy bot");
  await api().deleteApiKey({ id: api_key.id });
  await says(page, `by ${api_key.id}`);
});
