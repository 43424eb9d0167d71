import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCollection, type StoredRecord } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { allOf } from "../../core/src/search/ast.ts";
import { beyond, partsOf } from "../../core/src/search/beyond.ts";
import { sqliteStorage } from "./index.ts";

/** SQL texts that all connections of this process prepare while `work` runs. */
async function preparedBy(work: () => Promise<unknown>): Promise<string[]> {
  const { prepare } = DatabaseSync.prototype;
  const texts: string[] = [];
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    texts.push(sql);
    return prepare.call(this, sql, ...more);
  };
  try {
    await work();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
  return texts;
}

/** What SQLite does for a statement. */
function stepsOf(filename: string, text = ""): unknown[] {
  using database = new DatabaseSync(filename, { readOnly: true });
  const values = Array.from(text.matchAll(/\?/g), () => null);
  const plan = database.prepare(`explain query plan ${text}`).all(...values);
  return plan.map(({ detail }) => detail);
}

test("due work is found by its time, however much of the same kinds waits for later", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-claims-"));
  const filename = join(folder, "claims.db");
  const storage = sqliteStorage({ filename });
  try {
    await storage.open([]);
    const kinds = Array.from({ length: 40 }, (_, index) => `kind_${index}`);
    const claim = () => storage.work.claim({ node: "n", kinds, limit: 32, now: 1000, leaseSec: 60 });
    const texts = (await preparedBy(claim)).filter((text) => text.includes("sb_work"));
    expect(texts).toHaveLength(1);
    const steps = stepsOf(filename, texts[0]);
    expect(steps).toContain("SEARCH sb_work USING INDEX sb_work_due (run_at<?)");
    // No sort either: the index provides the order.
    expect(steps).not.toContain("USE TEMP B-TREE FOR ORDER BY");
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Note extends StoredRecord {
  readonly at: number | null;
}
const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  columns: { at: { type: "real", read: ({ at }) => at } },
});

test.each([true, false])(
  "pages after a record are read by the index, also for many records (descending: %s)",
  async (descending) => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-pages-"));
    const filename = join(folder, "pages.db");
    const storage = sqliteStorage({ filename });
    try {
      await storage.open([notes]);
      const order = { sortBy: "at", descending };
      const last = { id: "n1", revision: 1, at: 5 };
      for (const part of partsOf(order)) {
        const where = allOf([part, beyond(notes, order, last)]);
        const read = () =>
          storage.read((tx) => tx.collection(notes).find(where, { ...order, limit: 5, uncounted: true }));
        const [text] = (await preparedBy(read)).filter((prepared) => prepared.includes("sb_notes"));
        expect(stepsOf(filename, text)).not.toContain("USE TEMP B-TREE FOR ORDER BY");
      }
    } finally {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
