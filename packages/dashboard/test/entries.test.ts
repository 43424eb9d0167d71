import type { ElementHandle, Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, hold, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("What people enter and what is saved of it", { base: "/ops" });

const open = async (path: string) => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(site.served.url + path);
  return { page, faults };
};
const isAt = (page: Page, path: string) => page.waitForFunction((wanted) => location.pathname === wanted, {}, path);
const entered = async (page: Page, label: string): Promise<string> =>
  (await field(page, label)).evaluate((one) => (one as HTMLInputElement).value);
const api = () => site.store.box.api;

/** True when the browser would ask before it closes the tab. */
const isAsked = (page: Page): Promise<unknown> =>
  page.evaluate(`!dispatchEvent(new Event("beforeunload", { cancelable: true }))`);

/** Empties a field by mouse and keyboard. */
async function empty(page: Page, label: string): Promise<void> {
  const input = await field(page, label);
  await input.click({ count: 3 });
  await input.press("Backspace");
}

inBrowser("the browser's back button asks before entries are lost", async () => {
  const { page, faults } = await open("/tags");
  await press(page, "Create tag");
  await isAt(page, "/ops/tags/new");
  await fill(page, "Title", "Not saved yet");
  await page.evaluate("history.back()");
  await page.waitForSelector("dialog[open]");
  await press(page, "Cancel");
  await page.waitForFunction(`!document.querySelector("dialog[open]")`);
  expect([await page.evaluate("location.pathname"), await entered(page, "Title")]).toEqual([
    "/ops/tags/new",
    "Not saved yet",
  ]);
  await page.evaluate("history.back()");
  await pressOn(page, "dialog[open] footer .danger");
  await isAt(page, "/ops/tags");
  expect(faults).toEqual([]);
});

inBrowser("closing or reloading a tab asks first while entries would be lost", async () => {
  const { page, faults } = await open("/tags/new");
  await field(page, "Title");
  expect(await isAsked(page)).toBe(false);
  await fill(page, "Title", "Soon saved");
  await fill(page, "Id", "soon");
  await expect.poll(() => isAsked(page)).toBe(true);
  await press(page, "Create tag");
  await isAt(page, "/ops/tags/soon");
  await expect.poll(() => isAsked(page)).toBe(false);
  expect(faults).toEqual([]);
});

inBrowser("bucket data that a job wrote meanwhile is replaced only after a warning", async () => {
  const { page } = await open("/buckets/rates");
  const area = (await page.waitForSelector("textarea.mono")) as ElementHandle<HTMLTextAreaElement>;
  await area.evaluate((one) => one.select());
  await area.type('{ "EUR": 2 }');
  await expect.poll(() => isAsked(page)).toBe(true);
  // A visible page reads the bucket every ten seconds, and would warn before the save.
  await page.evaluate(`Object.defineProperty(document, "hidden", { get: () => true })`);
  await api().writeBucketData({ id: "rates", data: { NOK: 11 } });
  const stored = async () => (await api().getBucket({ id: "rates" })).data;
  await press(page, "Save");
  await says(page, "The data was changed in the meantime.");
  expect(await stored()).toMatchObject({ EUR: 1, NOK: 11 });
  await press(page, "Save");
  await expect.poll(stored).toEqual({ EUR: 2 });
});

inBrowser("several names entered at once are all accepted", async () => {
  const { page, faults } = await open("/channels/new");
  await fill(page, "Title", "Both");
  await (await field(page, "People")).type("mara, jonas");
  await page.keyboard.press("Enter");
  await press(page, "Create channel");
  await says(page, "Used by");
  const made = (await api().getChannels({})).rows.find(({ title }) => title === "Both");
  expect(made?.users).toEqual(["mara", "jonas"]);
  expect(faults).toEqual([]);
});

inBrowser("a description saved by another user meanwhile is not overwritten", async () => {
  const { page } = await open("/tickets/1");
  const { ticket } = await api().getTicket({ num: 1 });
  const description = async () => (await api().getTicket({ num: 1 })).ticket.body;
  await pressOn(page, ".panel button", "Edit");
  await (await field(page, "Description")).type("mine");
  await api().updateTicket({ id: ticket.id, status: "on_hold" });
  await says(page, "On hold");
  await api().updateTicket({ id: ticket.id, subject: "Named by another", body: "Theirs" });
  await page.waitForFunction(`document.querySelector("h1").textContent === "Named by another"`);
  await press(page, "Save");
  await page.waitForSelector(".toast .t-crit");
  expect(await description()).toBe("Theirs");
  expect(await entered(page, "Description")).toContain("mine");
});

const saved = (page: Page) => page.$$eval(".saved a", (links) => links.map(({ textContent }) => textContent.trim()));

/** Saves a search of the list of jobs under a name. */
async function saveSearch(page: Page, query: string, name: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `?q=${query}`);
  await press(page, "Save search");
  await (await field(page, "Name")).type(name);
  await press(page, "Save");
  await expect.poll(() => saved(page)).toContain(name);
}

inBrowser("undoing a saved search leaves later ones", async () => {
  const { page, faults } = await open("/jobs");
  await saveSearch(page, "first", "First");
  await saveSearch(page, "second", "Second");
  await pressOn(page, ".toast:first-child button", "Undo");
  await expect.poll(() => saved(page)).not.toContain("First");
  expect(await saved(page)).toContain("Second");
  expect(faults).toEqual([]);
});

inBrowser("an older answer about the account does not remove a search saved since", async () => {
  const { page } = await open("/jobs");
  await page.waitForSelector(".live.is-live");
  // Holds back the first answer about the account.
  await page.evaluate(() => {
    const send = window.fetch;
    const isLetGo = new Promise((resolve) => addEventListener("let-go", resolve));
    let isHeld = false;
    window.fetch = async (...asked) => {
      const answer = await send(...asked);
      if (!isHeld && String(asked[0]).endsWith("/boot.json")) {
        isHeld = true;
        await isLetGo;
      }
      return answer;
    };
  });
  const answered = () => page.waitForResponse((response) => response.url().endsWith("/boot.json"));
  await Promise.all([answered(), saveSearch(page, "third", "Third")]);
  await saveSearch(page, "fourth", "Fourth");
  await Promise.all([answered(), page.evaluate(() => dispatchEvent(new Event("let-go")))]);
  await expect.poll(() => saved(page)).toEqual(expect.arrayContaining(["Third", "Fourth"]));
});

inBrowser("a number removed from a definition is gone", async () => {
  await api().createReceiver({ id: "few", title: "Few", type: "mail", email: "few@x.example", max_per_hour: 5 });
  const { page } = await open("/notices/receivers/few");
  await empty(page, "Notices per hour, at most");
  await press(page, "Save");
  await says(page, "Saved");
  const stored = (await api().getReceivers({})).rows.find(({ id }) => id === "few");
  expect(stored?.max_per_hour ?? null).toBeNull();
});

inBrowser("entries typed while a definition is being saved stay", async () => {
  await api().createTag({ id: "late", title: "Late" });
  const { page } = await open("/tags");
  await page.evaluateOnNewDocument(() => {
    const send = window.fetch;
    const isLetGo = new Promise((resolve) => addEventListener("let-go", resolve));
    window.fetch = async (...asked) => {
      if (String(asked[0]).includes("update_tag")) await isLetGo;
      return send(...asked);
    };
  });
  await page.goto(`${site.served.url}/tags/late`);
  await fill(page, "Notes", "first");
  await press(page, "Save");
  await (await field(page, "Notes")).type(" and second");
  await page.evaluate(() => dispatchEvent(new Event("let-go")));
  await says(page, "Saved");
  await expect.poll(async () => (await api().getTag({ id: "late" })).tag.notes).toBe("first");
  expect(await entered(page, "Notes")).toBe("first and second");
  await press(page, "Save");
  await expect.poll(async () => (await api().getTag({ id: "late" })).tag.notes).toBe("first and second");
});

inBrowser("entries made before the page is told of its own save can be saved", async () => {
  await api().createTag({ id: "swift", title: "Swift" });
  const stored = async () => (await api().getTag({ id: "swift" })).tag.notes;
  const { page } = await open("/tags/swift");
  await field(page, "Notes");
  await page.keyboard.press(".");
  await page.waitForSelector(".live.is-paused");
  await fill(page, "Notes", "first");
  await press(page, "Save");
  await page.waitForFunction(`!document.querySelector(".save-bar")`);
  await fill(page, "Notes", "second");
  await press(page, "Save");
  await expect.poll(stored).toBe("second");
});

inBrowser("replacing one value of a secret does not empty another", async () => {
  const fields = ["ONE", "TWO"].map((name) => ({ name, value: `old ${name}` }));
  await api().createSecret({ id: "pair", title: "Pair", enabled: true, fields });
  const { page } = await open("/secrets/pair");
  await press(page, "Replace all values");
  await page.type('input[type="password"]', "new");
  await press(page, "Save");
  const isRefused = `document.querySelectorAll('input[type="password"]:invalid').length === 1`;
  await page.waitForFunction(isRefused);
  expect((await api().decryptSecret({ id: "pair" })).fields).toEqual(fields);
});

inBrowser("users who are not administrators can choose who is told of alerts", async () => {
  await api().createRole({ id: "routers", title: "Routers", enabled: true });
  const { page } = await open("/people/roles/routers");
  await pressOn(page, "main label", "Set up who is told of alerts");
  await press(page, "Save");
  await says(page, "Saved");
  expect((await api().getRoles({})).rows.find(({ id }) => id === "routers")?.privileges).toEqual({
    manage_routes: true,
  });
});

inBrowser("bucket data written by a job does not disturb what is being typed", async () => {
  await api().createBucket({ id: "both", title: "Both", enabled: true, data: { of: "job" } });
  const { page } = await open("/buckets/both");
  const area = await page.waitForSelector("textarea.mono");
  await area?.evaluate((one) => (one as HTMLTextAreaElement).select());
  await area?.type('{"of":"me"}');
  await api().updateBucket({ id: "both", notes: "now", data: { of: "another job" } });
  await says(page, "The data was changed in the meantime.");
  expect(await page.$eval("textarea.mono", (one) => (one as HTMLTextAreaElement).value)).toBe('{"of":"me"}');
  await press(page, "Discard");
  await page.waitForFunction(`document.querySelector("textarea.mono").value.includes("another job")`);
});

inBrowser("a setting changed by another user while it was edited is not overwritten", async () => {
  const { page } = await open("/configuration?q=job_env");
  await pressOn(page, 'button[aria-label="Edit job_env"]');
  await (await page.waitForSelector("main form textarea"))?.type(" ");
  await api().adminUpdateConfig({ job_env: { THEIRS: "1" } });
  await page.waitForFunction(`document.querySelector("main .chip.still")`);
  await press(page, "Save");
  await says(page, "Somebody else has set it");
  expect((await api().adminGetConfig({})).config["job_env"]).toEqual({ THEIRS: "1" });
});

inBrowser("no undo is offered for a setting whose value is masked", async () => {
  await api().adminUpdateConfig({ mail_settings: { host: "mail", port: 25, auth: { user: "u", pass: "one" } } });
  const { page } = await open("/configuration?q=mail_settings");
  await pressOn(page, 'button[aria-label="Edit mail_settings"]');
  await fill(
    page,
    "New value, in force at once on every node",
    '{"host":"mail","port":25,"auth":{"user":"u","pass":"two"}}',
  );
  await press(page, "Save");
  await page.waitForSelector(".toast");
  expect(await page.$eval(".toast", (one) => one.textContent)).not.toContain("Undo");
});

inBrowser("removing a layer of a rota leaves the other layers", async () => {
  const { page } = await open("/notices/rotas/new");
  for (const count of [1, 2]) {
    await press(page, "Add layer");
    await page.waitForFunction((n) => document.querySelectorAll("fieldset.turns").length === n, {}, count);
  }
  await pressOn(page, "fieldset.turns button", "Remove");
  await page.waitForFunction(`document.querySelectorAll("fieldset.turns").length === 1`);
});

inBrowser("a silence keeps its times to the second, and names the time zone of its hours", async () => {
  const end = Date.parse("2026-11-18T22:00:37Z") / 1000;
  const recurring = { from: "22:00", to: "06:00", weekdays: [], timezone: "Asia/Tokyo" };
  const { silence } = await api().createSilence({ title: "Nights", alerts: ["busy"], end, recurring });
  const { page } = await open(`/alerts/silences?edit=${silence.id}`);
  await fill(page, "Notes", "mine");
  await press(page, "Save");
  await says(page, "22:00–06:00 (Tokyo)");
  await expect.poll(async () => (await api().getSilence({ id: silence.id })).silence.notes).toBe("mine");
  expect((await api().getSilence({ id: silence.id })).silence.end).toBe(end);
});

inBrowser("a server chosen while a rule is tried on another stays chosen", async () => {
  const { page } = await open("/alert-rules/short");
  const letGo = await hold(page, /test_alert/);
  await page.waitForSelector(".trial option[value=db_2]");
  await page.select(".trial select", "db_1");
  await pressOn(page, ".trial button", "Try");
  await page.select(".trial select", "db_2");
  letGo();
  await says(page, " on db-1");
  expect(await page.$eval(".trial select", (one) => one.value)).toBe("db_2");
});
