import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { enter, newPage } from "./fixture/browser.ts";
import { choose, fill, press, pressOn } from "./fixture/hands.ts";
import { openPages } from "./fixture/site.ts";

const { browser, site, inBrowser } = await openPages("Workflows");

async function add(page: Page, kind: string): Promise<void> {
  await pressOn(page, ".logbar button[aria-haspopup]");
  await page.waitForSelector(".menu:popover-open");
  await pressOn(page, ".menu:popover-open button", kind);
  await page.waitForSelector(".aside");
}

inBrowser("a workflow of three nodes is built, saved and run, and its job shows how each of them stands", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/workflows/new`);
  await page.waitForSelector(".port");
  await page.type("input[name=title]", "Two steps");
  await add(page, "Event");
  await page.waitForFunction(`document.querySelector(".logbar [role=status]").textContent === "1 fault"`);
  await choose(page, "Event", "rates");
  // Wires the trigger to the event: c, then the target.
  await page.click("[data-node=start]");
  await page.keyboard.press("c");
  await page.click("[data-node=n1]");
  await page.waitForSelector(".wire");
  await page.click("[data-node=n1]");
  await page.waitForFunction(`document.querySelector("[data-node=n1]").getAttribute("aria-pressed") === "true"`);
  await add(page, "Event");
  await choose(page, "Event", "payouts");
  // The new node is after the selected one and wired to it; then only the wire is removed.
  await page.waitForFunction(`document.querySelectorAll(".wire").length === 2`);
  await page.click("[data-node=n1]");
  await pressOn(page, ".wirelist button");
  await page.waitForFunction(`document.querySelectorAll(".wire").length === 1`);
  // Drags a wire from the port of the first node to the second.
  const port = await (await page.$("[data-port=n1]"))?.boundingBox();
  const target = await (await page.$("[data-node=n2]"))?.boundingBox();
  if (!port || !target) throw new Error("The nodes are not drawn");
  await page.mouse.move(port.x + port.width / 2, port.y + port.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + 20, target.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(`document.querySelectorAll(".wire").length === 2`);
  await page.waitForFunction(`document.querySelector(".logbar [role=status]").textContent === "No faults"`);
  await pressOn(page, ".head .btn.primary");
  await page.waitForFunction(`/^\\/workflows\\/e\\w+$/.test(location.pathname)`);
  // The address changes before the page does; until then, the editor's button is still there.
  await pressOn(page, ".head .btn.primary", "Run now");
  await page.waitForFunction(`location.pathname.startsWith("/jobs/")`);
  await page.waitForFunction(`document.querySelectorAll(".node.k-event.s-ok").length === 2`);
  await page.click("[data-node=n2]");
  await page.waitForSelector(".aside .parts a");
  const [event] = (await site.store.box.api.getEvents({})).rows.filter(({ title }) => title === "Two steps");
  const graph = event?.["workflow"] as { connections: { source: string; dest: string; condition?: string }[] };
  expect(graph.connections.map(({ source, dest, condition }) => [source, dest, condition])).toEqual([
    ["start", "n1", undefined],
    ["n1", "n2", "success"],
  ]);
  // Runs from a node on; the nodes before it do not run.
  await page.goto(`${site.served.url}/workflows/${event?.id}?node=n2`);
  await press(page, "Run from here");
  await page.waitForFunction(`location.pathname.startsWith("/jobs/")`);
  await page.waitForFunction(`document.querySelectorAll(".node.k-event.s-ok").length === 1`);
  expect(
    await page.$$eval(".node.s-ok [data-node]", (nodes) => nodes.map((node) => node.getAttribute("data-node"))),
  ).toEqual(["n2"]);
  expect(faults).toEqual([]);
});

inBrowser("nodes, wires and conditions have accessible names, in the graph and in its list", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/workflows/closing`);
  const node = (id: string) =>
    page.$eval(`[data-node=${id}]`, (one) => [...one.querySelectorAll("b, b + span")].map((each) => each.textContent));
  await page.waitForSelector(".wire text");
  expect(await node("start")).toEqual(["Trigger", "By hand"]);
  expect(await node("slow")).toEqual(["At most 1 h", "Limit"]);
  expect(await node("tell")).toEqual(["Send a mail, ops@example.com", "Action"]);
  expect(await page.$$eval(".wire text", (all) => all.map((one) => one.textContent))).toEqual(["on failure"]);
  await press(page, "List");
  await page.waitForFunction(
    `document.querySelector("main").innerText.includes("Send a mail, ops@example.com (on failure)")`,
  );
  await page.goto(`${site.served.url}/workflows/closing/edit?node=invoices`);
  const choice = '[aria-label="Condition of the wire to Send a mail, ops@example.com"] option:checked';
  await page.waitForSelector(choice);
  expect(await page.$eval(choice, (one) => one.textContent)).toBe("on failure");
  expect(faults).toEqual([]);
});

inBrowser("the button on a wire inserts a node, and undo removes it", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/workflows/closing/edit`);
  await page.waitForSelector(".between button");
  const wires = () => page.$$eval(".wire", (all) => all.length);
  const before = await wires();
  await pressOn(page, '.between button[aria-label^="Add between Trigger and"]');
  await page.waitForSelector(".menu:popover-open");
  expect(await page.$$eval(".menu:popover-open button", (all) => all.map((one) => one.textContent))).not.toContain(
    "Note",
  );
  await pressOn(page, ".menu:popover-open button", "Wait");
  await page.waitForSelector(".aside");
  expect(await wires()).toBe(before + 1);
  await press(page, "Undo");
  await page.waitForFunction((count) => document.querySelectorAll(".wire").length === count, {}, before);
  expect(faults).toEqual([]);
});

inBrowser("an action of a node has labelled fields for its parameters", async () => {
  const { api } = site.store.box;
  await api.createEvent({ ...(await api.getEvent({ id: "closing" })).event, id: "yearly", title: "Yearly" } as never);
  const { page } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/workflows/yearly/edit?node=tell`);
  await fill(page, "Mail to", "duty@example.com");
  await choose(page, "Type", "channel");
  await choose(page, "Channel", "oncall");
  await press(page, "Save");
  await page.waitForFunction(`location.pathname.endsWith("/workflows/yearly")`);
  const { event } = await api.getEvent({ id: "yearly" });
  const { nodes } = event["workflow"] as { nodes: { id: string; data?: object }[] };
  expect(nodes.find(({ id }) => id === "tell")?.data).toMatchObject({ type: "channel", channel_id: "oncall" });
});
