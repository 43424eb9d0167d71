import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { sqliteStorage } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file as the first version did: a row of JSON per point of each of the four systems. */
async function writeFirstForm(filename: string): Promise<void> {
  const storage = sqliteStorage({ filename });
  await storage.open([]);
  await storage.close();
  const database = new DatabaseSync(filename);
  for (const name of ["journal", "chunks", "series", "shapes"]) database.exec(`drop table sb_history_${name}`);
  database.exec(`delete from sb_migrations where name >= '0002-history';
    alter table sb_work drop column queued_at;
    create table sb_timeline (system text not null, bucket integer not null, server text not null, payload text not null,
      primary key (system, bucket, server)) without rowid;
    create table sb_series (server text not null, system text not null, first integer not null, last integer not null,
      primary key (server, system)) without rowid`);
  database.exec("begin");
  const insert = database.prepare("insert into sb_timeline values (?, ?, ?, ?)");
  for (const server of ["s1", "s2"])
    for (let minute = 0; minute < 700; minute++) {
      insert.run("hourly", minute, server, JSON.stringify([minute * 60, 1, { load: minute / 4 }]));
      if (minute % 2 === 0) insert.run("daily", minute / 2, server, JSON.stringify([minute * 60, 2, { load: 1 }]));
    }
  insert.run("monthly", 3, "s1", JSON.stringify([10_800, 60, { load: 9 }, { a1: true }, { rate: 7 }, { load: 3 }]));
  insert.run("yearly", 0, "s1", JSON.stringify([0, 700, { load: 10 }]));
  database.exec("insert into sb_series values ('s1', 'hourly', 0, 699); commit");
  database.close();
}

test("the history in the first format is converted, except parts that are converted on reading", async () => {
  const filename = join(folder, "first.db");
  await writeFirstForm(filename);
  const storage = sqliteStorage({ filename });
  await storage.open([]);
  const read = (system: string, server = "s1") => storage.read((tx) => tx.timeline.latest({ server, system }, 10_000));
  for (const server of ["s1", "s2"]) {
    const minutes = await read("hourly", server);
    expect(minutes.map(({ epoch_div, totals }) => [epoch_div, totals["load"]])).toEqual(
      Array.from({ length: 700 }, (_unused, minute) => [minute, minute / 4]),
    );
  }
  expect(await read("daily")).toEqual([]);
  expect(await read("monthly")).toEqual([
    {
      epoch_div: 3,
      date: 10_800,
      count: 60,
      totals: { load: 9 },
      alerts: { a1: true },
      deltas: { rate: 7 },
      counts: { load: 3 },
    },
  ]);
  expect(await read("yearly")).toEqual([{ epoch_div: 0, date: 0, count: 700, totals: { load: 10 } }]);
  await storage.close();
  const database = new DatabaseSync(filename);
  const tables = database.prepare("select name from sqlite_master where name in ('sb_timeline', 'sb_series')").all();
  database.close();
  expect(tables).toEqual([]);
});

test("a packed minute takes few bytes, and a packed file answers after it is opened again", async () => {
  const filename = join(folder, "packed.db");
  const storage = sqliteStorage({ filename });
  await storage.open([]);
  const key = { server: "s1", system: "hourly" };
  const points = Array.from({ length: 1440 }, (_unused, minute) => ({
    epoch_div: minute,
    date: minute * 60,
    count: 1,
    totals: {
      load: Math.round(Math.sin(minute / 9) * 300) / 100,
      disk: 1e9 + minute * 4096,
      jobs: minute % 90 === 0 ? 1 : 0,
    },
  }));
  await storage.write((tx) => tx.timeline.putMany(points.map((point) => ({ ...key, point }))));
  while (await storage.write((tx) => tx.timeline.tidy("hourly", 1440, 16)));
  await storage.close();
  const database = new DatabaseSync(filename);
  const count = (text: string) => database.prepare(`select ${text} as n`).get()?.["n"];
  expect(count("(select count(*) from sb_history_journal)")).toBe(0);
  expect(Number(count("(select sum(length(payload)) from sb_history_chunks)")) / (1440 * 3)).toBeLessThan(1.5);
  database.close();
  const again = sqliteStorage({ filename });
  await again.open([]);
  expect(await again.read((tx) => tx.timeline.range(key, { from: 0, to: 1440, limit: 1440 }))).toEqual(points);
  await again.close();
});
