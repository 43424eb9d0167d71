import { expect } from "vitest";
import { connectFleet, copiesPlugin, makeCopies } from "./fixture/large.ts";
import { FIXTURE_PAGES } from "./fixture/pages.ts";
import { openSite } from "./fixture/site.ts";

const LARGE = { jobs: 10_000, tickets: 10_000 };
const SERVERS = 500;
/** Elements of the fullest page: lists show a part at a time. The grid of 500 servers alone has 2,500. */
const MOST_ELEMENTS = 6000;

const { site, inBrowser } = await openSite("Pages over a large store", {
  settings: { plugins: [copiesPlugin] },
  async prepare({ box }) {
    await makeCopies(box, LARGE);
    await connectFleet(box, SERVERS);
  },
  async begin(page, url) {
    await page.goto(`${url}/`);
    await page.waitForSelector("main#main h1");
  },
});

/** Goes to an address like "back" does: loading the page again would compile all scripts again. */
const moveTo = (path: string): string =>
  `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`;

inBrowser("the store is as large as it claims", async () => {
  const { api } = site.store.box;
  expect((await api.searchJobs({ query: "*", limit: 1 })).list.length).toBeGreaterThan(LARGE.jobs);
  expect((await api.searchTickets({ query: "*", limit: 1 })).list.length).toBeGreaterThan(LARGE.tickets);
  expect(Object.keys((await api.getServers({})).servers).length).toBeGreaterThan(SERVERS);
});

inBrowser.each([
  ...FIXTURE_PAGES,
  { name: "fleet", path: () => "/groups/fleet", ready: `.cells li:nth-child(${SERVERS})` },
])("$name opens over 10,000 jobs, 10,000 tickets and 500 servers", async ({ name, path, ready }) => {
  const { page, faults } = site.watched;
  const address = await path(site.store);
  // The selector must not match the previous page.
  await page.evaluate(moveTo(name === "not-found" ? "/tags" : "/nowhere"));
  await page.waitForFunction(`!document.querySelector(${JSON.stringify(ready)})`);
  await page.evaluate(moveTo(address));
  await page.waitForSelector(ready);
  expect(Number(await page.evaluate(`document.querySelectorAll("*").length`))).toBeLessThan(MOST_ELEMENTS);
  expect(faults).toEqual([]);
});
