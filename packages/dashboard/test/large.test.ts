import { expect } from "vitest";
import { connectFleet, copiesPlugin, makeCopies } from "./fixture/company/large.ts";
import { FIXTURE_PAGES, visit } from "./fixture/pages.ts";
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

inBrowser("the store is as large as it claims", async () => {
  const { api } = site.store.box;
  expect((await api.searchJobs({ query: "*", limit: 1 })).list.length).toBeGreaterThan(LARGE.jobs);
  expect((await api.searchTickets({ query: "*", limit: 1 })).list.length).toBeGreaterThan(LARGE.tickets);
  expect(Object.keys((await api.getServers({})).servers).length).toBeGreaterThan(SERVERS);
});

inBrowser.each([
  ...FIXTURE_PAGES,
  { name: "fleet", path: () => "/groups/fleet", ready: `.cells li:nth-child(${SERVERS})` },
])("$name opens over 10,000 jobs, 10,000 tickets and 500 servers", async (one) => {
  const { page, faults } = site.watched;
  await visit(page, site.store, one);
  expect(Number(await page.evaluate(`document.querySelectorAll("*").length`))).toBeLessThan(MOST_ELEMENTS);
  expect(faults).toEqual([]);
});
