import { EventEmitter } from "node:events";
import { createSignalbox } from "@signalbox/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { openStorage, STORAGES } from "./open-storage.ts";
import { read } from "./start.ts";

const TICKETS = 130;
/** Rows of a page that one statement reads. */
const SMALL = 20;

interface Found {
  readonly rows: readonly { readonly id: string }[];
  readonly list: { readonly length: number };
}

async function open(name: string) {
  const storage = await openStorage(name);
  const engine = createSignalbox({ storage, secretKey: "a secret key for tests", plugins: [quickKeys] });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine);
  const headers = { "x-api-key": administratorKey, "content-type": "application/json" };
  const post = async (operation: string, body: object) =>
    (await read(await app.request(`/api/app/${operation}/v1`, { method: "POST", headers, body: JSON.stringify(body) })))
      .body;
  for (let n = 0; n < TICKETS; n++) {
    const ticket = {
      subject: `Ticket ${n}`,
      body: "x".repeat((n % 11) * 900),
      type: "issue",
      status: n % 4 ? "open" : "draft",
    };
    await post("create_ticket", ticket);
  }
  return (input: object): Promise<Found> => post("search_tickets", input);
}

/** The same rows, read in pages of one statement each. */
async function inSmallPages(search: (input: object) => Promise<Found>, input: { limit: number; offset?: number }) {
  const { limit, offset: from = 0 } = input;
  const rows: { readonly id: string }[] = [];
  for (;;) {
    const page = await search({ ...input, offset: from + rows.length, limit: Math.min(SMALL, limit - rows.length) });
    rows.push(...page.rows);
    if (page.rows.length < SMALL || rows.length === limit) return { rows, list: page.list };
  }
}

describe.each(STORAGES)("a long page over %s", (name) => {
  test("has the rows of many small ones, in any order, from any offset", async () => {
    const search = await open(name);
    for (const sort of [
      {},
      { sort_dir: 1 },
      { sort_by: "num" },
      { sort_by: "modified" },
      { sort_by: "modified", sort_dir: 1 },
    ])
      for (const part of [{ limit: 10_000 }, { limit: 70, offset: 33 }, { limit: 90, query: "status:open" }]) {
        const page = await search({ ...sort, ...part });
        const small = await inSmallPages(search, { ...sort, ...part });
        expect(page.rows, JSON.stringify({ sort, part })).toEqual(small.rows);
        expect(page.list).toEqual(small.list);
        expect(page.rows.length).toBe(Math.min(part.limit, page.list.length - (part.offset ?? 0)));
      }
  });
});

describe("pages of more than a megabyte", () => {
  const MEGABYTE = 1_048_576;
  const KEY = "administratorKeyForTests";

  /** The host's server object of one answer. */
  const answer = () => ({ outgoing: new EventEmitter() });

  /** Forty tickets of 50 KB, and room for one long answer. */
  async function openLarge() {
    const storage = await openStorage("memory");
    const config = { api: { max_body_memory: 16 * MEGABYTE } };
    const engine = createSignalbox({
      storage,
      config,
      administratorKey: KEY,
      secretKey: "a secret key for tests",
      plugins: [quickKeys],
    });
    await engine.start();
    onTestFinished(() => engine.stop());
    const body = "x".repeat(50_000);
    for (let n = 0; n < 40; n++)
      await engine.api.createTicket({ subject: `Large ${n}`, body, type: "issue", status: "open" });
    const app = createRouter(engine);
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    return async (env: object, query = "*"): Promise<Response> =>
      app.request(
        "/api/app/search_tickets/v1",
        { method: "POST", headers, body: JSON.stringify({ query, limit: 40 }) },
        env,
      );
  }

  test("reserve their memory before they are read, and release it when they are sent or fail", async () => {
    const search = await openLarge();
    const [first, second] = [answer(), answer()];
    const page = await search(first);
    const refused = await search(second);
    expect([page.status, refused.status]).toEqual([200, 503]);
    expect(await refused.json()).toMatchObject({ code: "api", description: expect.stringContaining("try again") });
    first.outgoing.emit("close");
    expect((await search(second)).status).toBe(200);
    second.outgoing.emit("close");
    for (let times = 0; times < 3; times++)
      expect((await (await search(answer())).text()).length).toBeGreaterThan(MEGABYTE);
  });
});
