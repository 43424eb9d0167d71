import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("What is saved", { base: "/ops" });

const api = () => site.store.box.api;
const open = async (path: string): Promise<Page> => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(site.served.url + path);
  return page;
};
const holds = async (page: Page, label: string): Promise<string> =>
  (await field(page, label)).evaluate((one) => (one as HTMLInputElement).value);

/** Empties a field by mouse and keyboard. */
async function empty(page: Page, label: string): Promise<void> {
  const input = await field(page, label);
  await input.click({ count: 3 });
  await input.press("Backspace");
}

inBrowser("a number that is taken out of a definition is gone", async () => {
  await api().createReceiver({ id: "few", title: "Few", type: "mail", email: "few@x.example", max_per_hour: 5 });
  const page = await open("/notices/receivers/few");
  await empty(page, "At most an hour");
  await press(page, "Save");
  await says(page, "Saved");
  const stored = (await api().getReceivers({})).rows.find(({ id }) => id === "few");
  expect(stored?.max_per_hour ?? null).toBeNull();
});

inBrowser("what is entered while a definition is saved stays entered", async () => {
  await api().createTag({ id: "late", title: "Late" });
  const page = await open("/tags");
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
  expect(await holds(page, "Notes")).toBe("first and second");
  await press(page, "Save");
  await expect.poll(async () => (await api().getTag({ id: "late" })).tag.notes).toBe("first and second");
});

inBrowser("no value of a secret is emptied because another one was replaced", async () => {
  const fields = ["ONE", "TWO"].map((name) => ({ name, value: `old ${name}` }));
  await api().createSecret({ id: "pair", title: "Pair", enabled: true, fields });
  const page = await open("/secrets/pair");
  await press(page, "Replace all values");
  await page.type('input[type="password"]', "new");
  await press(page, "Save");
  const isRefused = `document.querySelectorAll('input[type="password"]:invalid').length === 1`;
  await page.waitForFunction(isRefused);
  expect((await api().decryptSecret({ id: "pair" })).fields).toEqual(fields);
});

inBrowser("who is told of alerts may be set up by people who are no administrators", async () => {
  await api().createRole({ id: "routers", title: "Routers", enabled: true });
  const page = await open("/people/roles/routers");
  await pressOn(page, "main label", "Set up who is told of alerts");
  await press(page, "Save");
  await says(page, "Saved");
  expect((await api().getRoles({})).rows.find(({ id }) => id === "routers")?.privileges).toEqual({
    manage_routes: true,
  });
});

inBrowser("data of a bucket that a job writes take nothing away from what is being entered", async () => {
  await api().createBucket({ id: "both", title: "Both", enabled: true, data: { of: "job" } });
  const page = await open("/buckets/both");
  const area = await page.waitForSelector("textarea.mono");
  await area?.evaluate((one) => (one as HTMLTextAreaElement).select());
  await area?.type('{"of":"me"}');
  await api().updateBucket({ id: "both", notes: "now", data: { of: "another job" } });
  await says(page, "The data were changed meanwhile.");
  expect(await page.$eval("textarea.mono", (one) => (one as HTMLTextAreaElement).value)).toBe('{"of":"me"}');
  await press(page, "Discard");
  await page.waitForFunction(`document.querySelector("textarea.mono").value.includes("another job")`);
});

inBrowser("a setting that another has set while it was edited is not written over", async () => {
  const page = await open("/configuration?q=job_env");
  await pressOn(page, 'button[aria-label="Edit job_env"]');
  await page.type("main form textarea", " ");
  await api().adminUpdateConfig({ job_env: { THEIRS: "1" } });
  await page.waitForFunction(`document.querySelector("main .chip.still")`);
  await press(page, "Save");
  await says(page, "Somebody else set it meanwhile");
  expect((await api().adminGetConfig({})).config["job_env"]).toEqual({ THEIRS: "1" });
});

inBrowser("no undo is offered for a setting whose value comes back in stars", async () => {
  await api().adminUpdateConfig({ mail_settings: { host: "mail", port: 25, auth: { user: "u", pass: "one" } } });
  const page = await open("/configuration?q=mail_settings");
  await pressOn(page, 'button[aria-label="Edit mail_settings"]');
  await page.$eval("main form textarea", (one) => (one as HTMLTextAreaElement).select());
  await page.type("main form textarea", '{"host":"mail","port":25,"auth":{"user":"u","pass":"two"}}');
  await press(page, "Save");
  await page.waitForSelector(".toast");
  expect(await page.$eval(".toast", (one) => one.textContent)).not.toContain("Undo");
});

inBrowser("a layer of a rota that is taken out takes no other with it", async () => {
  const page = await open("/notices/rotas/new");
  for (const count of [1, 2]) {
    await press(page, "Add layer");
    await page.waitForFunction((n) => document.querySelectorAll("fieldset.turns").length === n, {}, count);
  }
  await pressOn(page, "fieldset.turns button", "Remove");
  await page.waitForFunction(`document.querySelectorAll("fieldset.turns").length === 1`);
});

inBrowser("a silence keeps its times to the second, and says in which zone its hours are", async () => {
  const end = Date.parse("2026-11-18T22:00:37Z") / 1000;
  const recurring = { from: "22:00", to: "06:00", weekdays: [], timezone: "Asia/Tokyo" };
  const { silence } = await api().createSilence({ title: "Nights", alerts: ["busy"], end, recurring });
  const page = await open(`/alerts/silences?edit=${silence.id}`);
  await fill(page, "Notes", "mine");
  await press(page, "Save");
  await says(page, "22:00–06:00 (Tokyo)");
  await expect.poll(async () => (await api().getSilence({ id: silence.id })).silence.notes).toBe("mine");
  expect((await api().getSilence({ id: silence.id })).silence.end).toBe(end);
});
