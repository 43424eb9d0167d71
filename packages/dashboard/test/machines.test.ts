import { expect } from "vitest";
import { enter, newPage, type WatchedPage } from "./fixture/browser.ts";
import { choose, field, fill, pressOn, press as pressText, says } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openSite("The pages");

const reads = (selector: string, text: string) =>
  site.watched.page.waitForFunction(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
  );
const press = (selector: string, text: string) => pressOn(site.watched.page, selector, text);
const firing = async (alert: string) =>
  (await site.store.box.api.searchAlerts({ query: `active:true alert:${alert}`, limit: 1 })).rows[0];

inBrowser("an alert says why it fires and who was told, is acknowledged with a note, and silenced", async () => {
  const { page, faults } = site.watched;
  const alert = await firing("busy");
  await page.goto(`${site.served.url}/#Alerts?id=${alert?.id}`);
  await reads(".say", "The load average is");
  await reads(".chain", "Mail to on-call@ledgerly.example");
  await page.waitForSelector(".plot svg");
  await press(".foot button", "Acknowledge");
  await page.type("dialog textarea", "Restarting the worker");
  await pressOn(page, "dialog button[type=submit]");
  await reads(".chain", "Restarting the worker");
  expect(await firing("busy")).toMatchObject({
    acknowledged: { username: "admin", comment: "Restarting the worker" },
  });

  await press(".foot button", "Silence");
  await page.waitForSelector("dialog select");
  await page.type("dialog input", "Planned work");
  await pressOn(page, "dialog button[type=submit]");
  await reads(".toast", "Silenced until");
  const { rows } = await site.store.box.api.getSilences({});
  expect(rows.find(({ title }) => title === "Planned work")).toMatchObject({
    ...{ alerts: ["busy"], servers: ["worker_2"], in_force: true },
  });
  expect(faults).toEqual([]);
});

inBrowser("an alert is linked to an existing ticket, and unlinked again", async () => {
  const { page, faults } = site.watched;
  const { id = "" } = (await firing("busy")) ?? {};
  const { ticket } = await site.store.box.api.getTicket({ num: 1 });
  const linked = async () => (await firing("busy"))?.tickets;
  await page.goto(`${site.served.url}/alerts/${id}`);
  await press('.foot [aria-label^="More"]', "");
  await press('[role="menuitem"]', "Add to a ticket");
  await fill(page, "Number of the ticket", "4711");
  await press("dialog button[type=submit]", "Add to a ticket");
  await reads("dialog", "There is no ticket 4711.");
  await fill(page, "Number of the ticket", "#1");
  await press("dialog button[type=submit]", "Add to a ticket");
  await reads(".toast", "was added to ticket 1.");
  expect(await linked()).toEqual([ticket.id]);

  await press('.foot [aria-label^="More"]', "");
  await press('[role="menuitem"]', "Add to a ticket");
  await press("dialog li button", "");
  await reads(".toast", "was removed from ticket 1.");
  expect(await linked()).toEqual([]);
  expect(faults).toEqual([]);
});

inBrowser(
  "servers are sorted by when their disk fills up; a server's charts are zoomed, and it is watched",
  async () => {
    const { page, faults } = site.watched;
    await page.goto(`${site.served.url}/servers?sort=full`);
    await reads("h1", "db-1 runs out of disk");
    expect(await page.evaluate(`document.querySelector("tbody a").textContent`)).toBe("db-1");
    await pressOn(page, "tbody a");
    await page.waitForSelector(".plot svg");
    await reads(".lane", "Disk Full");
    for (const tone of ["warn", "none"]) await page.waitForSelector(`.area .fired.t-${tone}`);
    await page.focus(".plot");
    await page.keyboard.press("PageUp");
    await page.waitForFunction(
      `document.querySelectorAll(".plot .pointed").length === document.querySelectorAll(".plot").length`,
    );
    await reads(".lanes .at b", ":");
    await page.keyboard.press("Escape");
    await page.waitForFunction(`document.querySelector(".plot .pointed") === null`);
    const box = await (await page.$(".plot .area"))?.boundingBox();
    if (!box) throw new Error("there is no chart");
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(`/[?&]from=\\d+&to=\\d+/.test(location.search)`);
    await page.waitForSelector(".lanes .axis");
    await press(".head button", "Watch for an hour");
    await reads(".toast", "each minute for an hour");
    await reads(".head", "A snapshot each minute until");
    await press(".head button", "End the watch");
    await reads(".head button", "Watch for an hour");
    expect(faults).toEqual([]);
  },
);

inBrowser("a server page requests the lists its charts need, and the forecast once charts are drawn", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/servers/db_1?range=day`);
  const isInOrder = await page.waitForFunction(() => {
    const calls = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const found = (name: string) => calls.find((call) => call.name.includes(`/${name}/`));
    const lists = ["get_monitors", "get_alerts", "get_groups"].map(found);
    const [server, readings] = [found("get_server"), found("get_historical_monitor_data")];
    const latest = found("get_latest_monitor_data");
    if (!server || !readings || !latest || !lists.every((list) => list !== undefined)) return;
    return [...lists.map((list) => list.startTime < server.responseEnd), latest.startTime > readings.responseEnd];
  });
  expect(await isInOrder.jsonValue()).toEqual([true, true, true, true]);
  expect(faults).toEqual([]);
});

inBrowser("a rule is tried on a server with reports, and a server without any is named", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/alert-rules/short`);
  await page.waitForSelector(".trial select");
  const chosen = () => page.$eval(".trial select", (one) => one.value);
  expect(await chosen()).not.toBe("web_1");
  await pressOn(page, ".trial button", "Try");
  await says(page, " on web-1");
  expect(await chosen()).toBe("web_1");
  const silent = await page.$eval(".trial option", (one) => [one.value, one.textContent] as const);
  await page.select(".trial select", silent[0]);
  await pressOn(page, ".trial button", "Try");
  await says(page, `${silent[1]} has not reported yet`);
  expect(await page.$$eval(".toast", (all) => all.length)).toBe(0);
});

inBrowser("a rule is changed, tried on a server, back-tested and saved", async () => {
  const { page, faults } = site.watched;
  await page.goto(`${site.served.url}/alert-rules/short`);
  await page.waitForSelector(".rule-form textarea");
  await page.click(".rule-form textarea", { count: 3 });
  await page.type(".rule-form textarea", "d > 9 ||");
  const readings = ".rule-form select[aria-label='Insert a reading']";
  await page.waitForSelector(`${readings} option[value='monitors.mem_used']`);
  await page.select(readings, "monitors.mem_used");
  await page.type(".rule-form textarea", " > 12000000000");
  await page.waitForSelector(".trial option[value=db_1]");
  await page.select(".trial select", "db_1");
  await press(".trial button", "Try");
  await reads(".verdict", "It is true on db-1");
  await reads(".verdict", "No reading of d there.");
  await press(".trial button", "Back-test");
  await reads(".verdict", "It would have fired");
  await press(".foot button", "Save");
  await reads(".toast", "was saved");
  const { alert } = await site.store.box.api.getAlert({ id: "short" });
  expect(alert).toMatchObject({ expression: "d > 9 || monitors.mem_used > 12000000000", tags: ["memory"], samples: 2 });
  expect(faults).toEqual([]);
});

inBrowser("a rule depends on another, has a severity and a duration, and may be about events", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  const rule = async () => (await site.store.box.api.getAlert({ id: "short" })).alert;
  await page.goto(`${site.served.url}/alert-rules/short`);
  await choose(page, "Severity", "critical");
  await (await field(page, "Only when it holds for")).type("5");
  await page.select('select[aria-label="Only when it holds for: unit"]', "minutes");
  await (await field(page, "Ends only while this is true")).type("monitors.mem_used < 10");
  await pressOn(page, "fieldset label", "CPU is busy");
  await pressText(page, "Save");
  await says(page, "was saved.");
  expect(await rule()).toMatchObject({
    ...{ severity: "critical", for: 300, recovery: "monitors.mem_used < 10", depends_on: ["busy"] },
  });
  // The page is told of its save with the next second of the clock.
  await site.store.second();
  await says(page, "Held back while one of these is firing");
  await page.goto(`${site.served.url}/alert-rules/busy`);
  await says(page, "Held back while it is firing");
  await page.goto(`${site.served.url}/alert-rules`);
  await says(page, "holds back, while firing: Memory is short");
  await page.waitForFunction(`document.querySelectorAll(".wires .wire").length === 5`);
  await pressOn(page, ".node a", "CPU is busy");
  await page.waitForFunction(`location.pathname.endsWith("/alert-rules/busy")`);

  await page.goto(`${site.served.url}/alert-rules/new`);
  await (await field(page, "Name")).type("Late by hand");
  for (const [about, found] of [
    ["heartbeat", "(On (one heartbeat|\\d heartbeats) it would not|It would have fired .*Nightly)"],
    ["check", "(On one check it would not|It would have fired .*Shop)"],
    ["presence", "(On \\d+ servers it would not|It would have fired .*-\\d)"],
  ] as const) {
    await choose(page, "About", about);
    await pressText(page, "Back-test");
    await page.waitForFunction(`/${found}/.test(document.querySelector(".verdict")?.innerText ?? "")`);
  }
  await choose(page, "About", "event");
  await pressText(page, "Try");
  await says(page, "on Import bank statements");
  await pressText(page, "Create rule");
  await page.waitForFunction(`!location.pathname.endsWith("/new")`);
  const { rows } = await site.store.box.api.getAlerts({});
  expect(rows.find(({ title }) => title === "Late by hand")).toMatchObject({ subject: "event" });
  expect(faults).toEqual([]);
});

/** Pretends that the storage has a second node, as on PostgreSQL; resolves to the calls that would drain nodes. */
async function besideAnother(page: WatchedPage["page"]): Promise<unknown[]> {
  const now = await site.store.box.api.getMasters({});
  const [own] = now.rows;
  const stats = { satellites: 7, jobs: 3, load: 0.42, lag_ms: 4, state: "draining" as const };
  const rows = [
    { ...own, master: true },
    { ...own, id: "n2", host: "web-2", master: false, version: "0.2.0", stats },
  ];
  const orders: unknown[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isOrder = request.url().includes("/drain_node/");
    if (!isOrder && !request.url().includes("/get_masters/")) return void request.continue();
    if (isOrder) orders.push(JSON.parse(request.postData() ?? ""));
    const answer = isOrder ? { code: 0 } : { code: 0, ...now, rows };
    return void request.respond({ contentType: "application/json", body: JSON.stringify(answer) });
  });
  return orders;
}

inBrowser("nodes are listed with their leader, and servers name their node", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/system`);
  await says(page, "This node");
  expect(await page.evaluate(`document.body.innerText.includes("answers you")`)).toBe(false);
  const orders = await besideAnother(page);
  await page.goto(`${site.served.url}/system`);
  for (const text of ["Leads", "answers you", "version 0.2.0", "Draining"]) await says(page, text);
  const own = (await site.store.box.api.getMasters({})).rows[0];
  await pressText(page, "Drain");
  await says(page, `Drain the node ${own?.host}?`);
  await pressOn(page, "dialog button", "Drain");
  await says(page, `${own?.host} is draining.`);
  expect(orders).toEqual([{ node: own?.id }]);
  await pressOn(page, "a", "7 satellites");
  await page.waitForFunction(`new URL(location.href).searchParams.get("q") === "node:n2"`);
  await page.waitForFunction(`document.querySelector(".chip")?.textContent.includes("web-2")`);
  expect(faults).toEqual([]);
});

inBrowser("a server is set to come and go, and depends on a check and another server", async () => {
  const { page, faults } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/servers/worker_2`);
  await pressOn(page, ".head button[aria-haspopup]");
  await pressOn(page, ".menu button", "Edit");
  await pressOn(page, "dialog label", "Comes and goes");
  await pressOn(page, "dialog fieldset label", "Shop");
  await pressOn(page, "dialog fieldset label", "worker-1");
  await pressText(page, "Save");
  await says(page, "was saved.");
  const { server } = await site.store.box.api.getServer({ id: "worker_2" });
  expect(server).toMatchObject({ ephemeral: true });
  expect(server.depends_on?.toSorted()).toEqual(["check:shop", "worker_1"]);
  for (const text of ["Dependencies", "Shop"]) await says(page, text);
  await page.goto(`${site.served.url}/servers/worker_1`);
  await says(page, "Needed by");
  await site.store.box.api.updateServer({ id: "worker_2", ephemeral: false, depends_on: [] });
  expect(faults).toEqual([]);
});

inBrowser("a heartbeat is created, its address is shown once, and its page lists its callers", async () => {
  const { page, faults } = site.watched;
  await page.goto(`${site.served.url}/heartbeats/new`);
  await fill(page, "Title", "Nightly dump");
  await press("main button[type=submit]", "");
  await says(page, "Copy it now");
  const url = await page.$eval("code.once", (one) => one.textContent);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe(url);
  const { token } = /\/heartbeat\/(?<token>[^/]+)$/.exec(url)?.groups ?? {};
  expect(token).toBeDefined();
  const answer = await fetch(`${site.served.url}/api/app/heartbeat/${token}/fail`, {
    ...{ method: "POST", body: "the disk is full" },
  });
  expect(answer.status).toBe(200);
  await page.goto(`${site.served.url}/heartbeats`);
  await press("main a", "Nightly dump");
  await says(page, "the disk is full");
  await says(page, "Heartbeat Tells of a Failure");
  expect(await page.$("code.once")).toBeNull();
  await press("main button", "Create a new address");
  await press("dialog button[type=submit]", "Create a new address");
  await expect.poll(focused).toMatch(/\/heartbeat\//);
  expect(await focused()).not.toBe(url);
  expect(faults).toEqual([]);
});
