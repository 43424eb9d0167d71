import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";

const { site, inBrowser } = await openSite("Pages of the set-up");

const visit = async (path: string): Promise<Page> => {
  await site.watched.page.goto(site.served.url + path);
  return site.watched.page;
};

inBrowser("a channel is made, its form keeps whom it tells, and the list says so in words", async () => {
  const { box } = site.store;
  const page = await visit("/channels/new");
  await fill(page, "Title", "Night shift");
  await (await field(page, "People")).type("mara");
  await page.keyboard.press("Enter");
  await fill(page, "Further addresses", "night@ledgerly.example, desk@ledgerly.example");
  await (await field(page, "Web hook")).select("chat");
  await (await field(page, "Event that is run")).select("prune");
  await fill(page, "Most messages a day", "-5");
  await press(page, "Create channel");
  await page.waitForSelector(".field.bad input:focus");
  expect(await page.$eval(".field.bad .wrong", (one) => one.textContent)).toBe("Malformed parameter: max_per_day");
  await fill(page, "Most messages a day", "5");
  await press(page, "Create channel");
  await says(page, "Used by");
  const made = (await box.api.getChannels({})).rows.find(({ title }) => title === "Night shift");
  expect(made).toMatchObject({
    ...{ users: ["mara"], email: "night@ledgerly.example, desk@ledgerly.example", web_hook: "chat" },
    ...{ run_event: "prune", max_per_day: 5, enabled: true },
  });

  await box.api.createReceiver({ title: "By the night shift", type: "channel", channel: made?.id } as never);
  await says(page, "By the night shift");
  await (await field(page, "Web hook")).select("");
  await press(page, "Save");
  await says(page, "Saved.");
  expect((await box.api.getChannel({ id: made?.id ?? "" })).channel).toMatchObject({ web_hook: "", users: ["mara"] });
  await visit("/channels");
  await says(page, "Mara Lindqvist, night@ledgerly.example, desk@ledgerly.example, and Prune sessions");
  expect(site.watched.faults.filter((fault) => !fault.includes("400"))).toEqual([]);
});

inBrowser("a delivery that failed says of what it tells, and how another try goes", async () => {
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
  "a setting without a value takes a text, and a record is edited line by line with its secrets unseen",
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
    await says(page, "The stars stand for a secret.");
    const shown = await (await field(page, label)).evaluate((one) => (one as HTMLTextAreaElement).value);
    expect(JSON.parse(shown)).toMatchObject({ host: "mx", auth: { user: "ops" } });
    expect(shown.split("\n").length).toBeGreaterThan(4);
    expect(shown).not.toContain("Sunflower");
  },
);

inBrowser("an account needs a password, and its owner is told by mail when that is wanted", async () => {
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
  await pressOn(page, "label", "Send a mail that says where to sign in");
  await press(page, "Create account");
  await page.waitForFunction(`location.pathname === "/people/nina"`);
  const mail = await box.mails.waitFor(({ subject }) => subject.startsWith("Welcome to "));
  expect(mail.text).toContain("nina");
  expect(mail.text).not.toContain("lanterns");
});
