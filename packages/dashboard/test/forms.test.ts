import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { choose, field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { FIXTURE_PAGES } from "./fixture/pages.ts";
import { openSite } from "./fixture/site.ts";

const { site, inBrowser } = await openSite("Forms and dialogs");

const visit = async (path: string): Promise<Page> => {
  await site.watched.page.goto(site.served.url + path);
  return site.watched.page;
};

inBrowser("a channel is created, its form keeps its receivers, and the list names them", async () => {
  const { box } = site.store;
  const page = await visit("/channels/new");
  await fill(page, "Title", "Night shift");
  await (await field(page, "People")).type("mara");
  await page.keyboard.press("Enter");
  await fill(page, "Further addresses", "night@ledgerly.example, desk@ledgerly.example");
  await choose(page, "Web hook", "chat");
  await choose(page, "Event to run", "prune");
  await fill(page, "Messages per day, at most", "-5");
  await press(page, "Create channel");
  await page.waitForSelector(".field.bad input:focus");
  expect(await page.$eval(".field.bad .wrong", (one) => one.textContent)).toBe("Malformed parameter: max_per_day");
  await fill(page, "Messages per day, at most", "5");
  await press(page, "Create channel");
  await says(page, "Used by");
  const made = (await box.api.getChannels({})).rows.find(({ title }) => title === "Night shift");
  expect(made).toMatchObject({
    ...{ users: ["mara"], email: "night@ledgerly.example, desk@ledgerly.example", web_hook: "chat" },
    ...{ run_event: "prune", max_per_day: 5, enabled: true },
  });

  await box.api.createReceiver({ title: "By the night shift", type: "channel", channel: made?.id } as never);
  // The page is told with the next second of the clock. While that stands still, it waits half a minute and then asks anew.
  await site.store.second();
  await says(page, "By the night shift");
  await choose(page, "Web hook", "");
  await press(page, "Save");
  const stored = async () => (await box.api.getChannel({ id: made?.id ?? "" })).channel;
  await expect.poll(stored).toMatchObject({ web_hook: "", users: ["mara"] });
  await visit("/channels");
  await says(page, "Mara Lindqvist, night@ledgerly.example, desk@ledgerly.example, and Prune sessions");
  expect(site.watched.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

inBrowser("a failed delivery names its subject and the result of another try", async () => {
  const { box } = site.store;
  await box.api.updateWebHook({ id: "chat", url: "https://gone.example/in", retries: 0 });
  const action = { enabled: true, condition: "success", type: "web_hook", web_hook: "chat" };
  await box.api.updateEvent({ id: "usage", actions: [action] } as Parameters<typeof box.api.updateEvent>[0]);
  const { id } = await box.run("usage");
  await box.advanceUntil(async () => (await box.api.getWebHookDeliveries({ web_hook: "chat" })).rows.length > 0);
  const page = await visit("/web-hooks/chat");
  await press(page, "Send again");
  await page.waitForSelector(".toast .t-crit");
  await says(page, "It failed again");
  await box.api.updateWebHook({ id: "chat", url: "https://chat.example/in" });
  await press(page, "Send again");
  await says(page, "It has arrived.");
  await pressOn(page, ".said a", "About a job");
  await page.waitForFunction(`location.pathname === "/jobs/${id}"`);
});

inBrowser(
  "a setting without a value takes a text, and a record is edited line by line with secrets masked",
  async () => {
    const { box } = site.store;
    const page = await visit("/configuration?q=base_api_url");
    const label = "New value, in force at once on every node";
    await pressOn(page, 'button[aria-label="Edit base_api_url"]');
    await fill(page, label, "https://ops.ledgerly.example/api");
    await press(page, "Save");
    await says(page, "base_api_url is set.");
    await box.api.adminUpdateConfig({ mail_settings: { host: "mx", auth: { user: "ops", pass: "Sunflower" } } });
    await visit("/configuration?q=mail_settings");
    await pressOn(page, 'button[aria-label="Edit mail_settings"]');
    await says(page, "The stars hide a secret.");
    const shown = await (await field(page, label)).evaluate((one) => (one as HTMLTextAreaElement).value);
    expect(JSON.parse(shown)).toMatchObject({ host: "mx", auth: { user: "ops" } });
    expect(shown.split("\n").length).toBeGreaterThan(4);
    expect(shown).not.toContain("Sunflower");
  },
);

inBrowser("an account needs a password, and its owner gets a mail when asked for", async () => {
  const { box } = site.store;
  const page = await visit("/people/new");
  await fill(page, "User name", "nina");
  await fill(page, "Name", "Nina Ott");
  await fill(page, "Mail address", "nina@ledgerly.example");
  await press(page, "Create account");
  const password = await field(page, "Password");
  expect(await password.evaluate((one) => [one === document.activeElement, one.matches(":invalid")])).toEqual([
    true,
    true,
  ]);
  await password.type("Meadow 41 lanterns");
  await pressOn(page, "label", "Send a mail with the sign-in address");
  await press(page, "Create account");
  await page.waitForFunction(`location.pathname === "/people/nina"`);
  const mail = await box.mails.waitFor(({ subject }) => subject.startsWith("Welcome to "));
  expect(mail.text).toContain("nina");
  expect(mail.text).not.toContain("lanterns");
});

const isClosed = (page: Page) => page.waitForFunction(`!document.querySelector("dialog[open]")`);
/** Name or text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);

inBrowser("a refusal is shown in the dialog with its entries, and disappears with the next try", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await press(page, "Create group");
  await fill(page, "Name", "Broken");
  await fill(page, "Hostnames", "web-(");
  await press(page, "Create group");
  await page.waitForSelector("dialog footer [role=alert]");
  expect(await page.$$eval(".toast", (all) => all.length)).toBe(0);
  expect(await (await field(page, "Name")).evaluate((one) => (one as HTMLInputElement).value)).toBe("Broken");
  await fill(page, "Hostnames", "web-");
  await press(page, "Create group");
  await isClosed(page);
  await says(page, "“Broken” was saved.");
  expect(await page.$$eval("[role=alert]", (all) => all.length)).toBe(0);
});

inBrowser("a click beside a dialog closes it until something is entered", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await press(page, "Create group");
  await field(page, "Name");
  await page.mouse.click(5, 5);
  await isClosed(page);
  await press(page, "Create group");
  await fill(page, "Name", "Kept");
  await page.mouse.click(5, 5);
  expect(await (await field(page, "Name")).evaluate((one) => (one as HTMLInputElement).value)).toBe("Kept");
  await press(page, "Cancel");
  await isClosed(page);
});

inBrowser("a message that appears while a dialog is open can be read and closed in it", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/servers`);
  await press(page, "Add a server");
  await page.waitForSelector("dialog .install");
  await pressOn(page, "dialog .install button");
  await pressOn(page, "dialog .toast button");
  await page.waitForFunction(`!document.querySelector(".toast")`);
});

inBrowser("a confirmation focuses the harmless button first, and gives the focus back", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/events/mailbox`);
  await page.waitForSelector(".runs li");
  await pressOn(page, ".head button[aria-haspopup]");
  const menu = await page.$eval(".head button[aria-haspopup]", (one) => one.getAttribute("aria-label"));
  await pressOn(page, ".menu:popover-open button", "Delete");
  await page.waitForSelector("dialog[open]");
  expect(await focused(page)).toBe("Cancel");
  await page.keyboard.press("Enter");
  await isClosed(page);
  expect(await focused(page)).toBe(menu);
});

inBrowser("the buttons of a confirmation never have the same text, also in German", async () => {
  const { page } = site.watched;
  const path = await FIXTURE_PAGES.find(({ name }) => name === "job-running")?.path(site.store);
  await page.goto(site.served.url + path);
  await page.evaluate(`localStorage.setItem("signalbox.language", "de")`);
  await page.reload();
  await pressOn(page, ".head button", "Abbrechen");
  await page.waitForSelector("dialog[open]");
  const words = await page.$$eval("dialog footer button", (all) => all.map((one) => one.textContent));
  expect(words).toEqual(["Weiterlaufen lassen", "Abbrechen"]);
  await press(page, "Weiterlaufen lassen");
  await isClosed(page);
  await page.goto(`${site.served.url}/system`);
  await press(page, "Wechseln");
  await field(page, "Zur Bestätigung wechseln eingeben");
  await page.keyboard.press("Escape");
  await isClosed(page);
  await page.evaluate(`localStorage.removeItem("signalbox.language")`);
});

inBrowser("a menu longer than the window scrolls inside it", async () => {
  const { page } = site.watched;
  await page.setViewport({ width: 390, height: 420 });
  await page.goto(`${site.served.url}/events/invoices/edit`);
  await pressOn(page, "button", "Add a trigger");
  const menu = await page.waitForSelector(".menu:popover-open");
  const box = await menu?.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(420);
  await page.keyboard.press("ArrowUp");
  expect(await focused(page)).toBe("A plugin that decides");
  const last = await menu?.$eval("button:last-child", (one) => one.getBoundingClientRect().bottom);
  expect(last).toBeLessThanOrEqual(420);
});

inBrowser("a dialog that changes a record says so", async () => {
  const { page } = site.watched;
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${site.served.url}/groups/main`);
  await pressOn(page, ".head button[aria-haspopup]");
  await pressOn(page, ".menu:popover-open button", "Edit");
  await page.waitForSelector("dialog[open]");
  expect(await page.$eval("dialog[open] h2", (one) => one.textContent)).toBe("Edit Main Group");
});

inBrowser("a refused definition shows the reason in its form alone", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/tags/new`);
  await fill(page, "Title", "Once more");
  await fill(page, "Id", "slow");
  await press(page, "Create tag");
  await page.waitForSelector("form footer [role=alert]");
  expect(await page.$$eval(".toast", (all) => all.length)).toBe(0);
});

inBrowser("a refused trial of a plugin says so beside its button", async () => {
  const { page } = site.watched;
  const plugin = { id: "heat", title: "Heat", type: "monitor", command: "/bin/sh", enabled: true };
  await site.store.box.api.createPlugin(plugin as Parameters<typeof site.store.box.api.createPlugin>[0]);
  await page.goto(`${site.served.url}/plugins/heat`);
  await press(page, "Run once");
  await page.waitForSelector("[role=status] pre");
  expect(await page.$$eval(".toast", (all) => all.length)).toBe(0);
  await page.select("select", "event");
  expect(await (await field(page, "What an abort ends")).evaluate((one) => (one as HTMLSelectElement).value)).toBe(
    "parent",
  );
  await says(page, "The program and all that it started");
  await press(page, "Add a parameter");
  await page.waitForSelector(".own-control fieldset");
  const offered = await page.$$eval(".own-control option", (all) => all.map((one) => one.textContent));
  expect(offered).toContain("Long text");
  expect(offered).toContain("Date and time");
  expect(offered).not.toContain("textarea");
});
