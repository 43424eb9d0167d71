import type { Page } from "puppeteer-core";
import { afterEach, expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, hold, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("The pages of tickets");

afterEach(() => site.served.cut(false));

const api = () => site.store.box.api;

async function newTicket(members: object = {}): Promise<{ readonly id: string; readonly num: number }> {
  const { ticket } = await api().createTicket({ subject: "Paper jam", type: "issue", ...members } as never);
  return ticket;
}
const stored = async (id: string) => (await api().getTicket({ id })).ticket;
const change = (id: string, members: object) => api().updateTicket({ id, ...members } as never);

async function open(path: string): Promise<Page> {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}${path}`);
  await page.waitForSelector(".live.is-live");
  return page;
}

const textIn = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (one) => (one as HTMLTextAreaElement).value);

async function send(page: Page, text: string): Promise<void> {
  await page.type(".say-it textarea", text);
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
}

/** Opens a new ticket, sends a comment that is held until `letGo` is called, and types another. */
async function sendAndType() {
  const { id, num } = await newTicket();
  const page = await open(`/tickets/${num}`);
  await page.waitForSelector(".say-it textarea");
  const letGo = await hold(page, /add_ticket_change/);
  await send(page, "The first one");
  await page.type(".say-it textarea", "The second one");
  return { id, num, page, letGo };
}

inBrowser("a comment typed while another is being sent stays, and leaving the page asks first", async () => {
  const { id, num, page, letGo } = await sendAndType();
  letGo();
  await page.waitForSelector(".said .md");
  expect(await textIn(page, ".say-it textarea")).toBe("The second one");
  expect((await stored(id)).changes.flatMap(({ body }) => body ?? [])).toEqual(["The first one"]);
  await pressOn(page, "nav.side a", "Jobs");
  await says(page, "Leave without saving?");
  await press(page, "Cancel");
  expect(new URL(page.url()).pathname).toBe(`/tickets/${num}`);
});

inBrowser("a refused comment is put back before what was typed since", async () => {
  const { id, page, letGo } = await sendAndType();
  await api().deleteTicket({ id });
  letGo();
  await page.waitForFunction(`document.querySelector(".say-it textarea").value.includes("The first one")`);
  expect(await textIn(page, ".say-it textarea")).toBe("The first one\n\nThe second one");
});

/** Adds a name to a list of people. */
async function addTo(page: Page, label: string, name: string): Promise<void> {
  await (await field(page, label)).type(name);
  await page.keyboard.press("Enter");
}

inBrowser("names added one after the other are all saved, and undo leaves other users' changes", async () => {
  const { id, num } = await newTicket({ assignees: ["mara"] });
  const page = await open(`/tickets/${num}`);
  await field(page, "Assigned to");
  const letGo = await hold(page, /update_ticket/);
  await addTo(page, "Assigned to", "jonas");
  await addTo(page, "Assigned to", "lena");
  await change(id, { assignees: ["mara", "olaf"] });
  letGo();
  await expect.poll(async () => (await stored(id)).assignees.toSorted()).toEqual(["jonas", "lena", "mara", "olaf"]);
  await page.waitForFunction(`document.querySelectorAll(".toast button").length >= 4`);
  await change(id, { assignees: ["jonas", "lena", "olaf"] });
  await page.$$eval(".toast:last-child button", ([undo]) => (undo as HTMLButtonElement).click());
  await expect.poll(async () => (await stored(id)).assignees.toSorted()).toEqual(["jonas", "olaf"]);
});

inBrowser("undoing a status leaves a status that another user chose since", async () => {
  const { id, num } = await newTicket({ status: "draft" });
  const page = await open(`/tickets/${num}`);
  await press(page, "Publish");
  await expect.poll(async () => (await stored(id)).status).toBe("open");
  await press(page, "Resolve");
  await says(page, "The ticket is now: Resolved.");
  await says(page, "Undo");
  await change(id, { status: "on_hold" });
  await press(page, "Undo");
  await says(page, "Status has been changed since, and was left unchanged.");
  expect((await stored(id)).status).toBe("on_hold");
});

inBrowser("undoing a bulk resolve gives each ticket its own status again", async () => {
  const both = [await newTicket({ subject: "Twin" }), await newTicket({ subject: "Twin", status: "on_hold" })];
  const page = await open("/tickets?q=subject%3Atwin");
  await page.waitForSelector("tbody tr:nth-child(2)");
  await page.click("thead input[type=checkbox]");
  await press(page, "Resolve");
  await says(page, "2 tickets are resolved.");
  await press(page, "Undo");
  const statuses = () => Promise.all(both.map(async ({ id }) => (await stored(id)).status));
  await expect.poll(statuses).toEqual(["open", "on_hold"]);
});

inBrowser("a comment edited by another user meanwhile is not overwritten", async () => {
  const { id, num } = await newTicket();
  const { ticket } = await api().addTicketChange({ id, change: { type: "comment", body: "First" } });
  const change_id = ticket.changes.at(-1)?.id ?? "";
  const page = await open(`/tickets/${num}`);
  await pressOn(page, ".said button[aria-haspopup]");
  await pressOn(page, '[role="menuitem"]', "Edit");
  await page.type(".said textarea", ", mine");
  await api().updateTicketChange({ id, change_id, change: { body: "Theirs" } } as never);
  await says(page, "Somebody has changed it in the meantime");
  expect(await page.$eval(".said .acts:last-child .primary", (one) => (one as HTMLButtonElement).disabled)).toBe(true);
  await press(page, "Keep both, yours first");
  await press(page, "Save");
  await expect.poll(async () => (await stored(id)).changes.at(-1)?.body).toBe("First, mine");
  await page.waitForFunction(`!document.querySelector(".said textarea")`);
});

inBrowser("a new ticket submitted with Enter from the due date has that date", async () => {
  const page = await open("/tickets/new?subject=Due+by+Enter");
  await (await field(page, "Due")).type("01152027");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".talk");
  const [row] = (await api().searchTickets({ query: "subject:enter", limit: 1 })).rows;
  expect(row?.due).toBe(Date.parse("2027-01-14T23:00:00Z") / 1000);
});

inBrowser("changes to a ticket during a lost connection appear once it is back", async () => {
  const { id, num } = await newTicket();
  const page = await open(`/tickets/${num}`);
  await page.waitForSelector(".say-it");
  site.served.cut(true);
  await says(page, "No connection since");
  await api().addTicketChange({ id, change: { type: "comment", body: "Said meanwhile" } });
  // More updates than a stream can replay.
  for (let at = 0; at < 1100; at += 1) await api().updateTag({ id: "slow", notes: `Round ${at}` });
  site.served.cut(false);
  await says(page, "Said meanwhile");
});

inBrowser("undoing a link to a ticket leaves links that other users made since", async () => {
  const [mine, theirs] = [await newTicket(), await newTicket({ subject: "Of another" })];
  const [job] = (await api().searchJobs({ query: "event:mailbox", limit: 1 })).rows;
  const id = job?.id ?? "";
  const linked = async () => ((await api().getJob({ id })).job["tickets"] as string[] | undefined) ?? [];
  const page = await open(`/jobs/${id}`);
  await pressOn(page, ".head button[aria-haspopup]");
  await pressOn(page, '[role="menuitem"]', "Add to a ticket");
  await fill(page, "Number of the ticket", String(mine.num));
  await api().manageJobTickets({ id, tickets: [theirs.id] });
  await pressOn(page, "dialog button[type=submit]", "Add to a ticket");
  await says(page, "Undo");
  expect((await linked()).toSorted()).toEqual([mine.id, theirs.id].toSorted());
  await press(page, "Undo");
  await expect.poll(linked).toEqual([theirs.id]);
});

inBrowser("the event run from a ticket is the one pressed, also when another user changed the list", async () => {
  const { id, num } = await newTicket({ events: [{ id: "prune" }] });
  const page = await open(`/tickets/${num}`);
  await pressOn(page, ".linked button", "Run");
  await page.waitForFunction(`location.pathname.startsWith("/jobs/")`);
  await page.goBack();
  await page.waitForSelector(".linked button");
  // Pauses the page, so that it misses the change.
  await page.keyboard.press(".");
  await change(id, { events: [{ id: "rates" }, { id: "prune" }] });
  // The page first showed a cached copy of the ticket; the new answer may contain both events.
  await pressOn(page, '.linked button[aria-label="Run Prune sessions"]');
  await page.waitForFunction(`location.pathname.startsWith("/jobs/")`);
  const ran = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect((await api().getJob({ id: ran })).job.event).toBe("prune");
});
