import { hostname } from "node:os";
import type { NodeRow } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";

const { database, openStorage, terminate } = useDatabase();

const row = (id: string, members: Partial<NodeRow> = {}): NodeRow => ({
  ...{ id, host: `${id}.example.internal`, version: "1.2.3", protocol: 1, started: 1_795_253_600.5, state: "up" },
  ...{ satellites: 7, jobs: 3, load: 0.25, lagMs: 4, ...members },
});

test("a beat stores the node's row and reads the others' present rows", async () => {
  const { coordination } = await openStorage();
  const first = await coordination.beat(row("one"));
  expect(first).toMatchObject({ wasKnown: false, others: [] });
  expect(Math.abs(first.nowMs - Date.now())).toBeLessThan(60_000);
  expect(await coordination.beat(row("two", { state: "draining" }))).toMatchObject({
    wasKnown: false,
    others: [{ ...row("one"), beat: 1 }],
  });
  expect(await coordination.beat(row("one"))).toMatchObject({
    wasKnown: true,
    others: [{ ...row("two", { state: "draining" }), beat: 1 }],
  });
  expect((await coordination.beat(row("two"))).others).toEqual([{ ...row("one"), beat: 2 }]);
  await coordination.forgetNode("one");
  expect((await coordination.beat(row("two"))).others).toEqual([]);
  expect(coordination.machine?.host).toBe(hostname());
});

test("a beat gives up instead of waiting for a lock, and continues after its connection dropped", async () => {
  const { coordination } = await openStorage();
  await coordination.beat(row("one"));
  await database.admin.query("begin");
  // Locked until the rollback below: the beat must time out instead of waiting for it.
  await database.admin.query("select from signalbox.sb_nodes where id = 'one' for update");
  await expect(coordination.beat(row("one"))).rejects.toThrow(/statement timeout/);
  await database.admin.query("rollback");
  const { rows } = await database.admin.query(
    "select count(*)::int as pulses from pg_stat_activity where application_name = 'signalbox pulse' and datname = current_database()",
  );
  expect(rows).toEqual([{ pulses: 1 }]);
  await terminate("pulse");
  await expect.poll(() => coordination.beat(row("one")).catch(() => undefined)).toMatchObject({ wasKnown: true });
});
