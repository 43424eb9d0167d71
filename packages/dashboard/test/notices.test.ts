import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { choose, field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("Notices", { base: "/ops" });

const pathOf = (page: Page): string => new URL(page.url()).pathname;

inBrowser("the list of rules names each rule's actions and routes", async () => {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/alert-rules`);
  await says(page, "Busy machines");
  const told = await page.$$eval("tbody tr", (rows) =>
    Object.fromEntries(rows.map((row) => [row.cells[0]?.innerText.trim(), row.cells[3]?.innerText])),
  );
  expect(told).toMatchObject({ "CPU is busy": "1 action and Busy machines", "Memory is short": "Information" });
  expect(told).toMatchObject({ "High CPU Load": "All machines" });
  await page.goto(`${site.served.url}/alert-rules/short`);
  await says(page, "Routes that may tell of it: Information.");
});

inBrowser("the receivers, channels, texts and reasons of a notice are two clicks away", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/notices`);
  const told = (await site.store.box.api.getProblems({})).rows.flatMap(({ members }) => members);
  const active = told.find((member) => member.ended === undefined && "duty" in member.told)?.invocation;
  expect(active).toBeDefined();
  const { on_duty } = await site.store.box.api.getRota({ id: "operations" });
  const { user } = await site.store.box.api.userAdminGetUser({ username: String(on_duty) });
  await says(page, `${user.full_name} Operations`);
  // A receiver that is a rota names the person on duty.
  await page.goto(`${site.served.url}/notices/routes`);
  await says(page, `On duty (now ${user.full_name}, until `);
  await page.goto(`${site.served.url}/alerts/${active}`);
  await says(page, `(On duty: now ${user.full_name}, until `);
  await page.goto(`${site.served.url}/notices/receivers`);
  await says(page, `Now ${user.full_name}, until `);
  await page.goto(`${site.served.url}/notices`);
  await pressOn(page, 'a.whole[href*="/notices/problems/"]');
  await says(page, "Who was told");
  expect(pathOf(page)).toMatch(/^\/ops\/notices\/problems\/pg/);
  await pressOn(page, 'a.whole[href*="/notices/no"]');
  await says(page, "As it was sent");
  const [notice] = (await site.store.box.api.searchNotices({ query: "receiver:operators outcome:sent", limit: 1 }))
    .rows;
  await page.goto(`${site.served.url}/notices/${notice?.id}`);
  await says(page, "Sent by mail");
  await says(page, "Told to Operators at");
  expect(await page.$eval(".pre", ({ textContent }) => textContent)).toBe(notice?.text);
  // The page of the alert says the same.
  await pressOn(page, '.linked a[href*="/alerts/"]');
  await page.waitForFunction(`location.pathname.includes("/alerts/")`);
  await says(page, "Told to Operators at");
  expect(faults).toEqual([]);
});

inBrowser("a notice of an alert's action names its address and no route", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const { rows } = await site.store.box.api.searchNotices({ query: "*", limit: 100 });
  const told = rows.find(({ title }) => title === "on-call@ledgerly.example");
  await page.goto(`${site.served.url}/notices/${told?.id}`);
  await says(page, "to on-call@ledgerly.example");
  await says(page, "Actions of the alert");
  expect(await page.$$('a[href*="/notices/routes/"], a[href*="/notices/receivers/"]')).toHaveLength(0);
  await pressOn(page, `a[href*="/notices/problems/${told?.problem}"]`);
  await says(page, "Told: on-call@ledgerly.example");
  expect(faults).toEqual([]);
});

inBrowser("a receiver and a route are created, tried and moved to the top", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/notices/receivers/new`);
  await (await field(page, "Title")).type("Bookkeeping");
  await choose(page, "What it is", "mail");
  await (await field(page, "Addresses")).type("books@ledgerly.example");
  await press(page, "Create receiver");
  await page.waitForFunction(`!location.pathname.endsWith("/new")`);
  const receiver = pathOf(page).split("/").at(-1) ?? "";
  expect((await site.store.box.api.getReceiver({ id: receiver })).receiver).toMatchObject({
    ...{ type: "mail", email: "books@ledgerly.example" },
  });

  await page.goto(`${site.served.url}/notices/routes/new`);
  await (await field(page, "Title")).type("Books");
  await choose(page, "Receivers", receiver);
  await choose(page, "Severities", "critical");
  await press(page, "Create route");
  await page.waitForFunction(`!location.pathname.endsWith("/new")`);
  const route = pathOf(page).split("/").at(-1) ?? "";
  expect((await site.store.box.api.getRoute({ id: route })).route).toMatchObject({
    ...{ match: { severities: ["critical"] }, steps: [{ after: 0, to: [receiver] }] },
  });
  await says(page, "Books");
  await press(page, "Try");
  await says(page, "Its list of severities does not name the firing.");
  const { on_duty } = await site.store.box.api.getRota({ id: "operations" });
  const { user } = await site.store.box.api.userAdminGetUser({ username: String(on_duty) });
  await choose(page, "Alert rule", "busy");
  await press(page, "Try");
  await says(page, `Tells On duty (${user.full_name}) and All administrators`);
  for (const place of [1, 0]) {
    await pressOn(page, 'button[aria-label="Earlier"]');
    await expect
      .poll(async () => {
        const { rows } = await site.store.box.api.getRoutes({});
        return rows.toSorted((a, b) => a.sort_order - b.sort_order).findIndex(({ id }) => id === route);
      })
      .toBe(place);
    await page.waitForFunction(
      `[...document.querySelectorAll(".linked b")].some((one) => one.closest("li").innerText.startsWith("${place + 1}"))`,
    );
  }
  expect(faults).toEqual([]);
});

inBrowser("a notice is sent again, and the result is shown", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const [notice] = (await site.store.box.api.searchNotices({ query: "receiver:operators outcome:sent", limit: 1 }))
    .rows;
  await page.goto(`${site.served.url}/notices/${notice?.id}`);
  // Until the receivers are loaded, the page shows their ids.
  await says(page, "Operators");
  await press(page, "Send again");
  await says(page, "On its way to Operators again.");
  await page.waitForFunction(`!location.pathname.endsWith("${notice?.id}")`);
  const again = await site.store.box.api.getNotice({ id: pathOf(page).split("/").at(-1) ?? "" });
  expect(again.notice).toMatchObject({ resent: notice?.id, receiver: "operators" });
  await says(page, "Once more");

  await page.goto(`${site.served.url}/notices/receivers`);
  await says(page, "Arrives");
  await pressOn(page, "main a", "Operators");
  await says(page, "The last notice arrived at");
  await press(page, "Send a test");
  await page.waitForSelector('[role="status"] .verdict .t-ok');
  expect(site.store.box.mails.filter(({ text }) => text.includes("tries this receiver out"))).toHaveLength(1);
  expect(faults).toEqual([]);
});

inBrowser("an unsaved route shows the notices of last week that it would have sent", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/notices/routes/busy`);
  await press(page, "Back-test");
  await page.waitForSelector(".verdict");
  const told = async () => {
    const said = await page.$eval(".verdict", ({ textContent }) => textContent);
    const [, sent, would] = /^(\d+) notices were sent in this time; (\d+) would have been/.exec(said) ?? [];
    return { sent: Number(sent), would: Number(would) };
  };
  const stored = await told();
  expect(stored.sent).toBeGreaterThan(0);
  expect(stored.would).toBeGreaterThan(0);
  // Without its second step administrators hear of nothing. The target of an action is named by its address, servers by theirs.
  const result = () => page.$$eval(".verdict, .verdict ~ *", (parts) => parts.map((one) => one.textContent).join());
  await expect.poll(result).toContain("All administrators");
  expect(await result()).toContain("on-call@ledgerly.example");
  await expect.poll(result).not.toMatch(/worker_2|db_1/);
  await pressOn(page, 'button[aria-label="Remove after 30 minutes"]');
  await press(page, "Back-test");
  await page.waitForFunction(
    `[...document.querySelectorAll("[role=status] tbody tr")].some((row) => /All administrators.*none$/s.test(row.innerText.trim()))`,
  );
  expect((await told()).would).toBeLessThan(stored.would);
  const { route } = await site.store.box.api.getRoute({ id: "busy" });
  expect(route.steps).toHaveLength(2);
  expect(faults).toEqual([]);
});

inBrowser("a shift is swapped and restored, and a user who may not edit routes is offered no edits", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/notices/rotas/operations`);
  await says(page, "Shifts of the next four weeks");
  await press(page, "Swap a shift");
  const who = await field(page, "Who takes it");
  // The rota's own members are offered at once, other accounts when they are loaded.
  await page.waitForSelector("dialog datalist option[value=admin]");
  const offered = await page.$$eval("dialog datalist:first-of-type option", (all) => all.map(({ value }) => value));
  expect(offered).toEqual(expect.arrayContaining(["admin", "jonas", "mara"]));
  await says(page, "Times in ");
  await who.click({ count: 3 });
  await who.type("jona");
  await says(page, "No account has this name: nobody would be on duty.");
  await who.type("s");
  await press(page, "Put on duty");
  await says(page, "Jonas Weber is on duty then.");
  await press(page, "Remove swap");
  await says(page, "Nobody has swapped a shift.");
  expect((await site.store.box.api.getRota({ id: "operations" })).rota.overrides).toEqual([]);

  const { page: other } = await newPage(browser);
  await enter(other, site.served.url, "mara");
  await other.goto(`${site.served.url}/notices/routes`);
  await says(other, "All machines");
  expect(await other.evaluate("document.body.innerText")).not.toContain("Create route");
  expect(faults).toEqual([]);
});

inBrowser("a problem is acknowledged as a whole", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const { rows } = await site.store.box.api.getProblems({});
  const open = rows.find(({ members }) => members.some(({ ended }) => ended === undefined));
  await page.goto(`${site.served.url}/notices/problems/${open?.id}`);
  const live = open?.members.filter(({ ended }) => ended === undefined) ?? [];
  await press(page, live.length === 1 ? "Acknowledge 1 firing" : `Acknowledge ${live.length} firings`);
  await fill(page, "Note", "On my way");
  await choose(page, "How long", "4");
  await pressOn(page, "dialog button[type=submit]");
  await says(page, "acknowledged.");
  const ids = live.map(({ invocation }) => invocation);
  const { alerts } = await site.store.box.api.getAlertInvocations({ ids });
  const acknowledged = { comment: "On my way", expires: expect.any(Number) };
  expect(alerts).toEqual(
    live.map(() => expect.objectContaining({ acknowledged: expect.objectContaining(acknowledged) })),
  );
  const { expires = 0, date = 0 } = alerts.flatMap((each) => ("err" in each ? [] : [each.acknowledged]))[0] ?? {};
  expect(Math.ceil((expires - date) / 3600)).toBeOneOf([4, 5]);
  await page.goto(`${site.served.url}/alerts/${ids[0]}`);
  await says(page, "Administrator is on it, until");
  expect(faults).toEqual([]);
});

inBrowser("heartbeat rules open as heartbeats, and a silence can name heartbeats alone", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/alert-rules/heartbeat_late`);
  await says(page, "Of the calls of its address");
  await pressOn(page, "main button", "Try");
  await says(page, "It is false on Offsite copy.");

  await page.goto(`${site.served.url}/alerts/silences?edit=new`);
  await fill(page, "Reason", "The other site moves");
  await pressOn(page, "dialog label", "Offsite copy");
  await pressOn(page, "dialog button[type=submit]");
  await says(page, "The silence “The other site moves” was saved.");
  const { rows } = await site.store.box.api.getSilences({});
  expect(rows.find(({ title }) => title === "The other site moves")).toMatchObject({
    ...{ servers: [], alerts: [], heartbeats: ["offsite"] },
  });
  await page.waitForFunction(
    `[...document.querySelectorAll("main td")].some((one) => one.innerText === "Offsite copy")`,
  );
  expect(faults).toEqual([]);
});

inBrowser("a check shows the answers of its address, runs on demand, and is silenced on its own", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/checks`);
  await pressOn(page, "main a", "Shop");
  await says(page, "Check Is Down");
  await says(page, "It answers as expected.");
  await says(page, "Answer time");
  await press(page, "Check now");
  await says(page, "Checked just now; the result is not stored.");
  await pressOn(page, "main button", "Silence");
  const choices = await page.waitForSelector("dialog select");
  expect(await choices?.evaluate((one) => one.textContent)).toContain("Everything on Shop");
  expect(faults).toEqual([]);
});
