import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../test/test-database.ts";
import { pgStorage } from "./index.ts";

let connectionString = "";
let beside: pg.Client;
beforeAll(async () => {
  connectionString = await createTestDatabase(inject("pgUrl"));
  beside = new pg.Client({ connectionString });
  await beside.connect();
});
afterAll(() => beside.end());

/** The tables as the first version wrote them: a row of JSON per point of each of the four systems. */
const firstForm = `
  drop table signalbox.sb_history_journal, signalbox.sb_history_chunks, signalbox.sb_history_series,
    signalbox.sb_history_shapes;
  delete from signalbox.sb_migrations where name >= '0002-history';
  create table signalbox.sb_timeline (system text collate "C" not null, bucket bigint not null,
    server text collate "C" not null, payload text not null, primary key (system, bucket, server));
  create table signalbox.sb_series (server text collate "C" not null, system text collate "C" not null,
    first bigint not null, last bigint not null, primary key (server, system));
  insert into signalbox.sb_timeline
    select 'hourly', minute, server, '[' || minute * 60 || ',1,{"load":' || minute || '.25}]'
    from generate_series(0, 699) as minute, unnest(array['s1', 's2']) as server;
  insert into signalbox.sb_timeline values ('daily', 0, 's1', '[0,2,{"load":1}]'),
    ('monthly', 3, 's1', '[10800,60,{"load":9},{"a1":true},{"rate":7},{"load":3}]')`;

test("the history in the first format is converted, except parts that are converted on reading", async () => {
  const first = pgStorage({ connectionString });
  await first.open([]);
  await first.close();
  await beside.query(firstForm);
  const storage = pgStorage({ connectionString });
  await storage.open([]);
  const read = (system: string, server = "s1") => storage.read((tx) => tx.timeline.latest({ server, system }, 10_000));
  for (const server of ["s1", "s2"])
    expect((await read("hourly", server)).map(({ epoch_div, totals }) => [epoch_div, totals["load"]])).toEqual(
      Array.from({ length: 700 }, (_unused, minute) => [minute, minute + 0.25]),
    );
  expect(await read("daily")).toEqual([]);
  const [hour] = await read("monthly");
  expect(hour).toMatchObject({ count: 60, alerts: { a1: true }, deltas: { rate: 7 }, counts: { load: 3 } });
  await storage.close();
  const { rows } = await beside.query("select 1 from pg_tables where tablename in ('sb_timeline', 'sb_series')");
  expect(rows).toEqual([]);
});
