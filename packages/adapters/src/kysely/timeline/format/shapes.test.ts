import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { expect, test } from "vitest";
import type { SqlDialect, SqlRow, SqlSession } from "../../dialect.ts";
import { createCompiler } from "../../statements.ts";
import { compileShapes, recordOf } from "./shapes.ts";

const dialect = {
  name: "sqlite",
  kysely: {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  },
} satisfies Pick<SqlDialect, "name" | "kysely"> as unknown as SqlDialect;

function openShapes(hash?: (content: string, attempt: number) => number) {
  const database = new DatabaseSync(":memory:");
  database.exec("create table sb_history_shapes (id integer primary key, content text not null)");
  let statements = 0;
  const session: SqlSession = {
    async run({ sql }, parameters) {
      statements += 1;
      const rows = database.prepare(sql).all(...(parameters as SQLInputValue[])) as SqlRow[];
      return { rows, changes: rows.length };
    },
  };
  const open = () => compileShapes(createCompiler(dialect), dialect, hash);
  return { database, session, open, statements: () => statements };
}
const point = (...ids: string[]) => ({
  epoch_div: 1,
  date: 60,
  count: 1,
  totals: Object.fromEntries(ids.map((id) => [id, 1])),
});

test("a shape is recognised by its number, also in another process", async () => {
  const { session, open } = openShapes();
  const shape = await open().bind(session).of(point("b", "a"));
  expect(shape.totals.keys).toEqual(["b", "a"]);
  expect(await open().bind(session).get(shape.id)).toEqual(shape);
  expect(await open().bind(session).of(point("b", "a"))).toEqual(shape);
  expect((await open().bind(session).of(point("a", "b"))).id).not.toBe(shape.id);
});

test("points with and without changes per minute differ in shape", async () => {
  const { session, open } = openShapes();
  const shapes = open().bind(session);
  const plain = await shapes.of(point("a"));
  const empty = await shapes.of({ ...point("a"), deltas: {} });
  expect([plain.deltas, empty.deltas?.keys]).toEqual([undefined, []]);
});

test("a shape counts as stored only once its transaction is committed", async () => {
  const { database, session, open, statements } = openShapes();
  const registry = open();
  const lost: (() => void)[] = [];
  await registry.bind(session, (listener) => lost.push(listener)).of(point("a"));
  database.exec("delete from sb_history_shapes");
  const committed: (() => void)[] = [];
  const again = registry.bind(session, (listener) => committed.push(listener));
  const shape = await again.of(point("a"));
  expect(await open().bind(session).get(shape.id)).toEqual(shape);
  for (const listener of committed) listener();
  const before = statements();
  expect(await registry.bind(session).of(point("a"))).toEqual(shape);
  expect(statements()).toBe(before);
});

test("two shapes with the same hash get different numbers", async () => {
  const { session, open } = openShapes((_content, attempt) => 5 + attempt);
  const shapes = open().bind(session);
  const [first, second] = [await shapes.of(point("a")), await shapes.of(point("b"))];
  expect([first.id, second.id]).toEqual([5, 6]);
  expect([await shapes.get(5), await shapes.get(6)].map(({ totals }) => totals.keys)).toEqual([["a"], ["b"]]);
});

test("a number that is not stored is an error", async () => {
  const { session, open } = openShapes();
  await expect(async () => open().bind(session).get(4)).rejects.toThrow("the shape 4, which is not stored");
});

test("a record may have a member named like the prototype", () => {
  const keys = ["a", "__proto__"];
  const blank = Object.fromEntries(keys.map((key) => [key, 0]));
  expect(JSON.stringify(recordOf({ keys, blank }, [9, 1, 2], 1))).toBe('{"a":1,"__proto__":2}');
});
