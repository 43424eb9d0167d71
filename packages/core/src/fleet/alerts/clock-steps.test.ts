import { describe, expect, test } from "vitest";
import { activity, hot, invocations, join, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const HOUR = 3600;

/** A server on which an alert is live. */
async function setUp() {
  const fleet = await start({ config: without });
  await fleet.signalbox.api.createAlert(hot as never);
  const server = await join(fleet);
  for (let count = 0; count < 4; count++) await fleet.minute(server, { temp: 60 });
  return { fleet, server };
}

describe("a clock that jumps ahead by an hour, as after a suspend of the machine", () => {
  test("ends no alert of a server that reports within the next minute", async () => {
    const { fleet, server } = await setUp();
    fleet.clock.step(HOUR);
    await fleet.clock.advance(59);
    expect(await invocations(fleet)).toMatchObject([{ active: true }]);
    await fleet.minute(server, { temp: 60 });
    await fleet.clock.advance(60);
    expect(await invocations(fleet)).toMatchObject([{ active: true }]);
    expect((await activity(fleet)).map(({ action }) => action)).toEqual(["alert_new"]);
  });

  test("ends alerts of a server that does not report", async () => {
    const { fleet } = await setUp();
    fleet.clock.step(HOUR);
    await fleet.clock.advance(240);
    expect(await invocations(fleet)).toMatchObject([{ active: false, stale: true }]);
  });
});

test("a server that falls silent after the clock was set back is reported after five minutes", async () => {
  const { fleet, server } = await setUp();
  await fleet.clock.advance(300);
  fleet.clock.step(-HOUR);
  server.close();
  await fleet.clock.advance(600);
  const silent = (await invocations(fleet)).filter(({ alert }) => alert === "server_silent");
  expect(silent).toMatchObject([{ active: true, server: "s1" }]);
});

describe("minutes that were stored before the clock was set back", () => {
  const minutes = async ({ fleet, server }: Awaited<ReturnType<typeof setUp>>, temps: readonly number[]) => {
    for (const temp of temps) {
      await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
      server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp } });
      await fleet.clock.advance(2);
    }
  };

  test("do not stop alerts from clearing and firing", async () => {
    const at = await setUp();
    at.fleet.clock.step(-HOUR);
    await minutes(at, [40, 40, 40]);
    expect(await invocations(at.fleet)).toMatchObject([{ active: false }]);
    await minutes(at, [70, 70]);
    const all = await invocations(at.fleet);
    expect(all.map(({ active, message }) => [active, message])).toEqual(
      expect.arrayContaining([
        [true, "70 degrees, !"],
        [false, "60 degrees, !"],
      ]),
    );
  });

  test("are not stored twice, and the first new one has no deltas to evaluate", async () => {
    const at = await setUp();
    const { api } = at.fleet.signalbox;
    await api.createMonitor({
      ...{ id: "sent", title: "Sent", source: "sent", data_type: "integer", suffix: "" },
      ...{ delta: true, divide_by_delta: true },
    } as never);
    await api.createAlert({ id: "flood", title: "Flood", expression: "deltas.sent > 100", message: "m" });
    const minute = async (sent: number) => {
      await at.fleet.clock.advanceTo(Math.floor(at.fleet.clock.now() / 60) * 60 + 61);
      at.server.send("monitor", { version: "1.0", date: at.fleet.clock.now(), data: { sent } });
      await at.fleet.clock.advance(2);
    };
    await minute(60_000);
    await minute(60_600);
    const rows = async () => (await api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 60 })).rows.length;
    const before = await rows();
    at.fleet.clock.step(-HOUR);
    for (const sent of [61_200, 61_800, 62_400]) await minute(sent);
    expect(await rows()).toBe(before);
    expect((await invocations(at.fleet)).filter(({ alert }) => alert === "flood")).toEqual([]);
    await minute(80_000);
    expect((await invocations(at.fleet)).filter(({ alert }) => alert === "flood")).toMatchObject([{ active: true }]);
  });
});
