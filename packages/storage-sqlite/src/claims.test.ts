import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
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
    using database = new DatabaseSync(filename, { readOnly: true });
    const values = Array.from(texts[0]?.matchAll(/\?/g) ?? [], () => null);
    const plan = database.prepare(`explain query plan ${texts[0]}`).all(...values);
    const steps = plan.map(({ detail }) => detail);
    expect(steps).toContain("SEARCH sb_work USING INDEX sb_work_due (run_at<?)");
    // No sort either: the index provides the order.
    expect(steps).not.toContain("USE TEMP B-TREE FOR ORDER BY");
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
