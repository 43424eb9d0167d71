import { beforeAll, describe, expect, test } from "vitest";
import { configSchema } from "../../engine/config.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection, type StoredRecord } from "../../ports/storage/collection.ts";
import type { SearchNode } from "../../search/ast.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { DomainError } from "../errors/errors.ts";
import { nextRows, SearchInput, searchAll, searchCondition, searchPage } from "./search-page.ts";

interface Row extends StoredRecord {
  readonly kind: string;
  readonly at: number;
}
const collection = defineCollection<Row>({
  name: "rows",
  noun: "Row",
  columns: { at: { type: "integer", read: ({ at }) => at } },
  terms: { kind: ({ kind }) => [kind] },
});
const table: SearchTable = {
  fields: { kind: { kind: "keyword" }, at: { kind: "hour" } },
  defaultField: "kind",
  sorters: { time: "at" },
};
/** 2026-05-20 12:00 UTC */
const NOON = 1_779_278_400;
const HOUR = 3600;
const storage = memoryStorage();
const configOf = (tz: string) => configSchema.parse({ tz });

beforeAll(async () => {
  await storage.open([collection]);
  await storage.write(async (tx) => {
    for (let n = 0; n < 6; n++)
      await tx.collection(collection).insert({ id: `r${n}`, kind: n % 2 ? "odd" : "even", at: NOON - n * 3 * HOUR });
  });
});

const ask = (input: object, over: { restriction?: SearchNode; code?: string; tz?: string } = {}) =>
  storage.read(async (tx) => {
    const context = { tx, now: NOON, config: configOf(over.tz ?? "UTC") };
    const { rows, total } = await searchPage(context, SearchInput.parse(input), { collection, table, ...over });
    return `${rows.map(({ id }) => id).join(" ")} (${total})`;
  });

describe("a search", () => {
  test.each([
    [{}, "r5 (6)"],
    [{ query: null, limit: 2 }, "r5 r4 (6)"],
    [{ query: "", limit: 2 }, "r5 r4 (6)"],
    [{ query: " ", limit: 2 }, " (0)"],
    [{ query: "odd", limit: 10 }, "r5 r3 r1 (3)"],
    [{ query: "odd", limit: 10, sort_dir: 1 }, "r1 r3 r5 (3)"],
    [{ query: "odd", limit: "10", sort_dir: "1" }, "r1 r3 r5 (3)"],
    [{ query: "odd", limit: 10, sort_dir: "0.5" }, "r1 r3 r5 (3)"],
    [{ query: "odd", limit: 10, sort_dir: "-2" }, "r5 r3 r1 (3)"],
    [{ query: "odd", limit: 10, sort_dir: "up" }, "r5 r3 r1 (3)"],
    [{ query: "odd", limit: 10, sort_by: "time" }, "r1 r3 r5 (3)"],
    [{ query: "odd", limit: 0 }, "r5 (3)"],
    [{ query: "odd", limit: -5 }, "r5 (3)"],
    [{ query: "odd", limit: "many" }, "r5 (3)"],
    [{ query: "odd", limit: 10, offset: 1 }, "r3 r1 (3)"],
    [{ query: "odd", limit: 10, offset: "-1" }, "r5 r3 r1 (3)"],
    [{ query: "odd", limit: 10, offset: 99 }, " (3)"],
  ])("%j", async (input, answer) => {
    expect(await ask(input)).toBe(answer);
  });

  test("reads days in the zone of the installation", async () => {
    expect(await ask({ query: "at:today", limit: 10 })).toBe("r4 r3 r2 r1 r0 (5)");
    expect(await ask({ query: "at:today", limit: 10 }, { tz: "America/Los_Angeles" })).toBe("r1 r0 (2)");
  });

  test("keeps its restriction with every query", async () => {
    const restriction: SearchNode = { kind: "term", field: "kind", words: ["odd"] };
    for (const query of ["*", "", "even|odd|", "#id:r1|r0|r3|r5", '(kind = "odd" | kind = "even")'])
      expect(await ask({ query, limit: 10 }, { restriction })).toBe("r5 r3 r1 (3)");
    expect(await ask({ query: "#id:r0", limit: 10 }, { restriction })).toBe(" (0)");
  });

  test.each([
    [{ sort_by: "nope" }, undefined, "db", "Failed DB search: Error: Cannot find sorter: nope"],
    [{ sort_by: "constructor" }, "ticket", "ticket", "Failed DB search: Error: Cannot find sorter: constructor"],
    [{ query: '(nope = "x")' }, "ticket", "ticket", "Failed DB search: Unknown field: nope"],
    [{ query: "x".repeat(10_001) }, undefined, "db", "Failed DB search: The query is too long"],
  ])("%.40j is refused", async (input, code, wanted, description) => {
    const refusal = await ask(input, code === undefined ? {} : { code }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: wanted, description });
  });

  test("accepts only text as a query", () => {
    expect(SearchInput.safeParse({ query: 5 }).success).toBe(false);
  });
});

test("a condition reports the parts that it had to leave out", () => {
  const of = (query: string | undefined) =>
    searchCondition({ now: NOON, config: configOf("UTC") }, query, { collection, table }).dropped;
  expect([of("odd"), of(undefined), of("odd nope:x")]).toEqual([undefined, undefined, "Not understood: nope x"]);
});

describe("a reading of all rows", () => {
  test.each([
    ["a small row, four", 1, 10, 4],
    ["rows of some size, as many as it allows", 4, 200, 10],
    ["many small rows, the most", 20, 200, 50],
    ["a large row, one", 1, 5000, 1],
    ["large rows, fewer", 16, 4000, 2],
    ["empty rows, four times as many", 2, 0, 8],
  ])("takes after %s", (_name, rows, size, expected) => {
    expect(nextRows(rows, size, { size: 500, most: 50 })).toBe(expected);
  });

  test("begins with one, since each may have a megabyte", async () => {
    let reads = 0;
    const read: typeof storage.read = (work) => {
      reads++;
      return storage.read(work);
    };
    const context = { now: NOON, config: configOf("UTC"), read };
    const all = searchAll(context, { sort_by: "_id" }, { collection, table });
    const ids: string[] = [];
    for await (const { id } of all) {
      if (ids.length === 1) expect(reads).toBe(2);
      ids.push(id);
    }
    expect(ids).toEqual(["r5", "r4", "r3", "r2", "r1", "r0"]);
  });
});
