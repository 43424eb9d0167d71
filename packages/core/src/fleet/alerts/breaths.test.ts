import { expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { createSlowClock } from "../../../test/slow-clock.ts";
import { localClient, systemActor } from "../../kernel/calls/context.ts";
import { serverCollection } from "../servers/collection.ts";

const start = useFleets();
const SERVERS = Array.from({ length: 160 }, (_, at) => ({ id: `s${at}`, hostname: `s${at}`, ip: "" }));

/** An alert, and functions that use it on many servers. */
async function setUp() {
  const { clock, turnsOf } = createSlowClock();
  const probe = cradleProbe();
  const {
    signalbox: { api },
    storage,
  } = await start({ clock, plugins: [probe.plugin] });
  await api.createAlert({ id: "hot", title: "Hot", expression: "alert == 1", message: "m" });
  const { activity, alerts, transact } = probe.cradle();
  const look = { date: clock.now(), groups: [], context: { alert: 1 } };
  const fire = () =>
    transact((unit) => {
      const sampleOf = (server: (typeof SERVERS)[number]) => {
        const readings = alerts.evaluation.read({ ...look, server });
        return { unit, server, date: look.date, groups: [], readings };
      };
      return alerts.evaluation.advance(unit.tx, SERVERS.map(sampleOf));
    });
  const live = async () => (await api.searchAlerts({ query: "active:true alert:hot" })).list.length;
  const log = () =>
    transact((unit) => {
      const entry = { action: "notice", detail: { description: "d" } };
      const signed = { entry, actor: systemActor, client: localClient };
      return activity.writeMany(
        unit.tx,
        SERVERS.map(() => signed),
      );
    });
  const joinAll = () =>
    storage.write(async (tx) => {
      const record = { enabled: true, groups: [], autoGroup: false, created: 1, modified: 1, info: {} };
      for (const server of SERVERS) await tx.collection(serverCollection).insert({ ...record, ...server });
    });
  return { api, fire, joinAll, live, log, turnsOf };
}

test("alerts that fire on many servers at once yield to the loop", async () => {
  const { fire, live, turnsOf } = await setUp();
  expect(await turnsOf(fire)).toBeGreaterThanOrEqual(SERVERS.length);
  expect(await live()).toBe(SERVERS.length);
});

test("ending a disabled alert on many servers yields to the loop", async () => {
  const { api, fire, live, turnsOf } = await setUp();
  await fire();
  expect(await turnsOf(() => api.updateAlert({ id: "hot", enabled: false }))).toBeGreaterThanOrEqual(SERVERS.length);
  expect(await live()).toBe(0);
});

test("deleting an alert with many states, and writing many rows of the activity log, yields to the loop", async () => {
  const { api, fire, log, turnsOf } = await setUp();
  await fire();
  const few = await turnsOf(() => api.getAlerts());
  expect(await turnsOf(() => api.deleteAlert({ id: "hot" }))).toBeGreaterThanOrEqual(few + 3);
  expect(await turnsOf(log)).toBeGreaterThanOrEqual(few + 3);
});

test("explaining an alert on many servers yields to the loop", async () => {
  const { api, fire, joinAll, turnsOf } = await setUp();
  await joinAll();
  await fire();
  const explained = () => api.explainAlert({ alert: "hot", limit: SERVERS.length });
  expect(await turnsOf(explained)).toBeGreaterThanOrEqual(2 * SERVERS.length);
  expect((await explained()).rows).toHaveLength(SERVERS.length);
});
