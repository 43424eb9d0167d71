import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostEvent } from "@signalbox/core/plugin";
import pg from "pg";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { runProgram } from "../program.ts";

const cache = fileURLToPath(new URL("../../.cache/", import.meta.url));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "moving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The relevant columns of pg-boss 10 and 12. */
const TABLES = `create schema pgboss;
create table pgboss.queue (name text primary key, retry_limit int, retry_delay int, retry_backoff bool);
create table pgboss.schedule (name text, key text default '', kind text default 'cron', cron text, timezone text, data jsonb,
  options jsonb);
insert into pgboss.queue values ('daily-report', 3, 30, true), ('sweep', 0, 0, false);`;

let DATABASE_URL: string;
const inDatabase = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(sql);
  await client.end();
};
const print = () => runProgram("moving/from-pg-boss.ts", { env: { DATABASE_URL } });

beforeEach(async () => {
  DATABASE_URL = await createTestDatabase(inject("pgUrl"));
  await inDatabase(TABLES);
});

test("schedules of pg-boss become events with their times, zones, data and retries", async () => {
  await inDatabase(`insert into pgboss.schedule (name, key, cron, timezone, data) values
    ('daily-report', '', '30 6 * * 1-5', 'Europe/Berlin', '{"to": "\`ops\`"}'), ('sweep', 'hourly', '0 * * * *', null, null)`);
  const { stdout, stderr, code } = await print();
  expect([code, stderr]).toEqual([0, ""]);
  const file = join(folder, "events.ts");
  writeFileSync(file, stdout);
  const { event_daily_report: report, event_sweep_hourly: sweep } = (await import(file)) as Record<string, HostEvent>;
  const zone = { type: "schedule", timezone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5], hours: [6], minutes: [30] };
  expect(report).toMatchObject({
    ...{ id: "daily_report", title: "daily-report" },
    record: {
      params: { to: "`ops`" },
      limits: [{ type: "retry", enabled: true, amount: 3, duration: 30, backoff: 2 }],
      triggers: expect.arrayContaining([expect.objectContaining(zone)]),
    },
  });
  const hourly = expect.objectContaining({ timezone: "UTC", minutes: [0] });
  expect(sweep?.record).toMatchObject({ params: {}, limits: [], triggers: expect.arrayContaining([hourly]) });
});

test("options of a schedule override its queue's, and options without an equivalent are named", async () => {
  await inDatabase(`insert into pgboss.schedule (name, cron, timezone, options) values
    ('import', '0 5 * * *', 'Asia/Tokyo', '{"retryLimit": 5, "retryDelay": 60, "priority": 2, "tz": "Asia/Tokyo", "key": ""}'), ('sweep', '0 * * * *', null, '{}')`);
  const { stdout, code } = await print();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\/\/ Options of pg-boss that have no place here: "priority"\nexport const event_import /m);
  const file = join(folder, "options.ts");
  writeFileSync(file, stdout);
  const { event_import: imports, event_sweep: sweep } = (await import(file)) as Record<string, HostEvent>;
  expect(imports?.record).toMatchObject({ limits: [{ type: "retry", enabled: true, amount: 5, duration: 60 }] });
  expect(sweep?.record).toMatchObject({ limits: [] });
});

test("two schedules with the same event are refused", async () => {
  await inDatabase(
    `insert into pgboss.schedule (name, key, cron) values ('sweep', 'a b', '@daily'), ('sweep', 'a-b', '@daily')`,
  );
  const { stdout, stderr, code } = await print();
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("would be the event sweep_a_b");
});

test("schedules without an equivalent are named, and the others are printed", async () => {
  const long = "x".repeat(80);
  await inDatabase(`insert into pgboss.schedule (name, kind, cron) values
    ('seconds', 'cron', '*/10 * * * * *'), ('nth', 'cron', '0 9 * * 1#1'), ('rule', 'rrule', 'FREQ=DAILY'), ('${long}', 'cron', '@daily')`);
  const { stdout, stderr, code } = await print();
  const notes = [
    expect.stringMatching(/^nth was not moved: .*1#1/),
    "rule was not moved: it has a rule of iCalendar: write its triggers yourself",
    expect.stringMatching(/^seconds was not moved: .* needs five fields/),
  ];
  expect([code, stderr.trim().split("\n")]).toEqual([1, notes]);
  for (const line of stderr.trim().split("\n")) expect(stdout).toContain(`// ${line}\n`);
  const file = join(folder, "others.ts");
  writeFileSync(file, stdout);
  const events = Object.values((await import(file)) as Record<string, HostEvent>);
  expect(events.map(({ id }) => id)).toEqual(["x".repeat(64)]);
});
