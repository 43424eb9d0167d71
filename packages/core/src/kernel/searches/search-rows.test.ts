import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { configSchema } from "../../engine/config.ts";
import { JsonText } from "../../lib/json/json-text.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection, type StoredRecord } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { noReply, type Reply } from "../calls/context.ts";
import { DomainError } from "../errors/errors.ts";
import { SearchInput, searchPage } from "./search-page.ts";
import { readByIds, searchRows } from "./search-rows.ts";

interface Row extends StoredRecord {
  readonly kind: string;
  readonly at: number;
  readonly text: string;
}
const collection = defineCollection<Row>({
  name: "rows",
  noun: "Row",
  columns: { at: { type: "integer", read: ({ at }) => at } },
  terms: { kind: ({ kind }) => [kind] },
});
const table: SearchTable = {
  fields: { kind: { kind: "keyword" } },
  defaultField: "kind",
  sorters: { time: "at" },
};
const ROWS = 1200;
const storage = memoryStorage();
const config = configSchema.parse({});

beforeAll(async () => {
  await storage.open([collection]);
  await storage.write(async (tx) => {
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      ...{ id: `r${String(n).padStart(4, "0")}`, kind: n % 3 ? "many" : "few", at: n % 7, text: "x".repeat(n % 900) },
    }));
    await tx.collection(collection).insertMany(rows);
  });
});

const ask = (input: object, show: (row: Row) => unknown = ({ id }) => id, reply: Reply = noReply) =>
  storage.read((tx) =>
    searchRows({ tx, now: 0, config, reply }, SearchInput.parse(input), { collection, table }, { show }),
  );
const atOnce = (input: object) =>
  storage.read(async (tx) => {
    const { rows, total } = await searchPage({ tx, now: 0, config }, SearchInput.parse(input), { collection, table });
    return { rows: rows.map(({ id }) => id), total };
  });

describe("a page that is read in batches", () => {
  test.each([
    [{ limit: 10_000 }],
    [{ limit: 10_000, sort_dir: 1 }],
    [{ limit: 10_000, sort_by: "time" }],
    [{ limit: 10_000, sort_by: "time", sort_dir: 1 }],
    [{ limit: 700, offset: 333, sort_by: "time" }],
    [{ limit: 20, offset: 1190 }],
    [{ query: "few", limit: 300, offset: 50, sort_by: "time", sort_dir: 1 }],
    [{ query: "none", limit: 300 }],
    [{ limit: 1200 }],
    [{}],
  ])("has the rows of a page that is read at once: %j", async (input) => {
    expect(await ask(input)).toEqual(await atOnce(input));
  });

  test("yields to the loop between batches", async () => {
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns++) await nextTurn();
    })();
    await ask({ limit: 10_000 });
    isOver = true;
    await counting;
    expect(turns).toBeGreaterThan(2);
  });

  test("ends with the row that makes it 16 MiB long, and the next one continues there", async () => {
    const megabyte = "x".repeat(1_048_576);
    const show = ({ id }: Row) => ({ id, megabyte });
    const { rows, total } = await ask({ limit: 10_000, sort_dir: 1 }, show);
    expect([rows.length, total]).toEqual([16, ROWS]);
    const next = await ask({ limit: 1, offset: rows.length, sort_dir: 1 });
    expect(next.rows).toEqual(["r0016"]);
  });

  test.each([
    ["are shown as texts to a transport that takes them", true, false, '"R0000"'],
    ["are shown unchanged to all others", undefined, false, '"r0000"'],
    ["are shown unchanged where answers are checked", true, true, '"r0000"'],
  ])("records %s", async (_how, takesTexts, debug, expected) => {
    const reply: Reply = { ...noReply, ...(takesTexts ? { takesTexts } : {}) };
    const showText = (json: string) => JSON.stringify((JSON.parse(json) as Row).id.toUpperCase());
    const { rows } = await storage.read((tx) =>
      searchRows(
        { tx, now: 0, config: configSchema.parse({ debug }), reply },
        SearchInput.parse({ limit: 1, sort_dir: 1 }),
        { collection, table },
        { show: ({ id }) => id, showText },
      ),
    );
    expect(JSON.stringify(rows)).toBe(`[${expected}]`);
    expect((rows as unknown[])[0] instanceof JsonText).toBe(takesTexts === true && !debug);
  });

  describe("records of more than a megabyte", () => {
    const show = ({ id }: Row) => ({ id, text: "x".repeat(100_000) });

    test("ask for memory once, and shorter ones never", async () => {
      let asked = 0;
      const reply: Reply = {
        ...noReply,
        becomesLong() {
          asked += 1;
        },
      };
      expect((await ask({ limit: 40 }, show, reply)).rows).toHaveLength(40);
      expect(asked).toBe(1);
      await ask({ limit: 10 }, show, reply);
      expect(asked).toBe(1);
    });

    test("are read no further when there is none", async () => {
      let shown = 0;
      const counted = (row: Row) => {
        shown += 1;
        return show(row);
      };
      const full = new DomainError("api", "unavailable", "Too many.");
      const reply: Reply = {
        ...noReply,
        becomesLong() {
          throw full;
        },
      };
      await expect(ask({ limit: 40 }, counted, reply)).rejects.toBe(full);
      expect(shown).toBe(11);
    });
  });
});

describe("records by id", () => {
  const MIB = 1_048_576;
  const setUp = (length: number) => {
    const seen = { read: 0, long: 0, turns: 0 };
    const reply: Reply = { ...noReply, becomesLong: () => void seen.long++ };
    const read = async (ids: readonly string[]) => {
      seen.read += ids.length;
      return ids.map((id) => (id === "none" ? undefined : { id, text: "x".repeat(length) }));
    };
    return { seen, reply, read };
  };

  test("come in their order, with an error in place of a missing one", async () => {
    const { reply, read, seen } = setUp(1);
    const ids = [...Array.from({ length: 11 }, (_, n) => `r${n}`), "none", "r1"];
    const rows = await readByIds({ reply }, { ids, noun: "row" }, { read, show: ({ id }) => id });
    expect(rows).toEqual([...ids.slice(0, 11), { err: "Failed to locate row: none" }, "r1"]);
    expect(seen.long).toBe(0);
  });

  test("end with the one that brings the answer to 16 MiB, and are not read after it", async () => {
    const { reply, read, seen } = setUp(MIB);
    const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);
    const rows = await readByIds({ reply }, { ids, noun: "row" }, { read, show: (row) => row });
    expect(rows.slice(0, 16)).toMatchObject(ids.slice(0, 16).map((id) => ({ id })));
    expect(rows.slice(16)).toEqual(
      ids.slice(16).map((id) => ({ err: `Left out, because the answer is too long: ${id}` })),
    );
    expect(seen).toMatchObject({ read: 20, long: 1 });
  });

  test("yield to the event loop, also when most of each record is left out", async () => {
    const { reply, read } = setUp(100_000);
    let turns = 0;
    let isOver = false;
    const look = async (): Promise<void> => {
      for (; !isOver; turns++) await nextTurn();
    };
    const looking = look();
    const ids = Array.from({ length: 100 }, (_, n) => `r${n}`);
    await readByIds({ reply }, { ids, noun: "row" }, { read, show: ({ id }) => id });
    isOver = true;
    await looking;
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
