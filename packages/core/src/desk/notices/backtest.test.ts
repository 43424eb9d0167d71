import { expect, test } from "vitest";
import { without } from "../../../test/fleet/alert-setup.ts";
import { limitedTo, useFleets } from "../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../test/scripted/keeping-mailer.ts";
import { ownSeries } from "../../fleet/monitors/services/timeline/own-series.ts";
import type { Actor } from "../../kernel/calls/context.ts";
import { beatCollection, pingCollection } from "../../work/heartbeats/collection.ts";
import { afterPing, pings } from "../../work/heartbeats/rules/ping.ts";

const start = useFleets();
type Temps = Readonly<Record<string, readonly (number | undefined)[]>>;
const limited: Actor = { ...limitedTo("db"), privileges: { edit_alerts: true } };

/** Servers with temperatures stored minute by minute (undefined = no minute arrived), and one route that notifies at once. */
async function played(temps: Temps) {
  const config = { ...without, tz: "UTC", email_from: "signalbox@example.com" };
  const fleet = await start({ config, mailer: keepingMailer().mailer });
  const { api } = fleet.signalbox;
  for (const { id } of (await api.getRoutes()).rows) await api.deleteRoute({ id });
  for (const { id } of (await api.getAlerts()).rows) await api.deleteAlert({ id });
  await api.createMonitor({ id: "temp", title: "Temp", source: "temp", data_type: "float" });
  const hot = { id: "hot", title: "Too hot", expression: "monitors.temp >= 50", message: "{{monitors.temp}} degrees" };
  await api.createAlert(hot);
  await api.createReceiver({ id: "ops", title: "Ops", type: "mail", email: "ops@example.com" } as never);
  const route = { id: "all", title: "All", group_by: ["subject"], group_wait: 0, repeat_interval: 0 };
  await api.createRoute({ ...route, group_interval: 10, steps: [{ after: 0, to: ["ops"] }] } as never);
  const servers = await Promise.all(
    Object.keys(temps).map((id) => fleet.agent.connect({ hostname: id, id, initial: { title: id } })),
  );
  const began = Math.floor(fleet.clock.now() / 60) * 60 + 60;
  const lists = Object.values(temps);
  for (let minute = 0; minute < (lists[0]?.length ?? 0); minute++) {
    await fleet.clock.advanceTo(began + minute * 60 + 1);
    for (const [at, server] of servers.entries()) {
      const temp = lists[at]?.[minute];
      if (temp === undefined) continue;
      const stored = fleet.next("server.minute");
      server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp } });
      await stored;
    }
  }
  await fleet.clock.advance(45);
  /** Lines like "2 firing +s1": minute, kind, and servers. */
  const told = async (changes: Record<string, unknown> = {}) => {
    const report = await api.backtestNotices({ from: began, ...changes } as never);
    const lines = report.notices.map(({ date, kind, members }) =>
      [
        `${Math.floor((date - began) / 60)} ${kind}`,
        ...members.map(({ place, state }) => `${state === "over" ? "-" : "+"}${place}`),
      ].join(" "),
    );
    return { ...report, lines };
  };
  return { ...fleet, api, began, told };
}

const waves = { s1: [60, 60, 40, 60, 60, 40] };
const all = ["0 firing +s1", "2 cleared -s1", "3 firing +s1", "5 cleared -s1"];

test("minutes are replayed through the alerts under trial, stored or not, and nothing is stored", async () => {
  const { api, told } = await played(waves);
  const before = await api.searchNotices({});
  const asked = await told();
  expect(asked.lines).toEqual(all);
  expect(asked).toMatchObject({ firings: 2, unknown_paths: [], truncated: false });
  expect(asked.notices[0]?.text).toContain("Too hot");
  expect((await told({ alerts: { hot: { samples: 2 } } })).lines).toEqual(["1 firing +s1"]);
  expect((await told({ alerts: { hot: null } })).lines).toEqual([]);
  const warm = { warm: { title: "Warm", expression: "monitors.temp > 30", message: "" } };
  expect((await told({ alerts: { hot: { enabled: false }, ...warm } })).lines).toEqual(["0 firing +s1"]);
  expect((await told({ alerts: { hot: { expression: "monitors.temp > 99" } } })).firings).toBe(0);
  const unkept = await told({ alerts: { hot: { expression: "temp > 50" } } });
  expect(unkept).toMatchObject({ firings: 0, unknown_paths: ["temp"] });
  expect(await told()).toEqual(asked);
  expect(await api.searchNotices({})).toEqual(before);
});

test("an alert that reads unstored values counts with its past firings while its condition is unchanged", async () => {
  const { api, told } = await played({ s1: [40] });
  await api.updateAlert({ id: "hot", expression: "temp >= 50" });
  expect((await told()).firings).toBe(0);
});

test("silences and rotas are tried out by the clock of that time", async () => {
  const { api, began, told } = await played(waves);
  const silence = (members: Record<string, unknown>) => ({ silences: { q: { servers: ["s1"], ...members } } });
  expect((await told(silence({ start: began, end: began + 3600 }))).lines).toEqual([]);
  const first = await told(silence({ start: began, end: began + 70 }));
  expect(first.lines).toEqual(["1 firing +s1", ...all.slice(1)]);
  expect(first.held).toMatchObject({ silence: 1 });
  const clock = (minute: number): string => new Date((began + minute * 60) * 1000).toISOString().slice(11, 16);
  const recurring = { from: clock(3), to: clock(9), timezone: "UTC" };
  expect((await told(silence({ recurring }))).lines).toEqual(all.slice(0, 2));
  await api.createSilence({ id: "own", title: "Own", alerts: ["hot"], start: began, end: began + 3600 });
  expect((await told()).lines).toEqual([]);
  expect((await told({ silences: { own: null } })).lines).toEqual(all);
  const layer = { users: ["admin"], turn: "day", every: 1, handover: { at: "00:00" }, start: "2020-01-01" };
  const receivers = { ops: { type: "rota", rota: "week" } };
  const rota = (only: readonly unknown[]) => ({
    receivers,
    rotas: { week: { timezone: "UTC", layers: [{ ...layer, only }] } },
  });
  expect((await told({ silences: { own: null }, ...rota([{ from: "00:00", to: "00:00" }]) })).lines).toEqual(all);
  const late = await told({ silences: { own: null }, ...rota([{ from: clock(3), to: clock(9) }]) });
  expect(late.lines).toEqual(all.slice(2));
});

test("the parent of a server, and a worse alert of the same family, hold a firing back", async () => {
  const { api, told } = await played({ s1: [40, 60, 60, 60, 40], s2: [40, 95, 95, 40, 40] });
  await api.createGroup({ id: "db", title: "Databases", hostname_match: "^s1$" });
  const worse = { title: "Worse", expression: "monitors.temp >= 90", message: "", severity: "critical" };
  const alerts = { hot: { family: "heat" }, worse: { ...worse, family: "heat" } };
  const family = await told({ server: "s2", alerts });
  expect(family.notices.map(({ subject }) => subject)).toEqual(["[critical] 2 alerts on s2", "[cleared] Worse on s2"]);
  expect(family).toMatchObject({ held: { inhibition: 1 }, untold: [{ alert: "hot", by: "inhibition" }] });
  await api.updateServer({ id: "s1", depends_on: ["s2"] } as never);
  const above = await told({ server: "s1", alerts: { hot: { groups: ["db"] }, worse: { ...worse, outage: true } } });
  expect(above).toMatchObject({ lines: [], firings: 1, held: { dependency: 1 } });
  const theirs = await told({ server: "s1", alerts: { hot: { groups: ["db"] } } });
  expect(theirs.lines).toEqual(["1 firing +s1", "4 cleared -s1"]);
});

test("an end for lack of data is reported once data confirm it", async () => {
  const none = Array<undefined>(6).fill(undefined);
  const { told } = await played({ s1: [60, ...none, 40, 40, 40, 40] });
  expect((await told()).lines).toEqual(["0 firing +s1", "9 cleared -s1"]);
  const back = await played({ s1: [60, ...none, 60, 60, 40] });
  expect((await back.told()).lines).toEqual(["0 firing +s1", "9 cleared -s1"]);
});

test("callers try out only servers and alerts within their reach", async () => {
  const { api, signalbox, told } = await played({ s1: [60], s2: [60] });
  await api.createGroup({ id: "db", title: "Databases", hostname_match: "^s2$" });
  expect((await told()).firings).toBe(2);
  expect((await told({ group: "db" })).firings).toBe(1);
  expect((await told({ servers: ["s1"] })).lines).toEqual(["0 firing +s1"]);
  expect((await told({ servers: ["s1"], server: "s2" })).firings).toBe(2);
  expect((await told({ servers: [] })).firings).toBe(0);
  expect((await signalbox.as(limited).backtestNotices({})).firings).toBe(1);
});

test("more minutes than the bound are refused", async () => {
  const { began, told } = await played({ s1: [60] });
  const one = { title: "One", expression: "monitors.temp > 1", message: "" };
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_each, at) => [`a${at}`, one]));
  await expect(told({ from: began - 7 * 86_400, alerts: many })).rejects.toThrow(
    "That is more than 20000000 minutes of servers times alerts: ask for fewer servers or less time.",
  );
});

test("the presence of a server is replayed through the gaps of its minutes", async () => {
  const none = Array<undefined>(8).fill(undefined);
  const { told } = await played({ s1: [40, 40, ...none, 40, 40] });
  const gone = { title: "Gone", subject: "presence", expression: "presence.silent_sec > 300", message: "" };
  const asked = await told({ alerts: { hot: null, gone } });
  expect(asked).toMatchObject({ lines: ["7 firing +s1", "10 cleared -s1"], unknown_paths: [] });
});

test("heartbeats are replayed through their calls, and checks through their timelines", async () => {
  const { api, began, storage, told } = await played({ s1: [40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40] });
  const every = { every: 120, grace: 60, enabled: true, category: "general" };
  const { heartbeat } = await api.createHeartbeat({ id: "copy", title: "Copy", ...every } as never);
  const shop = { id: "shop", title: "Shop", type: "tcp", host: "192.0.2.1", port: 80, retries: 1 };
  await api.createCheck({ ...shop, enabled: true, category: "general" } as never);
  await storage.write(async (tx) => {
    const ping = { kind: "success", date: began + 50, ip: "" } as const;
    await tx.collection(beatCollection).update(heartbeat.id, (beat) => afterPing(beat, ping));
    const id = pings.idOf(heartbeat.id, 1);
    await tx.overwrite(pingCollection, [{ id, json: JSON.stringify({ id, ...ping }) }]);
    for (const [minute, up] of [1, 0, 0, 0, 1].entries())
      await ownSeries.add(tx, [{ key: "check:shop", date: began + minute * 60, values: { up } }]);
  });
  const late = { title: "Late", subject: "heartbeat", expression: "beat.late_sec > 0", message: "" };
  const down = { title: "Down", subject: "check", expression: "check.down", message: "" };
  const asked = await told({ alerts: { hot: null, late, down } });
  expect(asked.lines).toEqual(["2 firing +Shop", "4 cleared -Shop", "4 firing +Copy"]);
  expect((await told({ alerts: { late: { ...late, expression: "beat.late_sec > 9999" } } })).firings).toBe(0);
});

test("the past notices are limited to the requested servers", async () => {
  const at = await played({ s1: [60, 60, 60], s2: [60, 60, 60] });
  const both = await at.told();
  expect(both.summary).toBe("These 2 notices would have been these 2.");
  const one = await at.told({ servers: ["s1"] });
  expect(one.summary).toBe("This 1 notice would have been this 1.");
  expect(one.then).toMatchObject([{ receiver: "ops", notices: 1 }]);
});

test("an inactive person on a rota is treated as no one, as in live operation", async () => {
  const at = await played(waves);
  const layer = { users: ["gone"], turn: "day", every: 1, handover: { at: "00:00" }, start: "2020-01-01" };
  const changes = {
    rotas: { duty: { timezone: "UTC", layers: [layer] } },
    receivers: { person: { type: "rota", rota: "duty" } },
    routes: { all: { steps: [{ after: 0, to: ["person"] }] } },
  };
  expect((await at.told(changes)).lines).toEqual([]);
});
