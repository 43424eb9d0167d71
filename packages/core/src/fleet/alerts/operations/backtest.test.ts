import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { invocations, join, without } from "../../../../test/fleet/alert-setup.ts";
import { limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { type Actor, systemActor } from "../../../kernel/calls/context.ts";

const start = useFleets();
const hot = { id: "hot", title: "Too hot", expression: "monitors.temp >= 50", message: "{{monitors.temp}}" };
type Reading = number | undefined;

/** A server whose temperatures were stored minute by minute; undefined = it was silent in that minute. */
async function played(temps: readonly Reading[], members: Record<string, unknown> = {}, id = "s1") {
  const fleet = await start({ config: without });
  const { api } = fleet.signalbox;
  await api.createMonitor({ id: "temp", title: "Temp", source: "temp", data_type: "float" });
  await api.createMonitor({ id: "sum", title: "Sum", source: "sum", data_type: "integer", delta: true });
  await api.createAlert({ ...hot, ...members });
  const server = await join(fleet, id);
  let sum = 0;
  for (const temp of temps) {
    sum += temp ?? 0;
    if (temp === undefined) await fleet.clock.advance(60);
    else await fleet.minute(server, { temp, sum });
  }
  return { fleet, api };
}

/** The stored message of a live invocation may be up to five minutes old, so it is left out. */
const spell = (server: string, date: number, cleared: number | undefined, message: string): string =>
  `${server} ${date} ${cleared === undefined ? "live" : `${cleared} ${message}`}`;

/** Firings that the engine itself produced, in the minutes of a back-test. */
const happened = async ({ fleet }: Awaited<ReturnType<typeof played>>) =>
  (await invocations(fleet)).map(({ date, active, modified, stale, message }) => ({
    date: minuteOf(date),
    cleared: active ? undefined : minuteOf(modified),
    stale,
    message,
  }));
const minuteOf = (seconds: number): number => Math.floor(seconds / 60) * 60;

describe("a back-test", () => {
  test("finds the firings that happened: dates, clearing, message and length", async () => {
    const at = await played([40, 60, 70, 40, 60, 40, 80]);
    const { invocations: found, ...report } = await at.api.backtestAlert({ alert: "hot", server: "s1" });
    const start = found[0]?.date ?? 0;
    expect(found).toEqual([
      { server: "s1", date: start, fired: start, cleared: start + 120, message: "70", true_minutes: 2 },
      { server: "s1", date: start + 180, fired: start + 180, cleared: start + 240, message: "60", true_minutes: 1 },
      { server: "s1", date: start + 300, fired: start + 300, message: "80", true_minutes: 1 },
    ]);
    expect(report).toMatchObject({ servers: 1, points: 7, truncated: false, unknown_paths: [] });
    expect((await happened(at)).map(({ date }) => date)).toEqual(found.map(({ date }) => date));
  });

  test("agrees with the live engine for any readings", async () => {
    const reading = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(40, 60) },
      { weight: 2, arbitrary: fc.constant(60) },
    );
    const histories = fc.array(fc.array(reading, { minLength: 25, maxLength: 25 }), { minLength: 12, maxLength: 12 });
    // One engine plays all histories at once, with one alert for each number of samples.
    const lived = async (temps: readonly (readonly number[])[]) => {
      const at = await played([]);
      const { api } = at;
      for (const samples of [2, 3, 4]) await api.createAlert({ ...hot, id: `hot${samples}`, samples });
      const servers = await Promise.all(temps.map((_all, index) => join(at.fleet, `t${index}`)));
      for (let minute = 0; minute < 25; minute++) {
        await at.fleet.clock.advanceTo(Math.floor(at.fleet.clock.now() / 60) * 60 + 61);
        for (const [index, server] of servers.entries()) {
          const stored = at.fleet.next("server.minute");
          const data = { temp: temps[index]?.[minute], sum: 0 };
          server.send("monitor", { version: "1.0", date: at.fleet.clock.now(), data });
          await stored;
        }
      }
      return at;
    };
    await fc.assert(
      fc.asyncProperty(histories, async (temps) => {
        const at = await lived(temps);
        const really = await invocations(at.fleet);
        for (const alert of ["hot", "hot2", "hot3", "hot4"]) {
          const { invocations: found } = await at.api.backtestAlert({ alert });
          const own = really.filter((each) => each.alert === alert);
          const seen = found.map(({ server, date, cleared, message }) => spell(server, date, cleared, message));
          const live = own.map(({ server, date, active, modified, message }) =>
            spell(server, minuteOf(date), active ? undefined : minuteOf(modified), message),
          );
          expect(seen.toSorted()).toEqual(live.toSorted());
        }
        await at.fleet.signalbox.stop();
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  test("ends firings that a silence of some minutes would have ended", async () => {
    const { api } = await played([60, undefined, undefined, undefined, 60]);
    const { invocations: found } = await api.backtestAlert({ alert: "hot", server: "s1" });
    expect(found.map(({ stale, cleared }) => [stale, cleared === undefined])).toEqual([
      [true, false],
      [undefined, true],
    ]);
  });

  test("tries another expression, other samples and another message than the stored ones", async () => {
    const { api } = await played([40, 60, 60, 60]);
    const backtest = async (members: Record<string, unknown>) =>
      (await api.backtestAlert({ alert: "hot", server: "s1", ...members })).invocations;
    expect(await backtest({ expression: "monitors.temp > 60" })).toEqual([]);
    expect((await backtest({ samples: "3" }))[0]).toMatchObject({ true_minutes: 3 });
    expect((await backtest({ message: "hot: {{monitors.temp}}" }))[0]?.message).toBe("hot: 60");
  });

  test("knows monitors and their changes, and reports everything else as unknown", async () => {
    const { api } = await played([10, 30]);
    const backtest = (expression: string) => api.backtestAlert({ expression, server: "s1" });
    expect((await backtest("deltas.sum == 30 && monitors.sum == 40")).invocations).toHaveLength(1);
    const { invocations: found, unknown_paths } = await backtest("temp > 5 || cpu.cores > 1 || monitors.temp > 20");
    expect(found).toHaveLength(1);
    expect(unknown_paths).toEqual(["temp", "cpu.cores"]);
    expect((await backtest("load[0] > 1")).errors).toMatchObject({ count: 2 });
  });

  test("evaluates only the requested time", async () => {
    const { fleet, api } = await played([60, 40, 60, 40]);
    const now = Math.floor(fleet.clock.now());
    const count = async (members: Record<string, unknown>) =>
      (await api.backtestAlert({ alert: "hot", server: "s1", ...members })).invocations.length;
    expect(await count({})).toBe(2);
    expect(await count({ from: now - 80 })).toBe(1);
    expect(await count({ from: now - 600, to: now - 130 })).toBe(1);
    expect(await count({ from: now - 600, to: now - 400 })).toBe(0);
  });
});

describe("the servers of a back-test", () => {
  async function twoGroups() {
    const at = await played([60]);
    const { api } = at.fleet.signalbox;
    await api.createGroup({ id: "db", title: "Databases", hostname_match: "host-s2" });
    const second = await join(at.fleet, "s2");
    await at.fleet.minute(second, { temp: 70 });
    return at;
  }
  const limited: Actor = { ...limitedTo("db"), privileges: { edit_alerts: true } };
  const serversOf = (found: { invocations: readonly { server: string }[] }) =>
    found.invocations.map(({ server }) => server);

  test("are the servers of a group, or all that the caller may see", async () => {
    const { fleet, api } = await twoGroups();
    expect(serversOf(await api.backtestAlert({ alert: "hot" }))).toEqual(["s1", "s2"]);
    expect(serversOf(await api.backtestAlert({ alert: "hot", group: "db" }))).toEqual(["s2"]);
    const theirs = fleet.signalbox.as(limited);
    expect(serversOf(await theirs.backtestAlert({ alert: "hot" }))).toEqual(["s2"]);
    await expect(theirs.backtestAlert({ alert: "hot", server: "s1" })).rejects.toMatchObject({ code: "access" });
    await expect(theirs.backtestAlert({ alert: "hot", group: "main" })).rejects.toMatchObject({ code: "access" });
  });

  test("are the ones within the groups of the alert", async () => {
    const { api } = await twoGroups();
    await api.updateAlert({ id: "hot", groups: ["db"] });
    expect(serversOf(await api.backtestAlert({ alert: "hot" }))).toEqual(["s2"]);
  });
});

test.each<[Record<string, unknown>, string]>([
  [{}, "Missing parameter: alert or expression"],
  [{ alert: "no" }, "Failed to locate alert: no"],
  [{ expression: "1", server: "s9" }, "Failed to locate server: s9"],
  [{ expression: "1 +" }, "Failed to compile alert expression: "],
  [{ expression: "1", message: "{{ 1 + }}" }, "Failed to compile macros in alert message: "],
  [{ expression: "1", samples: 0 }, "Malformed parameter: samples"],
  [
    { expression: "1", from: 2_000_000_000, to: 1_000_000_000 },
    "The time that is looked at must begin before it ends.",
  ],
  [{ expression: "1", from: 0 }, "1 servers for that long are more than 1000000 minutes: ask for fewer, or less time."],
])("%j is refused", async (input, text) => {
  const { fleet } = await played([40]);
  const call = fleet.signalbox.execute({ operation: "backtest_alert", input, actor: systemActor });
  await expect(call).rejects.toThrow(text);
});
