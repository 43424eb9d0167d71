import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElementHandle } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { choose, field, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("The pages of the desk", { base: "/ops" });

inBrowser("a ticket is opened with a file, discussed and resolved, and hostile Markdown stays text", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const folder = await mkdtemp(join(tmpdir(), "signalbox-"));
  await writeFile(join(folder, "batch 12.csv"), "a,b\n1,2\n");
  await writeFile(join(folder, "none.csv"), "");

  await page.goto(`${site.served.url}/tickets`);
  await press(page, "Create ticket");
  await (await field(page, "Subject")).type("Batch 12 is refused");
  await (await field(page, "Description")).type("Seen **twice** <img src=x onerror=alert(1)>");
  await (await field(page, "Due")).type("01152027");
  const upload = await page.waitForSelector("input[type=file]");
  await (upload as ElementHandle<HTMLInputElement>).uploadFile(join(folder, "batch 12.csv"), join(folder, "none.csv"));
  await says(page, "batch 12.csv");
  await says(page, "none.csv is empty and was skipped.");
  // The buttons come after the fields, also on a phone.
  const isBehind = await page.$eval("form .foot", (foot) => foot.matches(".beside ~ *") && foot.textContent);
  expect(isBehind).toBe("Create ticketSave as draft");
  await press(page, "Create ticket");
  await page.waitForSelector(".talk");
  await page.waitForFunction(`document.title.includes("Batch 12 is refused")`);
  await says(page, "batch 12.csv");
  await page.waitForFunction(`document.querySelector(".md b")?.textContent === "twice"`);
  expect(await page.evaluate(`document.querySelectorAll(".md img").length`)).toBe(0);

  await page.waitForSelector(".say-it textarea");
  await page.type(".say-it textarea", "The bank **answered**.");
  await press(page, "Preview");
  await says(page, "The bank answered.");
  await press(page, "Comment");
  await page.waitForSelector(".said .md");
  await press(page, "Resolve");
  await says(page, "Reopen");

  const [row] = (await site.store.box.api.searchTickets({ query: "subject:batch", limit: 1 })).rows;
  const { ticket } = await site.store.box.api.getTicket({ id: row?.id ?? "" });
  expect(ticket).toMatchObject({ status: "resolved", username: "admin", due: expect.any(Number) });
  expect(ticket.files?.map(({ filename }) => filename)).toEqual(["batch 12.csv"]);
  expect(ticket.changes.filter(({ type }) => type === "comment")).toMatchObject([{ body: "The bank **answered**." }]);
  await rm(folder, { recursive: true });
  expect(faults).toEqual([]);
});

inBrowser("another user's change appears by itself, and a card is moved on the board", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const { ticket } = await site.store.box.api.getTicket({ num: 1 });
  await page.goto(`${site.served.url}/tickets/1`);
  await page.waitForSelector(".talk");
  await site.store.box.api.addTicketChange({ id: ticket.id, change: { type: "comment", body: "Said elsewhere" } });
  await says(page, "Said elsewhere");

  await page.goto(`${site.served.url}/tickets?view=board`);
  await page.waitForSelector(".board li");
  // Number, type, people and day of a card.
  const cards = () => page.$$eval(".board li p", (all) => all.map((one) => one.textContent));
  await expect.poll(cards).toContain("#6 Incident · Jonas Weber");
  expect(await cards()).toContainEqual(expect.stringMatching(/^#1 Issue · Administrator\s· \w{3} Nov 20$/));
  await pressOn(page, 'button[aria-label="Move Search finds no umlauts to"]');
  await page.waitForSelector(".menu:popover-open");
  await press(page, "Move to “On hold”");
  await page.waitForFunction(`document.querySelector("[aria-label='On hold']")?.textContent.includes("umlauts")`);
  expect((await site.store.box.api.getTicket({ num: 3 })).ticket.status).toBe("on_hold");
  expect(faults).toEqual([]);
});

inBrowser("limits and actions of a category are edited like an event's", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/categories/billing`);
  await press(page, "Add a limit");
  await pressOn(page, ".menu:popover-open button", "Run time");
  await press(page, "Save");
  await says(page, "Saved");
  expect((await site.store.box.api.getCategory({ id: "billing" })).category["limits"]).toMatchObject([
    { type: "time" },
  ]);
});

inBrowser("a definition is created, changed and shows its history; a stale save is refused", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/tags`);
  await press(page, "Create tag");
  await (await field(page, "Title")).type("Harvest");
  await (await field(page, "Id")).type("harvest");
  await press(page, "Create tag");
  await page.waitForFunction(`location.pathname === "/ops/tags/harvest"`);
  await (await field(page, "Notes")).type("For the autumn");
  await press(page, "Save");
  await page.waitForFunction(`document.querySelector(".differences ins")?.textContent.includes("For the autumn")`);
  expect((await site.store.box.api.getTag({ id: "harvest" })).tag.notes).toBe("For the autumn");

  await (await field(page, "Notes")).type(", mine");
  await site.store.box.api.updateTag({ id: "harvest", title: "Harvest time" });
  await press(page, "Save");
  await says(page, "Somebody else has saved this in the meantime");
  await says(page, "Somebody has changed it in the meantime");
  await page.waitForFunction(`document.activeElement.querySelector(".conflict")?.innerText.includes("Harvest time")`);
  expect((await site.store.box.api.getTag({ id: "harvest" })).tag.notes).toBe("For the autumn");
  await press(page, "Keep both, yours first");
  await press(page, "Save");
  await page.waitForFunction(`!document.querySelector(".save-bar")`);
  expect((await site.store.box.api.getTag({ id: "harvest" })).tag).toMatchObject({
    ...{ title: "Harvest time", notes: "For the autumn, mine" },
  });
  expect(faults.filter((fault) => !fault.includes("update_tag") && !fault.includes("409"))).toEqual([]);
});

inBrowser("a secret lists who may read it and shows values on request, an API key shows its key once", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/secrets/bank`);
  await says(page, "through the category Billing");
  await says(page, "BANK_USER");
  expect(await page.content()).not.toContain("k-77-fixture");
  await press(page, "Open");
  await (await field(page, "Reason")).type("The bank asks for the account");
  await press(page, "Open");
  await says(page, "k-77-fixture");
  await press(page, "Hide");
  await page.waitForFunction(`!document.body.innerText.includes("k-77-fixture")`);
  const log = await site.store.box.api.searchActivity({ query: "action:secret_access", limit: 1 });
  expect(log.rows[0]).toMatchObject({ username: "admin", reason: "The bank asks for the account" });
  await press(page, "Replace all values");
  await page.type('[aria-label="Value of BANK_USER"]', "ledgerly");
  const value = "-----BEGIN KEY-----\nabc\n-----END KEY-----\n";
  await page.$eval(
    '[aria-label="Value of CHAT_KEY"]',
    (one, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      one.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    value,
  );
  await press(page, "Save");
  await says(page, "Saved.");
  const { fields } = await site.store.box.api.decryptSecret({ id: "bank", reason: "Look" });
  expect(fields).toContainEqual({ name: "CHAT_KEY", value });

  await page.goto(`${site.served.url}/people/keys/new`);
  await (await field(page, "Title")).type("Nightly export");
  await press(page, "Create API key");
  const shown = await page.waitForSelector(".once");
  const key = await shown?.evaluate((element) => element.textContent);
  const asked = await fetch(`${site.served.url}/api/app/get_tags/v1`, { headers: { "X-API-Key": key ?? "" } });
  expect(asked.status).toBe(200);
  await pressOn(page, "nav.side a", "Tags");
  await says(page, "Leave without copying the key?");
  await press(page, "Cancel");
  await page.waitForSelector(".once");
  await page.reload();
  await says(page, "Facts");
  expect(await page.content()).not.toContain(key);
  expect(faults).toEqual([]);
});

inBrowser(
  "a setting is changed and restored, the scheduler paused, and forbidden actions are not offered",
  async () => {
    const { page, faults } = await newPage(browser);
    await enter(page, site.served.url);
    await page.goto(`${site.served.url}/configuration?q=action_timeout`);
    await pressOn(page, 'button[aria-label="Edit action_timeout"]');
    const input = await field(page, "New value, in force at once on every node");
    await page.waitForFunction((one) => one === document.activeElement, {}, input);
    await input.click({ count: 3 });
    await input.type("120");
    await press(page, "Save");
    await says(page, "1 of them set while running");
    const edit = 'button[aria-label="Edit action_timeout"]';
    await page.waitForFunction(`document.activeElement?.matches(${JSON.stringify(edit)})`);
    expect((await site.store.box.api.adminGetConfig({})).overrides).toMatchObject({ action_timeout: 120 });

    await pressOn(page, edit);
    await press(page, "Reset");
    await says(page, "0 of them set while running");

    await page.goto(`${site.served.url}/system`);
    await press(page, "Pause the scheduler");
    await says(page, "No event starts on schedule.");
    expect((await site.store.box.api.getGlobalState({})).state).toMatchObject({ scheduler: { enabled: false } });
    await press(page, "Resume the scheduler");
    await says(page, "Events start on schedule.");

    const other = await newPage(browser);
    await enter(other.page, site.served.url, "mara");
    await other.page.goto(`${site.served.url}/tags/slow`);
    await says(other.page, "Facts");
    const offered = await other.page.$$eval("main button, main a.btn", (all) => all.map((one) => one.textContent));
    expect(offered).not.toContain("Delete");
    expect(await other.page.$$eval("nav a", (all) => all.map((one) => one.textContent))).not.toContain("People");
    expect([...faults, ...other.faults]).toEqual([]);
  },
);

inBrowser("a back-test tries other silences and other people on duty as well", async () => {
  const { page, faults } = await newPage(browser);
  const questions: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/backtest_notices/")) questions.push(JSON.parse(request.postData() ?? "{}"));
  });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/notices/routes/busy`);
  const look = async () => {
    const before = questions.length;
    await press(page, "Back-test");
    await page.waitForFunction(`!document.querySelector(".btn[aria-busy=true]")`);
    await expect.poll(() => questions.length).toBe(before + 1);
    await page.waitForSelector(".verdict");
    return questions.at(-1);
  };
  expect(await look()).toMatchObject({ silences: {}, rotas: {} });
  await choose(page, "Without these silences", "copy");
  await choose(page, "On duty of Operations", "jonas");
  expect(await look()).toMatchObject({
    silences: { copy: null },
    rotas: { operations: { overrides: [{ user: "jonas" }] } },
  });
  // The only alert of this route is silenced here, so nobody is notified.
  await choose(page, "With these rules silenced all the time", "busy");
  expect(await look()).toMatchObject({ silences: { copy: null, tried_out: { alerts: ["busy"] } } });
  await says(page, "Nobody would have been told of");
  expect((await site.store.box.api.getSilences({})).rows.map(({ id }) => id)).not.toContain("tried_out");
  expect(faults).toEqual([]);
});

inBrowser("a refused setting shows the reason below its field", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/configuration?q=api.key_length`);
  await pressOn(page, 'button[aria-label="Edit api.key_length"]');
  const input = await field(page, "New value, in force at once on every node");
  await input.click({ count: 3 });
  await input.type("2");
  await press(page, "Save");
  await page.waitForSelector(".field.bad .wrong");
  expect(await page.$$eval(".toast", (all) => all.length)).toBe(0);
});

inBrowser("a failed job becomes a ticket that says so", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const failed = (await site.store.box.api.searchJobs({ query: "event:statements tags:_error", limit: 20 })).rows;
  const job = failed.find(({ description }) => description?.includes("pid 4117"));
  await page.goto(`${site.served.url}/jobs/${job?.id}`);
  // Until the events are loaded, the page names them by their ids.
  await page.waitForFunction(`document.querySelector("h1")?.textContent.includes("Import bank statements")`);
  await pressOn(page, ".head button[aria-haspopup]");
  await pressOn(page, ".menu:popover-open button", "Open a ticket");
  await says(page, "was made for Import bank statements.");
  await page.waitForFunction(`location.pathname.startsWith("/ops/tickets/")`);
  await says(page, "Import bank statements: Lock held by pid 4117");
  const num = Number(await page.evaluate(() => location.pathname.split("/").at(-1)));
  const { ticket } = await site.store.box.api.getTicket({ num });
  expect(ticket).toMatchObject({
    type: "issue",
    status: "open",
    body: expect.stringContaining("Lock held by pid 4117"),
  });
  expect((await site.store.box.api.getJob({ id: job?.id ?? "" })).job["tickets"]).toContain(ticket.id);
  expect(faults).toEqual([]);
});
