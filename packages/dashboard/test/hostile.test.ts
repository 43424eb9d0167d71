import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { moveTo } from "./fixture/browser.ts";
import { openSite } from "./fixture/site.ts";
import type { Store } from "./fixture/store.ts";

/** Markup, a script's address, escapes, marks that reverse the direction, and a word too long for any line. */
const HOSTILE = `"><img src=x onerror="hit=1"><script>hit=2</script>\u202e\u0000\x1b[31mred\u2066${"W".repeat(3000)}`;
/** A title without angle brackets, which the server would refuse. */
const TITLE = `"onmouseover="hit=3" javascript:hit=4 \u202e${"W".repeat(200)}`;

const WIDTHS = [390, 1280] as const;

/** Only on the page of an address that leads nowhere. */
const NOT_FOUND = "main .empty a.btn";
/** An address that the pages take for another mount, and the overview, in whose document all others are shown. */
const LOADED = /^\/(?:%22.*)?$/;

let paths: readonly string[];

/** Creates an event, and a workflow that runs it. */
async function createWork({ api }: Store["box"]) {
  const { event } = await api.createEvent({
    ...{ title: TITLE, category: "billing", targets: ["worker_1"], enabled: true, plugin: "shellplug", algo: "random" },
    ...{ params: { script: HOSTILE, annotate: false, json: false }, notes: HOSTILE },
    triggers: [{ type: "manual", enabled: true }],
  } as unknown as Parameters<typeof api.createEvent>[0]);
  const { event: flow } = await api.createEvent({
    ...{ title: `${TITLE} flow`, type: "workflow", category: "billing", enabled: true },
    triggers: [{ id: "start", type: "manual", enabled: true }],
    workflow: {
      nodes: [
        { id: "start", type: "trigger", x: 0, y: 0 },
        { id: "n1", type: "event", x: 300, y: 0, data: { event: event.id, params: { script: HOSTILE } } },
        { id: "n2", type: "note", x: 300, y: 200, data: { body: HOSTILE } },
      ],
      connections: [{ id: "c1", source: "start", dest: "n1", condition: HOSTILE }],
    },
  } as unknown as Parameters<typeof api.createEvent>[0]);
  return { event, flow };
}

/** Creates other records that pages show. */
async function createOthers({ api }: Store["box"]): Promise<void> {
  await api.createTicket({ subject: TITLE, body: HOSTILE, status: "open", due: 86_400 } as never);
  await api.createHeartbeat({
    id: "hostile",
    title: TITLE,
    every: 60,
    notes: HOSTILE,
    fail_words: [HOSTILE.slice(0, 200)],
  });
  await api.createCheck({
    ...{ id: "hostile", title: TITLE, type: "http", url: "https://shop.example/", notes: HOSTILE },
    contains: HOSTILE.slice(0, 900),
  });
}

async function prepare(store: Store): Promise<void> {
  const { api } = store.box;
  const { event, flow } = await createWork(store.box);
  await createOthers(store.box);
  const { id: failed } = await api.runEvent({ id: event.id });
  const { id: run } = await api.runEvent({ id: flow.id });
  for (let at = 0; at < 3; at += 1) await store.second();
  const { id: live } = await api.runEvent({ id: "index" });
  for (let at = 0; at < 3; at += 1) await store.second();
  const job = store.servers.flatMap(({ jobs }) => jobs).find(({ id }) => id === live);
  if (!job) throw new Error("No machine has the job");
  job.log(`${HOSTILE}\n`);
  job.finish({ code: 1, description: HOSTILE, data: { [TITLE]: HOSTILE } });
  for (let at = 0; at < 3; at += 1) await store.second();
  paths = [
    ...[`/${encodeURIComponent(TITLE)}`, "/", "/jobs", `/jobs?q=${encodeURIComponent(HOSTILE)}`, "/workflows"],
    ...["/heartbeats", "/heartbeats/hostile", "/checks", "/checks/hostile"],
    ...[failed, live].flatMap((id) =>
      ["", "/parameters", "/data", "/files", "/load", "/after", "/history"].map((tab) => `/jobs/${id}${tab}`),
    ),
    ...[`/jobs/${run}`, `/jobs/${run}?node=n1`, `/workflows/${flow.id}?node=n2`, `/workflows/${flow.id}/edit?node=n1`],
    `/jobs/${live}?q=${encodeURIComponent("/(<img/")}#L601`,
  ];
}

/** Shows another page in the same document. The page between leaves nothing of the previous one that could pass for the next. */
async function show(page: Page, path: string): Promise<void> {
  await moveTo(page, "/nowhere");
  await page.waitForSelector(NOT_FOUND);
  await moveTo(page, path);
  await page.waitForFunction(
    `!document.querySelector("${NOT_FOUND}") && document.querySelector("main h1, main .empty")`,
  );
}

const { site, inBrowser } = await openSite("Pages with hostile texts", { prepare });

inBrowser("hostile texts stay texts and break no layout, wide or narrow", async () => {
  const { page, faults } = site.watched;
  const over: string[] = [];
  for (const path of paths) {
    await page.setViewport({ width: WIDTHS[0], height: 900 });
    if (LOADED.test(path)) {
      await page.goto(site.served.url + path);
      await page.waitForSelector("main h1, main .empty");
    } else await show(page, path);
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      // What stays under way are the streams of the page's changes and of a job's log. Charts are drawn with the next frame.
      await page.waitForNetworkIdle({ idleTime: 50, concurrency: 2 });
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
      expect([path, await page.evaluate("typeof globalThis.hit")]).toEqual([path, "undefined"]);
      const px = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
      if (px > 1) over.push(`${path.slice(0, 60)} of ${width} px: ${px} px`);
    }
  }
  expect(over).toEqual([]);
  // Pointing at a row shows the whole of a cut text.
  await page.goto(`${site.served.url}/jobs`);
  const row = await page.waitForSelector("a.whole::-p-text(WWWW)");
  await row?.hover();
  await page.waitForFunction(`document.querySelector("a.whole:hover")?.title.includes("WWWW")`);
  expect(faults).toEqual([]);
});
