import { expect, test } from "vitest";
import { rotaCollection, routeCollection } from "../../core/src/desk/notices/collection.ts";
import { alertCollection } from "../../core/src/fleet/alerts/collection.ts";
import { checkCollection } from "../../core/src/fleet/checks/collection.ts";
import { silenceCollection } from "../../core/src/fleet/silences/collection.ts";
import type { WebHookRequest } from "../../core/src/ports/outside/web-hook-client.ts";
import type { CollectionDefinition, StoredRecord } from "../../core/src/ports/storage/collection.ts";
import { eventCollection } from "../../core/src/work/events/collection.ts";
import { beatCollection, heartbeatCollection } from "../../core/src/work/heartbeats/collection.ts";
import { cradleProbe, recordingLogger, startEngine } from "../../core/test/engine.ts";
import { hot, hotMinute, join } from "../../core/test/fleet/alert-setup.ts";
import { useFleets } from "../../core/test/fleet/fleet.ts";
import { openStorage } from "./open-storage.ts";

const start = useFleets();

/** A service that answers every request, and the requests to it. */
function answering() {
  const requests: WebHookRequest[] = [];
  const send = async (request: WebHookRequest) => {
    requests.push(request);
    return { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 5 };
  };
  return { requests, webHooks: { send } };
}

type Cradle = ReturnType<ReturnType<typeof cradleProbe>["cradle"]>;
type Members = Readonly<Record<string, unknown>>;

/** Changes a stored record without any checks, as an older version or a restored copy may have left it. */
const spoil = <T extends StoredRecord>(
  { transact }: Cradle,
  collection: CollectionDefinition<T>,
  id: string,
  members: Members,
) => transact(({ tx }) => tx.collection(collection).update(id, (stored) => ({ ...stored, ...members })));

const always = { from: "00:00", to: "23:59" };
const week = { users: ["ann"], turn: "week", every: 1, handover: { at: "09:00" }, start: "2026-01-05" };

async function setUpNotices() {
  const { requests, webHooks } = answering();
  const probe = cradleProbe();
  const log = recordingLogger();
  const config = { alert_universal_actions: [] };
  const fleet = await start({ storage: await openStorage("sqlite"), log, plugins: [probe.plugin], config, webHooks });
  const { api } = fleet.signalbox;
  for (const id of ["hot", "bad"]) await api.createAlert({ ...hot, id } as never);
  await api.createWebHook({ id: "chat", title: "Chat", url: "http://chat.test/", method: "POST", body: "{{text}}" });
  await api.createReceiver({ id: "room", title: "Room", type: "web_hook", web_hook: "chat" } as never);
  await api.createRota({ id: "bad", title: "Rota", timezone: "UTC", layers: [week] } as never);
  await api.createReceiver({ id: "duty", title: "Duty", type: "rota", rota: "bad" } as never);
  for (const id of ["bad", "all"])
    await api.createRoute({ id, title: id, continue: true, steps: [{ after: 0, to: ["duty", "room"] }] } as never);
  await api.createSilence({ id: "bad", title: "S", alerts: ["other"], recurring: always } as never);
  const warnings = async () => (await api.searchActivity({ query: "action:warning", limit: 20 })).rows;
  return { cradle: probe.cradle(), fleet, log, requests, warnings };
}

const SPOILT: readonly [string, CollectionDefinition<never>, Members][] = [
  ["Route", routeCollection as never, { match: { servers: { length: 1 } }, sort_order: -1 }],
  ["Route", routeCollection as never, { active: [{ from: 5 }], sort_order: -1 }],
  ["Silence", silenceCollection as never, { alerts: ["hot"], recurring: { ...always, timezone: "Mars/Base" } }],
  ["Rota", rotaCollection as never, { overrides: [null] }],
  ["Rota", rotaCollection as never, { timezone: "Mars/Base" }],
  ["Alert", alertCollection as never, { actions: [null] }],
];

test.each(SPOILT)("a broken %s holds no notice back, and is reported to an administrator once", async (...spoilt) => {
  const [noun, collection, members] = spoilt;
  const at = await setUpNotices();
  await spoil(at.cradle, collection, "bad", members);
  const agent = await join(at.fleet, "s1");
  await hotMinute(at.fleet, agent, 60);
  for (let look = 0; look < 4; look++) await at.fleet.clock.advance(10);
  expect(at.requests).not.toEqual([]);
  expect(await at.warnings()).toMatchObject([
    { description: expect.stringMatching(`^${noun} bad was left out of notices, since .* The others go on`) },
  ]);
  expect(at.log.lines.filter(({ message }) => message.startsWith("A loop failed"))).toEqual([]);
});

const daily = { enabled: true, category: "general" };
const work = { plugin: "shellplug", targets: ["main"], algo: "random", params: { script: "true" } };

/** Two each of events, heartbeats and checks; the test breaks one of each. */
async function setUpWork() {
  const { requests, webHooks } = answering();
  const probe = cradleProbe();
  const log = recordingLogger();
  const config = { alert_universal_actions: [] } as never;
  const engine = await startEngine({
    ...{ storage: await openStorage("sqlite"), log, plugins: [probe.plugin], webHooks, config },
  });
  const expect = { start_within: 60, success_every: 60, grace: 0 };
  for (const id of ["bad", "good"]) {
    const triggers = [{ type: "schedule", enabled: true, minutes: [] }];
    await engine.api.createEvent({ ...daily, ...work, id, title: id, triggers, expect } as never);
    await engine.api.createHeartbeat({ ...daily, id, title: id, every: 60, grace: 0 } as never);
    const asked = { type: "http", url: `http://${id}.example/`, every: 60, timeout: 5 };
    await engine.api.createCheck({ ...daily, ...asked, id, title: id } as never);
    await spoil(probe.cradle(), beatCollection, id, { last: 5, success: 5 });
  }
  const firings = async () =>
    (await engine.api.searchAlerts({ query: "*", limit: 50 })).rows.map(({ alert, subject }) => [alert, subject?.id]);
  const warnings = async () =>
    (await engine.api.searchActivity({ query: "action:warning", limit: 20 })).rows.map((row) =>
      String(row["description"]).replace(/, since .*/, ""),
    );
  return { ...engine, cradle: probe.cradle(), firings, log, requests, warnings };
}

test("an alert on a heartbeat that breaks afterwards stays live, because nothing is known of it any more", async () => {
  const at = await setUpWork();
  for (let look = 0; look < 20; look++) await at.clock.advance(10);
  const isLive = async () => {
    const { rows } = await at.api.searchAlerts({ query: "heartbeat:bad alert:heartbeat_late", limit: 5 });
    return rows.map(({ active }) => active);
  };
  expect(await isLive()).toEqual([true]);
  await spoil(at.cradle, heartbeatCollection, "bad", { every: null, schedule: "* * * * *", timezone: "Mars/Base" });
  for (let look = 0; look < 20; look++) await at.clock.advance(10);
  expect(await isLive()).toEqual([true]);
  await at.stop();
});

test.each([{ type: "tcp", host: 5, port: "x" }, { type: "gone" }])(
  "broken events, heartbeats and checks do not stop launches, alerts and searches of others: %j",
  async (check) => {
    const at = await setUpWork();
    const zone = { type: "schedule", enabled: true, timezone: "Mars/Base" };
    await spoil(at.cradle, eventCollection, "bad", { triggers: [null, zone] });
    await spoil(at.cradle, heartbeatCollection, "bad", { every: null, schedule: "* * * * *", timezone: "Mars/Base" });
    await spoil(at.cradle, checkCollection, "bad", check);
    const before = at.requests.length;
    for (let look = 0; look < 20; look++) await at.clock.advance(10);
    expect((await at.api.searchJobs({ query: "event:good", limit: 10 })).rows.length).toBeGreaterThan(1);
    expect(await at.firings()).toContainEqual(["heartbeat_late", "good"]);
    expect(at.requests.slice(before).map(({ url }) => url)).toContain("http://good.example/");
    expect((await at.warnings()).toSorted()).toEqual([
      "Event bad was left out of expectations",
      "Event bad was left out of launches at the start",
      "Event bad was left out of the schedule",
      "Heartbeat bad was left out of heartbeats",
    ]);
    expect(at.log.lines.filter(({ message }) => message.startsWith("A loop failed"))).toEqual([]);
    await at.stop();
  },
);
