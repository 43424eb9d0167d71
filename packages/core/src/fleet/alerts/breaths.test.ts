import { expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { localClient, systemActor } from "../../kernel/calls/context.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { serverCollection } from "../servers/collection.ts";

const start = useFleets();
const SERVERS = Array.from({ length: 160 }, (_, at) => ({ id: `s${at}`, hostname: `s${at}`, ip: "" }));

/** A clock that can be made to advance each time it is read. */
function createSlowClock() {
  const clock = fakeClock(undefined, { together: true });
  let elapsedMs = 0;
  let stepMs = 0;
  const monotonicMs = (): number => {
    elapsedMs += stepMs;
    return clock.monotonicMs() + elapsedMs;
  };
  return {
    clock: { ...clock, monotonicMs },
    /** Counts the turns of the event loop during `work`, in which every step takes long. */
    async turnsOf(work: () => Promise<unknown>): Promise<number> {
      let isOver = false;
      let turns = 0;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      stepMs = 10;
      await work();
      stepMs = 0;
      isOver = true;
      return turns;
    },
  };
}

/** An alert on sixty servers. */
async function setUp() {
  const { clock, turnsOf } = createSlowClock();
  const probe = cradleProbe();
  const {
    signalbox: { api },
    storage,
  } = await start({ clock, plugins: [probe.plugin] });
  await api.createAlert({ id: "hot", title: "Hot", expression: "alert == 1", message: "m" });
  const { activity, alerts, transact } = probe.cradle();
  const look = { date: clock.now(), groups: [], context: { alert: 1 }, isOver: () => false };
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

test("alerts that fire on many servers at once leave turns of the loop to others", async () => {
  const { fire, live, turnsOf } = await setUp();
  expect(await turnsOf(fire)).toBeGreaterThanOrEqual(SERVERS.length);
  expect(await live()).toBe(SERVERS.length);
});

test("so does the end of an alert that is disabled", async () => {
  const { api, fire, live, turnsOf } = await setUp();
  await fire();
  expect(await turnsOf(() => api.updateAlert({ id: "hot", enabled: false }))).toBeGreaterThanOrEqual(SERVERS.length);
  expect(await live()).toBe(0);
});

test("so do the states of an alert that is deleted, and many rows of the activity log", async () => {
  const { api, fire, log, turnsOf } = await setUp();
  await fire();
  const few = await turnsOf(() => api.getAlerts());
  expect(await turnsOf(() => api.deleteAlert({ id: "hot" }))).toBeGreaterThanOrEqual(few + 3);
  expect(await turnsOf(log)).toBeGreaterThanOrEqual(few + 3);
});

test("so does the explanation of an alert on many servers", async () => {
  const { api, fire, joinAll, turnsOf } = await setUp();
  await joinAll();
  await fire();
  const explained = () => api.explainAlert({ alert: "hot", limit: SERVERS.length });
  expect(await turnsOf(explained)).toBeGreaterThanOrEqual(2 * SERVERS.length);
  expect((await explained()).rows).toHaveLength(SERVERS.length);
});
