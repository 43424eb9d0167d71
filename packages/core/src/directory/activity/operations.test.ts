import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { localClient } from "../../kernel/calls/context.ts";
import type { Cradle } from "../../kernel/container.ts";
import { systemClock } from "../../ports/clock.ts";
import { type LogFields, silentLogger } from "../../ports/logger.ts";
import { everything } from "../../search/ast.ts";
import { activityCollection } from "./collection.ts";
import { createActivityArchive } from "./services/archive.ts";

const from = (ip: string) => ({ ...localClient, ip, ips: [ip], headers: { "user-agent": "curl/8", accept: "*/*" } });

async function setUp(config: Record<string, unknown> = {}) {
  const probe = cradleProbe();
  const lines: unknown[] = [];
  const log = {
    ...silentLogger,
    debug: (fields: LogFields, message: string) => void lines.push({ ...fields, message }),
  };
  const engine = await startEngine({ plugins: [probe.plugin], config: { presets: false, ...config }, log });
  const { transact, storage } = probe.cradle();
  const note = (action: string, detail: object = {}, ip = "192.0.2.1", id = "joe") =>
    transact(async ({ audit }) => audit(action, { ...detail }), { actor: keyWith([], { id }), client: from(ip) });
  const count = () => storage.read(async (tx) => (await tx.collection(activityCollection).find(everything)).total);
  return { ...engine, cradle: probe.cradle, lines, count, note, transact, [Symbol.asyncDispose]: () => engine.stop() };
}

test("a line of the log reports each row, without the record", async () => {
  await using at = await setUp();
  await at.note("tag_create", { tag: { id: "t1", title: "One", notes: "kept out" } });
  const { rows } = await at.api.searchActivity({ query: "action:tag_create" });
  const fields = { component: "Transaction", code: "tag_create", activity: rows[0]?.id };
  expect(at.lines).toContainEqual({ ...fields, message: "One", username: "joe", ip: "192.0.2.1" });
});

describe("search_activity", () => {
  test("finds the newest row first and counts all of them", async () => {
    await using at = await setUp();
    await at.note("tag_create", { tag: { id: "t1", title: "One" } });
    await at.note("tag_update", { tag: { id: "t1", title: "Two" } });
    const { rows, list } = await at.api.searchActivity();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ action: "tag_update", description: "Two", username: "joe", useragent: "curl/8" });
    expect(list.length).toBeGreaterThanOrEqual(2);
    const all = await at.api.searchActivity({ query: "t1", limit: 100 });
    expect(all.rows.map(({ action }) => action)).toEqual(["tag_update", "tag_create"]);
  });

  test("pages with an exact total", async () => {
    await using at = await setUp();
    for (let n = 0; n < 7; n++) await at.note("notice", { description: `${n}`, keywords: ["paged"] });
    const page = await at.api.searchActivity({ query: "paged", offset: "2", limit: "3" } as never);
    expect(page.rows.map(({ description }) => description)).toEqual(["4", "3", "2"]);
    expect(page.list.length).toBe(7);
    const beyond = await at.api.searchActivity({ query: "paged", offset: 99, limit: 3 });
    expect(beyond).toEqual({ rows: [], list: { length: 7 } });
    const oldest = await at.api.searchActivity({ query: "paged", sort_dir: "1" } as never);
    expect(oldest.rows[0]?.description).toBe("0");
    expect((await at.api.searchActivity({ query: "paged", limit: 0 })).rows).toHaveLength(1);
  });

  test("finds by action, name, address and date", async () => {
    // In this time zone it is eleven at night.
    await using at = await setUp({ tz: "Etc/GMT+9" });
    await at.note("tag_create", { tag: { id: "t1", title: "T" } }, "192.0.2.9", "ann.lee");
    await at.clock.advance(3600);
    await at.note("tag_update", { tag: { id: "t1", title: "T" } });
    const actions = async (query: string) =>
      (await at.api.searchActivity({ query, limit: 10 })).rows.map(({ action }) => action);
    expect(await actions("action:tag_create")).toEqual(["tag_create"]);
    expect(await actions("Ann_Lee")).toEqual(["tag_create"]);
    expect(await actions("192.0.2.9")).toEqual(["tag_create"]);
    expect(await actions("t1 date:today")).toEqual(["tag_update"]);
    expect(await actions("t1 date:<today")).toEqual(["tag_create"]);
    expect(await actions("t1 -ann_lee")).toEqual(["tag_update"]);
    expect(await actions("-t1")).toEqual([]);
    expect(await actions('(action = "tag_create" | action = "tag_update")')).toEqual(["tag_update", "tag_create"]);
  });

  test("is for administrators and refuses a query that it cannot parse", async () => {
    await using at = await setUp();
    expect((await refusalOf(at.as(keyWith(["edit_tags"])).searchActivity())).code).toBe("access");
    expect(await refusalOf(at.api.searchActivity({ query: "(action = x)" }))).toEqual({
      code: "db",
      description: "Failed DB search: Expected a text in double quotes or a number at character 10",
    });
    expect(await refusalOf(at.api.searchActivity({ sort_by: "nope" }))).toEqual({
      code: "db",
      description: "Failed DB search: Error: Cannot find sorter: nope",
    });
    expect((await refusalOf(at.api.searchActivity({ query: 5 } as never))).code).toBe("api");
  });
});

describe("search_revision_history", () => {
  const plain = keyWith([]);

  test("gives the changes of one type without network data", async () => {
    await using at = await setUp();
    await at.note("tag_create", { tag: { id: "t1", title: "T" } });
    await at.note("category_update", { category: { id: "t1", title: "C" } });
    await at.note("secret_access", { secret: { id: "t1", title: "S" } });
    const { rows, list } = await at.as(plain).searchRevisionHistory({ type: "tags", query: "t1", limit: 10 });
    expect(list.length).toBe(1);
    expect(rows).toEqual([
      {
        id: expect.any(String),
        action: "tag_create",
        epoch: START,
        description: "T",
        username: "joe",
        keywords: ["t1", "joe"],
        cause: { kind: "api_key", id: "joe" },
        tag: { id: "t1", title: "T" },
      },
    ]);
    expect((await at.as(plain).searchRevisionHistory({ type: "secrets" })).list.length).toBe(0);
  });

  test.each([
    ["t1", 2],
    ["192.0.2.1", 0],
    ["keywords:192_0_2_1", 0],
    ["192.0.2.1|192.0.2.2", 0],
    ["t1|192.0.2.9", 2],
    ["joe -192.0.2.1", 2],
    ['(keywords = "192.0.2.1")', "Nope."],
  ])("a query of %s finds %j rows, and cannot find rows by address", async (query, expected) => {
    await using at = await setUp();
    await at.note("tag_create", { tag: { id: "t1", title: "T" } });
    await at.note("tag_update", { tag: { id: "t1", title: "T" } }, "192.0.2.2");
    const asked = at.as(plain).searchRevisionHistory({ type: "tags", query });
    if (typeof expected === "string") expect((await refusalOf(asked)).description).toBe(expected);
    else expect((await asked).list.length).toBe(expected);
  });

  test.each([
    [{ type: "jobs" }, "Invalid search type."],
    [{ type: "toString" }, "Invalid search type."],
    [{ type: "tags", query: "x action:user_login" }, "No."],
    [{ type: "tags", query: "ACTION : user_login" }, "No."],
    [{ type: "tags", query: ' (username = "x")' }, "Nope."],
  ])("refuses %j", async (input, description) => {
    await using at = await setUp();
    expect(await refusalOf(at.as(plain).searchRevisionHistory(input))).toEqual({ code: "search", description });
  });

  test.each([{ categories: ["c"] }, { groups: ["g"] }])("a caller limited to %j finds nothing", async (limits) => {
    await using at = await setUp();
    await at.note("tag_create", { tag: { id: "t1", title: "T" } });
    const limited = at.as(keyWith(["edit_tags"], limits));
    expect(await limited.searchRevisionHistory({ type: "tags" })).toEqual({ rows: [], list: { length: 0 } });
    const administrator = at.as(keyWith(["admin"], limits));
    expect((await administrator.searchRevisionHistory({ type: "tags" })).list.length).toBe(1);
  });
});

describe("the daily maintenance", () => {
  const MINUTE = 60;
  const never = new AbortController().signal;
  /** Creates an archive with its own limit, separate from the one in the engine's loop. */
  const archiveOf = ({ config, snapshot, transact }: Cradle, max_rows: number) =>
    createActivityArchive({
      clock: systemClock,
      ...{ snapshot, transact },
      config: { ...config, maintenance: "08:02", db_maint: { ...config.db_maint, activity: { max_rows } } },
    });

  test("keeps the newest rows, at the first turn and then once a day", async () => {
    await using at = await setUp();
    const archive = archiveOf(at.cradle(), 3);
    const fill = () =>
      at.transact(async ({ audit }) => {
        for (let n = 0; n < 1203; n++) audit("notice", { description: `old ${n}` });
      });
    await fill();
    await archive.maintain(START, never);
    expect(await at.count()).toBe(3);
    await fill();
    await at.clock.advance(1);
    for (const name of ["a", "b", "c"]) await at.note("notice", { description: name });
    await archive.maintain(START + MINUTE, never);
    expect(await at.count()).toBe(1209);
    await archive.maintain(START + 2 * MINUTE, never);
    const { rows } = await at.api.searchActivity({ limit: 10 });
    expect(rows.map(({ description }) => description)).toEqual(["c", "b", "a"]);
  });

  test("ends when its node stops leading, and continues where it was", async () => {
    await using at = await setUp();
    await at.note("notice");
    const before = await at.count();
    const archive = archiveOf(at.cradle(), 0);
    await archive.maintain(START, AbortSignal.abort());
    expect(await at.count()).toBe(before);
    await archive.maintain(START, never);
    expect(await at.count()).toBe(0);
  });
});
