import { fileURLToPath } from "node:url";
import type { ElementHandle, Page } from "puppeteer-core";
import { afterEach, expect } from "vitest";
import { field, press, pressOn, says, type } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";
import { PASSWORD } from "./fixture/store.ts";

const { site, inBrowser } = await openSite("Pages of administrators", {
  base: "/ops",
  prepare: (store) => store.run(),
  begin: (page) => page.setViewport({ width: 1280, height: 900 }),
});

afterEach(() => expect(site.watched.faults).toEqual([]));

/** Waits until no background work is running. */
const idle = () => expect.poll(async () => (await site.store.box.api.getInternalJobs({})).rows.length).toBe(0);

/** Selects all alerts of the list in one task of the page; resolves to their ids. */
const chooseAll = (page: Page): Promise<string[]> =>
  page.$$eval(".rows li:has(input)", (rows) =>
    rows.map((row) => {
      row.querySelector("input")?.click();
      return row.querySelector<HTMLAnchorElement>('a[href*="/alerts/"]')?.pathname.split("/").at(-1) ?? "";
    }),
  );

const find = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForSelector("dialog[open] .palette-find input");
  await page.type(".palette input", text);
};

inBrowser("several alerts are acknowledged at once, and undo takes the acknowledgements back", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/alerts`);
  await page.waitForSelector(".rows li input");
  // Looks only at the firings on the page, because others may begin and end meanwhile.
  const shown = await chooseAll(page);
  const states = async () =>
    (await site.store.box.api.getAlertInvocations({ ids: shown })).alerts.flatMap((one) => ("err" in one ? [] : [one]));
  const before = (await states()).filter(({ acknowledged, active }) => !acknowledged && active).map(({ id }) => id);
  expect(before.length).toBeGreaterThan(1);
  await press(page, `Acknowledge ${before.length}`);
  await says(page, `${before.length} alerts are yours.`);
  // One of them may end meanwhile.
  const taken = async () =>
    (await states()).filter(({ id, acknowledged }) => before.includes(id) && acknowledged).map(({ id }) => id);
  expect(await taken()).toEqual(before);
  await press(page, "Undo");
  await expect.poll(taken).toEqual([]);
});

inBrowser("several alerts are silenced at once, each on its own server", async () => {
  const { page } = site.watched;
  const silences = async () =>
    (await site.store.box.api.getSilences({})).rows.filter(({ title }) => title === "Works on the rack");
  await page.goto(`${site.served.url}/alerts`);
  await page.waitForSelector(".rows li input");
  const shown = await chooseAll(page);
  const rows = (await site.store.box.api.getAlertInvocations({ ids: shown })).alerts.flatMap((one) =>
    "err" in one ? [] : [one],
  );
  await press(page, `Silence ${rows.length}`);
  await (await field(page, "Reason")).type("Works on the rack");
  await press(page, "Silence");
  await says(page, "Silenced until");
  const named = (await silences()).flatMap(({ alerts, servers, events = [] }) =>
    [...(servers ?? []), ...(events ?? [])].map((place) => `${alerts} ${place}`),
  );
  expect(named.sort()).toEqual(rows.map(({ alert, server, subject }) => `${alert} ${subject?.id ?? server}`).sort());
  await press(page, "Undo");
  await expect.poll(silences).toEqual([]);
});

inBrowser("jobs are grouped by event, and the search for the jobs of one event can be kept", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/jobs`);
  await press(page, "By event");
  await page.waitForSelector("tbody .run-strip");
  expect(page.url()).toContain("group=event");
  const first = await page.$eval("[aria-label='Finished jobs by event'] tbody a", (link) => link.textContent);
  await pressOn(page, "[aria-label='Finished jobs by event'] tbody a", first);
  await page.waitForSelector(".chip");
  await press(page, "Save search");
  await (await field(page, "Name")).type("The sick one");
  await press(page, "Save");
  await page.waitForFunction(`document.querySelector(".saved a")?.textContent.includes("The sick one")`);
  await page.goto(`${site.served.url}/alerts`);
  await page.waitForSelector(".saved a");
  await pressOn(page, ".saved a");
  await page.waitForSelector(".chip");
  await page.waitForFunction(
    (title) => [...document.querySelectorAll("tbody a.whole")].some(({ textContent }) => textContent === title),
    {},
    first,
  );
  await press(page, "Forget search");
  await page.waitForFunction(`!document.querySelector(".saved")`);
});

inBrowser("several finished jobs are tagged at once, undo removes the tag, and selected jobs are deleted", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/jobs?q=event%3Amailbox`);
  await page.waitForSelector("[aria-label='Finished jobs'] tbody input");
  const tagged = async () => (await site.store.box.api.searchJobs({ query: "tags:slow", limit: 1 })).list.length;
  const chosen = await page.$$eval("[aria-label='Finished jobs'] tbody input", (boxes) =>
    boxes.slice(0, 3).map((box) => {
      (box as HTMLInputElement).click();
      return box.closest("tr")?.getAttribute("data-id") ?? "";
    }),
  );
  await press(page, "Tag 3");
  await page.waitForSelector(".menu:popover-open");
  await press(page, "Slow");
  await says(page, "3 jobs have the tag Slow.");
  expect(await tagged()).toBe(3);
  await press(page, "Undo");
  await expect.poll(tagged).toBe(0);
  await press(page, "Delete 3");
  await pressOn(page, "dialog button", "Delete 3");
  await says(page, "3 jobs are deleted.");
  const { rows } = await site.store.box.api.searchJobs({ query: "event:mailbox", limit: 1000 });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ id = "" }) => chosen.includes(id))).toEqual([]);
});

inBrowser("a text is found in the logs of matching jobs, with a link to its line", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/jobs?group=outputs&q=event%3Amailbox`);
  await type(page, ".seek input", "kaffee rösterei");
  await press(page, "Find");
  await page.waitForFunction(`/\\d+ of \\d+ jobs searched, found in [1-9o]/.test(document.body.innerText)`);
  await pressOn(page, ".seek-hits ol a");
  await page.waitForFunction(`/^#L\\d+$/.test(location.hash)`);
  await page.waitForSelector(".lines");
});

inBrowser("the search box finds people, jobs, keys and settings by words", async () => {
  const { page } = site.watched;
  // A rotation of the secret key ends running jobs.
  await site.store.box.api.runEvent({ id: "invoices" });
  await page.goto(`${site.served.url}/tags`);
  await page.waitForSelector("tbody tr");
  await find(page, "lindqvist");
  await page.waitForFunction(`document.querySelector(".hits")?.textContent.includes("Mara Lindqvist")`);
  await page.keyboard.press("Enter");
  await page.waitForFunction(`location.pathname === "/ops/people/mara"`);
  await page.waitForSelector(".may");
  await find(page, "invoice run");
  await page.waitForFunction(
    `[...document.querySelectorAll(".hits button")].some((hit) => hit.textContent.includes("Nightly invoice run ·"))`,
  );
  await page.keyboard.press("Escape");
  await find(page, "deployment");
  await page.waitForFunction(`document.querySelector(".hits")?.textContent.includes("DeploymentAPI keys")`);
  await page.keyboard.press("Escape");
  await find(page, "max_failed");
  await page.waitForFunction(
    `document.querySelector(".hits")?.textContent.includes("User.max_failed_logins_per_hour")`,
  );
  await page.keyboard.press("Enter");
  await page.waitForFunction(`document.querySelectorAll(".settings li").length === 1`);
});

inBrowser("the activity log is searched, and the details of a row open below it", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/system/logs`);
  await says(page, "5 of 5 lines");
  await (await field(page, "Contains the text")).type("MAIL SERVER");
  await press(page, "Find");
  await says(page, "2 of 5 lines");
  expect(page.url()).toContain("match=MAIL+SERVER");
  await pressOn(page, ".log-rows summary");
  await says(page, "mail.ledgerly.example");
});

inBrowser("a bucket is emptied at once, whole tables only after a word is typed", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/buckets/rates`);
  await press(page, "Empty it");
  await pressOn(page, "dialog button", "Empty it");
  await says(page, "It is empty.");
  expect((await site.store.box.api.getBucket({ id: "rates" })).data).toEqual({});

  await page.goto(`${site.served.url}/system`);
  const upload = (await page.waitForSelector("input[type=file]")) as ElementHandle<HTMLInputElement>;
  await upload.uploadFile(fileURLToPath(import.meta.url));
  await says(page, "acts.test.ts is not a backup: nothing was imported.");
  await press(page, "Choose …");
  await page.waitForSelector("dialog .boxes label");
  await page.$$eval("dialog .boxes label", (labels) =>
    labels
      .find(({ textContent }) => textContent === "Snapshots")
      ?.querySelector("input")
      ?.click(),
  );
  const button = "dialog button[type=submit]";
  expect(await page.$eval(button, (one) => (one as HTMLButtonElement).disabled)).toBe(true);
  await (await field(page, "Type delete to confirm")).type("delete");
  await press(page, "Delete 1 kind of data");
  await expect
    .poll(async () => (await site.store.box.api.searchSnapshots({ query: "*", limit: 1 })).list.length)
    .toBe(0);
  await idle();
  expect((await site.store.box.api.searchJobs({ query: "*", limit: 1 })).list.length).toBeGreaterThan(0);
});

inBrowser("the secret key is rotated by the form: the word, then the password", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/system`);
  await press(page, "Rotate");
  // As a phone writes it.
  await (await field(page, "Type rotate to confirm")).type("Rotate ");
  await (await field(page, "Your password")).type(PASSWORD);
  await press(page, "Rotate");
  await page.waitForFunction(`!document.querySelector("dialog[open]")`);
  const last = async () =>
    (await site.store.box.api.searchActivity({ query: "action:internal_job", limit: 1 })).rows[0];
  await expect.poll(last).toMatchObject({
    description: expect.stringMatching(/^Secret key rotation: finished \(/),
    job: { outcome: "done" },
  });
  expect((await site.store.box.api.decryptSecret({ id: "bank" })).fields).toHaveLength(2);
});
