import type { ElementHandle, Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("Two people at one record", { base: "/ops" });

const api = () => site.store.box.api;
const open = async (path: string): Promise<Page> => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(site.served.url + path);
  return page;
};
const leave = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/ops${path}`);

/** Waits until the form shows both versions, with a choice between them. */
async function bothAreShown(page: Page): Promise<void> {
  await says(page, "Somebody has changed it in the meantime");
  await says(page, "Their changes");
  await says(page, "Your changes");
}

/** Waits until the stored record has these members. The page's "saved" alone is no sign: a refused save says it as well. */
const isStored = (read: () => Promise<object>, members: object) => expect.poll(read).toMatchObject(members);
const ruleOf = (id: string) => async () => (await api().getAlert({ id })).alert;

/** Waits until the choice after a refused save is in view and has the focus, even if the form is longer than the window. */
const isBroughtIntoView = (page: Page) =>
  page.waitForFunction(() => {
    const alert = document.activeElement;
    const [top, bottom] = [...(alert?.querySelectorAll(".conflict h2, .conflict .acts .btn:last-child") ?? [])].map(
      (one) => one.getBoundingClientRect(),
    );
    const isHit = (box: DOMRect) =>
      alert?.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    return alert?.role === "alert" && top && bottom && isHit(top) && isHit(bottom);
  });

/** Saves, and waits for the refusal: both versions may be shown before it, and only the refusal moves the focus to the choice. */
async function saveIsRefused(page: Page): Promise<void> {
  await press(page, "Save");
  await bothAreShown(page);
  await isBroughtIntoView(page);
}

inBrowser("a monitor saved by another user while its form was open is not overwritten", async () => {
  const page = await open("/monitors?edit=load_avg");
  await field(page, "Notes");
  await api().updateMonitor({ id: "load_avg", notes: "theirs" });
  await page.waitForFunction(`[...document.querySelectorAll("textarea")].some(({ value }) => value === "theirs")`);
  await fill(page, "Notes", "mine");
  await api().updateMonitor({ id: "load_avg", source: "cpu.loads[1]" });
  await page.waitForFunction(`document.querySelector("main table").textContent.includes("cpu.loads[1]")`);
  await bothAreShown(page);
  await page.$eval("dialog .body", (body) => body.scrollTo(0, body.scrollHeight));
  await saveIsRefused(page);
  expect((await api().getMonitor({ id: "load_avg" })).monitor.source).toBe("cpu.loads[1]");
  await press(page, "Keep both, yours first");
  await press(page, "Save");
  const stored = async () => (await api().getMonitor({ id: "load_avg" })).monitor;
  await isStored(stored, { source: "cpu.loads[1]", notes: "mine" });
});

inBrowser("a group saved by another user while its form was open is not overwritten", async () => {
  const page = await open("/groups/main");
  await pressOn(page, "main button[aria-haspopup]");
  await pressOn(page, '[role="menuitem"]', "Edit");
  await fill(page, "Notes", "mine");
  await api().updateGroup({ id: "main", title: "Of another" });
  await page.waitForFunction(`document.querySelector("h1").textContent.includes("Of another")`);
  await saveIsRefused(page);
  expect((await api().getGroup({ id: "main" })).group.title).toBe("Of another");
  await press(page, "Discard yours");
  await page.waitForFunction(`!document.querySelector(".conflict")`);
  const title = (await field(page, "Name")) as ElementHandle<HTMLInputElement>;
  expect(await title.evaluate((one) => one.value)).toBe("Of another");
  await press(page, "Save");
  await says(page, "“Of another” was saved.");
  expect((await api().getGroup({ id: "main" })).group.notes).not.toContain("mine");
});

inBrowser("a silence saved by another user while its form was open is not overwritten", async () => {
  const made = { title: "Works", alerts: ["busy"], end: Date.parse("2026-11-18T22:00:00Z") / 1000 };
  const { silence } = await api().createSilence(made);
  const page = await open(`/alerts/silences?edit=${silence.id}`);
  await fill(page, "Notes", "mine");
  await api().updateSilence({ id: silence.id, title: "Works of another" });
  await page.waitForFunction(`document.querySelector("main table").textContent.includes("Works of another")`);
  await saveIsRefused(page);
  expect((await api().getSilences({})).rows.find(({ id }) => id === silence.id)?.title).toBe("Works of another");
});

inBrowser("a server saved by another user while its form was open is not overwritten", async () => {
  const page = await open("/servers/web_1");
  await pressOn(page, "main .head button[aria-haspopup]");
  await pressOn(page, '[role="menuitem"]', "Edit");
  await fill(page, "Title", "Mine");
  await api().updateServer({ id: "web_1", title: "Of another" });
  // The page asks every minute, and when the browser restores it from its back-forward cache.
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent("pagehide"));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await page.waitForFunction(`document.querySelector("h1").textContent.includes("Of another")`);
  await saveIsRefused(page);
  expect((await api().getServer({ id: "web_1" })).server.title).toBe("Of another");
});

inBrowser("undoing a server's settings leaves later changes", async () => {
  const page = await open("/servers/db_1");
  await pressOn(page, "main .head button[aria-haspopup]");
  await pressOn(page, '[role="menuitem"]', "Edit");
  await fill(page, "Title", "Mine");
  await press(page, "Save");
  await page.waitForSelector(".toast button");
  await api().updateServer({ id: "db_1", title: "Of another" });
  await press(page, "Undo");
  await says(page, "Somebody else has saved this in the meantime");
  expect((await api().getServer({ id: "db_1" })).server.title).toBe("Of another");
});

inBrowser("a rule opened again shows what another user saved", async () => {
  const page = await open("/alert-rules/busy");
  await field(page, "Notes");
  await leave(page, "/alert-rules");
  await page.waitForSelector("main table");
  await api().updateAlert({ id: "busy", message: "Of another" });
  await leave(page, "/alert-rules/busy");
  await page.waitForFunction(`[...document.querySelectorAll("textarea")].some(({ value }) => value === "Of another")`);
  await fill(page, "Notes", "mine");
  await press(page, "Save");
  await isStored(ruleOf("busy"), { message: "Of another", notes: "mine" });
});

inBrowser("a conflict over a rule, a workflow or a ticket offers both versions", async () => {
  const page = await open("/alert-rules/busy");
  await fill(page, "Notes", "mine once more");
  await api().updateAlert({ id: "busy", message: "Of another once more" });
  await bothAreShown(page);
  await saveIsRefused(page);
  expect(await page.$$eval(".conflict dt", (all) => all.map((one) => one.textContent))).toEqual(["Message", "Notes"]);
  await press(page, "Keep both, yours first");
  await press(page, "Save");
  await isStored(ruleOf("busy"), { message: "Of another once more", notes: "mine once more" });

  await page.goto(`${site.served.url}/workflows/closing/edit`);
  const title = await page.waitForSelector("input[name=title]");
  await title?.type(", mine");
  await api().updateEvent({ id: "closing", category: "data" } as never);
  await saveIsRefused(page);
  await press(page, "Keep both, yours first");
  await page.waitForFunction(`!document.querySelector(".conflict")`);
  await press(page, "Save");
  await page.waitForFunction(`location.pathname === "/ops/workflows/closing"`);
  expect((await api().getEvent({ id: "closing" })).event).toMatchObject({
    ...{ title: "Month-end closing, mine", category: "data" },
  });

  await page.goto(`${site.served.url}/tickets/3`);
  await pressOn(page, "main .panel button", "Edit");
  await fill(page, "Subject", "Mine");
  const { ticket } = await api().getTicket({ num: 3 });
  await api().updateTicket({ id: ticket.id, subject: "Of another" } as never);
  await bothAreShown(page);
  // While somebody types, the focus stays in the field; a refused save moves it to the choice.
  expect(await page.evaluate(() => document.activeElement?.matches("form input"))).toBe(true);
  await saveIsRefused(page);
  await press(page, "Discard yours");
  await press(page, "Save");
  await page.waitForFunction(`!document.querySelector("form input[required]")`);
  expect((await api().getTicket({ num: 3 })).ticket.subject).toBe("Of another");
});

inBrowser("entries in a record that another user deletes stay, and the page says so", async () => {
  const { page: own } = await newPage(browser);
  await enter(own, site.served.url);
  const isSaid = async (): Promise<void> => {
    await says(own, "This was deleted in the meantime.");
    await own.waitForSelector(".banner[role=alert]");
  };
  await api().createTag({ id: "late", title: "Late" });
  for (const [like, id] of [
    ["closing", "opening"],
    ["prune", "sweep"],
  ] as const)
    await api().createEvent({ ...(await api().getEvent({ id: like })).event, id, title: id } as never);
  await api().createAlert({ ...(await api().getAlert({ id: "busy" })).alert, id: "loud", title: "Loud" } as never);
  const { ticket } = await api().createTicket({ subject: "Soon gone", type: "issue" } as never);
  await own.goto(`${site.served.url}/tags/late`);
  await fill(own, "Notes", "Mine");
  await api().deleteTag({ id: "late" });
  await isSaid();
  expect(await (await field(own, "Notes")).evaluate((one) => (one as HTMLTextAreaElement).value)).toBe("Mine");
  await leave(own, "/events/sweep/edit");
  await press(own, "Leave");
  await says(own, "Edit sweep");
  await fill(own, "Notes", "Mine as well");
  await api().deleteEvent({ id: "sweep" });
  await isSaid();
  expect(await (await field(own, "Notes")).evaluate((one) => (one as HTMLTextAreaElement).value)).toBe("Mine as well");
  await leave(own, `/tickets/${ticket.num}`);
  await press(own, "Leave");
  await own.waitForSelector(".say-it textarea");
  await own.type(".say-it textarea", "Mine, too");
  await api().deleteTicket({ id: ticket.id });
  await isSaid();
  expect(await own.$eval(".say-it textarea", (one) => (one as HTMLTextAreaElement).value)).toBe("Mine, too");
  await leave(own, "/alert-rules/loud");
  await press(own, "Leave");
  await fill(own, "Notes", "Mine of a rule");
  // The page knows all rules and so notices that one is deleted.
  await says(own, "CPU is busy");
  await api().deleteAlert({ id: "loud" });
  await isSaid();
  expect(await (await field(own, "Notes")).evaluate((one) => (one as HTMLTextAreaElement).value)).toBe(
    "Mine of a rule",
  );
  await leave(own, "/workflows/opening/edit");
  await press(own, "Leave");
  await own.waitForSelector(".canvas .node");
  await own.type("input[name=title]", ", mine");
  await says(own, "Sync payouts");
  await api().deleteEvent({ id: "opening" });
  await isSaid();
  expect(await own.$eval("input[name=title]", ({ value }) => value)).toContain(", mine");
});
