import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { analyseText, defineCollection, type ReadTx, type Storage, type StoredRecord } from "@signalbox/core/storage";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { rounds } from "../../core/test/rounds.ts";
import { sqliteStorage } from "./index.ts";

interface Page extends StoredRecord {
  readonly body: string;
}
const pages = defineCollection<Page>({
  name: "pages",
  noun: "Page",
  text: { body: ({ body }) => analyseText(body) },
});

const folder = mkdtempSync(join(tmpdir(), "signalbox-counts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS = ["lamp", "wire", "zip"] as const;
const totalOf = async (tx: ReadTx, word: string): Promise<number> => {
  const where = { kind: "text", field: "body", phrases: [analyseText(word)] } as const;
  return (await tx.collection(pages).find(where, { limit: 0 })).total;
};
const totals = (storage: Storage): Promise<number[]> =>
  storage.read(async (tx) => {
    const found: number[] = [];
    for (const word of WORDS) found.push(await totalOf(tx, word));
    return found;
  });
const byHand = async (storage: Storage): Promise<number[]> => {
  const all = await storage.read((tx) => tx.collection(pages).list());
  return WORDS.map((word) => all.filter(({ body }) => body.split(" ").includes(word)).length);
};

test("a cached total is up to date, whichever connection wrote since", async () => {
  const filename = join(folder, "history.db");
  const storage = sqliteStorage({ filename });
  await storage.open([pages]);
  const host = new DatabaseSync(filename);
  const step = fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    body: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }).map((words) => words.join(" ")),
    act: fc.constantFrom("put", "put", "delete"),
    by: fc.constantFrom("us", "host"),
    fails: fc.boolean(),
  });
  const put = (target: Pick<Storage, "write">, { id, body, act, fails }: { [key: string]: unknown }) =>
    target.write(async (tx) => {
      const all = tx.collection(pages);
      const page = { id: String(id), body: String(body) };
      const isThere = (await all.get(page.id)) !== undefined;
      if (act === "delete") await all.delete(page.id);
      else if (isThere) await all.update(page.id, () => page);
      else await all.insert(page);
      // Only this transaction may see its own rows in the counts.
      await totalOf(tx, "lamp");
      if (fails) throw new Error("stop");
    });
  const writeAs = {
    us: (one: { [key: string]: unknown }) => put(storage, one).catch(() => undefined),
    host: async (one: { [key: string]: unknown }) => {
      host.exec("begin immediate");
      const ended = await put(storage.adopt(host), one).then(
        () => "commit",
        () => "rollback",
      );
      expect(await totals(storage)).toEqual(await byHand(storage));
      host.exec(ended);
    },
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      for (const one of steps) {
        await writeAs[one.by](one);
        const expected = await byHand(storage);
        expect(await totals(storage)).toEqual(expected);
        expect(await totals(storage)).toEqual(expected);
      }
    }),
    { numRuns: rounds(25, 60) },
  );
  host.close();
  await storage.close();
});

test("the same search is counted once as long as nothing is written", async () => {
  const filename = join(folder, "once.db");
  const storage = sqliteStorage({ filename });
  await storage.open([pages]);
  const insert = (id: string) => storage.write((tx) => tx.collection(pages).insert({ id, body: "lamp" }));
  await insert("a");
  const { prototype } = (await import("node:sqlite")).StatementSync;
  const { all } = prototype;
  let counted = 0;
  prototype.all = function (...values) {
    if (this.sourceSQL.startsWith("select count(*)")) counted += 1;
    return all.apply(this, values as never);
  };
  try {
    for (let turn = 0; turn < 3; turn++) expect((await totals(storage))[0]).toBe(1);
    expect(counted).toBe(WORDS.length);
    await insert("b");
    expect((await totals(storage))[0]).toBe(2);
    expect(counted).toBe(2 * WORDS.length);
  } finally {
    prototype.all = all;
  }
  await storage.close();
});
