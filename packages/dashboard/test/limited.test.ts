import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { fill, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";
import { PASSWORD } from "./fixture/store.ts";

/** Lea's reach is the group "main", and she may create silences. */
const { browser, site, inBrowser } = await openPages("Pages of limited people", {
  async prepare({ box: { api } }) {
    await api.createGroup({ id: "racks", title: "Racks", hostname_match: "(?!)" } as never);
    await api.updateServer({ id: "worker_2", autoGroup: false, groups: ["main", "racks"] } as never);
    await api.updateServer({ id: "db_2", autoGroup: false, groups: ["racks"] } as never);
    await api.createRole({
      id: "main",
      title: "Main",
      privileges: { silence_alerts: true },
      groups: ["main"],
    } as never);
    const lea = { username: "lea", full_name: "Lea", email: "lea@ledgerly.example", password: PASSWORD };
    await api.userAdminCreate({ ...lea, roles: ["main"], privileges: {} } as never);
    await api.userAdminCreate({ ...lea, username: "tim", categories: ["billing"], privileges: {} } as never);
    await api.createSilence({ title: "For all", alerts: ["busy"], end: Date.parse("2026-11-18T22:00:00Z") / 1000 });
  },
});

const api = () => site.store.box.api;
const silences = async () => (await api().getSilences({})).rows;

async function open(path: string, who = "lea"): Promise<Page> {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url, who);
  await page.goto(`${site.served.url}${path}`);
  await page.waitForSelector(".live.is-live");
  return page;
}

/** Lengths of a silence that the dialog offers. */
const HOURS = 5;
const choices = (page: Page) => page.$$eval("dialog option", (all) => all.map((one) => one.textContent));

inBrowser("alerts and servers offer silences only for groups within the viewer's reach", async () => {
  const [alert] = (await api().searchAlerts({ query: "active:true alert:busy server:worker_2", limit: 1 })).rows;
  const page = await open(`/alerts/${alert?.id}`);
  await pressOn(page, ".foot button", "Silence");
  // Silencing the alert on all servers is not offered.
  await expect.poll(() => choices(page)).toHaveLength(3 + HOURS);
  await page.goto(`${site.served.url}/servers/worker_2`);
  await pressOn(page, ".head button[aria-haspopup]");
  await pressOn(page, '[role="menuitem"]', "Silence");
  await expect.poll(async () => (await choices(page)).join()).toMatch(/worker-2.*Main Group/);
  expect((await choices(page)).join()).not.toContain("Racks");
  await page.goto(`${site.served.url}/groups/racks`);
  await page.waitForSelector("main .empty");
  expect(await page.evaluate(`document.querySelector("main").innerText`)).not.toContain("Silence");
});

inBrowser("the address of a form says that the account lacks the privilege", async () => {
  const page = await open("/tickets/new");
  await says(page, "No access");
  for (const path of ["/tags/new", "/workflows/closing/edit", "/alert-rules/new"]) {
    await page.goto(site.served.url + path);
    await says(page, "No access");
  }
  expect(await page.$("main form")).toBe(null);
});

inBrowser("the page of a server beyond reach says so, links to the list and offers no retry", async () => {
  const page = await open("/servers/db_2");
  await says(page, "No access");
  expect(await page.$$eval("main .btn", (all) => all.map((one) => one.textContent))).toEqual(["Servers"]);
});

inBrowser("the overview silences a firing on a server within reach", async () => {
  const page = await open("/");
  await pressOn(page, ".g-need button[aria-haspopup]", "Silence");
  await pressOn(page, ".menu:popover-open button", "For");
  await says(page, "is silenced on");
  expect((await silences()).some(({ title }) => title.includes("1 h"))).toBe(true);
});

inBrowser("a silence of all servers is visible and not editable for users with limits", async () => {
  const page = await open("/alerts/silences");
  await says(page, "For all");
  const rows = await page.$$eval("main tbody tr", (all) =>
    all.map((row) => [row.textContent?.includes("For all"), row.querySelectorAll("button").length]),
  );
  expect(rows.find(([isForAll]) => isForAll)?.[1]).toBe(0);
  expect(rows.length).toBeGreaterThan(1);
  await page.goto(`${site.served.url}/alerts/silences?edit=new`);
  await fill(page, "Reason", "Works");
  await page.waitForSelector("dialog .boxes");
  await pressOn(page, "dialog label", "CPU is busy");
  await says(page, "because your account sees only some of them");
  expect(await page.$eval("dialog button[type=submit]", (one) => (one as HTMLButtonElement).disabled)).toBe(true);
  await pressOn(page, "dialog label", "Main Group");
  await press(page, "Create silence");
  await says(page, "“Works” was saved.");
  expect((await silences()).find(({ title }) => title === "Works")).toMatchObject({
    groups: ["main"],
    alerts: ["busy"],
  });
});
