import { expect, test } from "vitest";
import { cradleProbe, refusalOf } from "../../../../test/engine.ts";
import { invocations, join, without } from "../../../../test/fleet/alert-setup.ts";
import { limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";

const start = useFleets();

/** A port that answers while it is open, and a heartbeat that is called as the test says. */
async function setUp() {
  const port = { isOpen: true };
  const probe = cradleProbe();
  const fleet = await start({
    plugins: [probe.plugin],
    config: { ...without, notices: { presence_grace: 0 } },
    webHooks: {
      send: async () => Promise.reject(new Error("Not asked here")),
      probe: async () => {
        if (!port.isOpen) throw Object.assign(new Error("Refused"), { code: "ECONNREFUSED" });
        return { elapsedMs: 1 };
      },
    },
  });
  const { api } = fleet.signalbox;
  const minutes = async (count: number): Promise<void> => {
    for (let gone = 0; gone < count * 6; gone++) await fleet.clock.advance(10);
  };
  const ping = (kind: "success" | "fail"): Promise<void> => {
    const { clock, heartbeats, transact } = probe.cradle();
    return transact(({ tx }) => heartbeats.pings.note({ tx }, "copy", { kind, date: clock.now(), ip: "192.0.2.7" }));
  };
  /** Firings that the engine itself produced, in the minutes of a back-test; the two may differ by one minute. */
  const lived = async (alert: string) =>
    (await invocations(fleet))
      .filter((each) => each.alert === alert)
      .map(({ date, active, modified }) => [about(date), active ? undefined : about(modified)]);
  return { api, fleet, lived, minutes, ping, port };
}
const about = (seconds: number) => ({
  asymmetricMatch: (found: unknown): boolean => typeof found === "number" && Math.abs(found - seconds) <= 60,
});

test("a back-test of an alert on presence finds when a server was away", async () => {
  const { api, fleet, lived, minutes } = await setUp();
  const expression = "presence.expected && presence.silent_sec > 120";
  await api.createAlert({ id: "away", title: "Away", subject: "presence", expression, message: "m" });
  const server = await join(fleet);
  await join(fleet, "s2");
  for (let count = 0; count < 4; count++) await fleet.minute(server, { temp: 1 });
  server.close();
  await minutes(6);
  const back = await join(fleet);
  for (let count = 0; count < 3; count++) await fleet.minute(back, { temp: 1 });
  const { invocations: found, servers, unknown_paths } = await api.backtestAlert({ alert: "away", server: "s1" });
  expect({ servers, unknown_paths }).toEqual({ servers: 1, unknown_paths: [] });
  expect(found.map(({ server: id }) => id)).toEqual(["s1"]);
  expect(found.map(({ date, cleared }) => [date, cleared])).toEqual(await lived("away"));
  // Without a stored alert, the call names the kind of subject.
  const untried = await api.backtestAlert({ subject: "presence", expression, server: "s1" });
  expect(untried.invocations.map(({ date }) => date)).toEqual(found.map(({ date }) => date));
  expect((await api.backtestAlert({ expression, server: "s1" })).unknown_paths).toContain("presence.silent_sec");
});

test("a back-test of an alert on heartbeats finds calls that reported a failure, and missing calls", async () => {
  const { api, lived, minutes, ping } = await setUp();
  const expression = "beat.failed || beat.late_sec > 0";
  await api.createHeartbeat({ id: "copy", title: "Copy", category: "general", every: 180, grace: 0 });
  await api.createHeartbeat({ id: "other", title: "Other", category: "general", every: 60 });
  await api.createAlert({ id: "beats", title: "Beats", subject: "heartbeat", expression, message: "m" });
  for (const [kind, count] of [
    ["success", 2],
    ["fail", 2],
    ["success", 6],
    ["success", 2],
  ] as const) {
    await ping(kind);
    await minutes(count);
  }
  const { invocations: found } = await api.backtestAlert({ alert: "beats", heartbeat: "copy" });
  expect(found.map(({ heartbeat, server }) => [heartbeat, server])).toEqual([
    ["copy", ""],
    ["copy", ""],
  ]);
  expect(found.map(({ date, cleared }) => [date, cleared])).toEqual(await lived("beats"));
  expect((await api.backtestAlert({ alert: "beats" })).servers).toBe(2);
  const untried = await api.backtestAlert({ expression, heartbeat: "copy" });
  expect(untried.invocations.map(({ date }) => date)).toEqual(found.map(({ date }) => date));
});

test("a back-test of an alert on checks finds when an address was down", async () => {
  const { api, lived, minutes, port } = await setUp();
  await api.createCheck({ id: "shop", title: "Shop", type: "tcp", host: "192.0.2.1", port: 25, retries: 0 });
  await api.createAlert({ id: "down", title: "Down", subject: "check", expression: "check.down", message: "m" });
  await minutes(3);
  port.isOpen = false;
  await minutes(4);
  port.isOpen = true;
  await minutes(3);
  const { invocations: found, unknown_paths } = await api.backtestAlert({ alert: "down", check: "shop" });
  expect(unknown_paths).toEqual([]);
  expect(found.map(({ check }) => check)).toEqual(["shop"]);
  expect(found.map(({ date, cleared }) => [date, cleared])).toEqual(await lived("down"));
  // The network of the engine is not a check.
  expect((await api.backtestAlert({ alert: "down" })).servers).toBe(1);
  expect((await api.backtestAlert({ alert: "down", expression: "check.reason == 'refused'" })).unknown_paths).toEqual([
    "check.reason",
  ]);
});

test("callers back-test only subjects within their reach", async () => {
  const { api, fleet } = await setUp();
  await api.createCategory({ id: "hidden", title: "Hidden" });
  await api.createHeartbeat({ id: "copy", title: "Copy", category: "hidden", every: 180 });
  await api.createAlert({ id: "beats", title: "Beats", subject: "heartbeat", expression: "beat.failed", message: "m" });
  const limited = fleet.signalbox.as({ ...limitedTo(), categories: ["general"] });
  expect((await limited.backtestAlert({ alert: "beats" })).servers).toBe(0);
  expect(await refusalOf(limited.backtestAlert({ alert: "beats", heartbeat: "copy" }))).toMatchObject({
    code: "access",
  });
});
