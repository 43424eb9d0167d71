import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { hot, invocations, join, ping } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const tell = { enabled: true, condition: "alert_new", type: "test.ping", to: "a" };
const act = { enabled: true, condition: "alert_new", type: "snapshot" };
const config = { alert_universal_actions: [tell, act, { ...ping, condition: "alert_cleared" }] };
const warm = { ...hot, id: "warm", title: "Warm", expression: "temp >= 30" };

async function setUp(...alerts: readonly Record<string, unknown>[]) {
  const fleet = await start({ config });
  const { api } = fleet.signalbox;
  for (const alert of alerts) await api.createAlert({ ...hot, ...alert } as never);
  return { fleet, api };
}

/** Actions by alert: "hot told" = notified of the firing, "hot done" = acted, "hot over" = notified of the end. */
const seen = async (fleet: Fleet): Promise<string[]> => {
  await fleet.settle();
  return fleet.told.batches.flatMap(({ key, actions, data }) => {
    const { id } = data["def"] as { id: string };
    return actions
      .filter(({ code }) => code === undefined)
      .map(({ type }) => `${id} ${key.includes("alert_cleared") ? "over" : type === "snapshot" ? "done" : "told"}`);
  });
};

describe("notice_after", () => {
  test("reports only firings that last; actions other than notices run at once", async () => {
    const { fleet, api } = await setUp({ notice_after: 300 });
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.minute(server, { temp: 20 });
    expect(await seen(fleet)).toEqual(["hot done"]);
    for (let count = 0; count < 5; count++) await fleet.minute(server, { temp: 60 });
    expect(await seen(fleet)).toEqual(["hot done", "hot done"]);
    expect((await api.explainAlert({ alert: "hot" })).rows[0]).toMatchObject({
      silenced_by: { kind: "delay" },
      reason: expect.stringContaining("it is told when it has lasted 300 seconds"),
    });
    await fleet.minute(server, { temp: 60 });
    await fleet.clock.advance(10);
    expect(await seen(fleet)).toEqual(["hot done", "hot done", "hot told"]);
    await fleet.minute(server, { temp: 20 });
    expect(await seen(fleet)).toEqual(["hot done", "hot done", "hot told", "hot over"]);
  });
});

describe("inhibition", () => {
  test("the more severe of two alerts on one problem is reported, and the milder one when that has ended", async () => {
    const { fleet } = await setUp({ ...warm, family: "heat" }, { family: "heat", severity: "critical" });
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    expect((await seen(fleet)).toSorted()).toEqual(["hot done", "hot told", "warm done"]);
    await fleet.minute(server, { temp: 40 });
    await fleet.clock.advance(10);
    expect((await seen(fleet)).slice(3).toSorted()).toEqual(["hot over", "warm told"]);
  });

  test("a silenced alert does not inhibit, so the other one is reported", async () => {
    const { fleet, api } = await setUp(warm, { inhibits: ["warm"] });
    await api.createSilence({ title: "Works", alerts: ["hot"], end: 4_000_000_000 });
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    expect(await seen(fleet)).toEqual(["warm told", "warm done"]);
  });
});

describe("dependencies", () => {
  test("an alert is held while an alert it depends on is live, and reported after that had time to end", async () => {
    const { fleet } = await setUp({ ...warm, expression: "temp >= 50 || late" }, { depends_on: [] });
    const { api } = fleet.signalbox;
    await api.updateAlert({ id: "warm", depends_on: ["hot"] } as never);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    expect((await seen(fleet)).toSorted()).toEqual(["hot done", "hot told", "warm done"]);
    expect((await api.explainAlert({ alert: "warm" })).rows[0]?.reason).toContain(
      "Nothing is sent now: Too hot on s1 is firing, and this depends on it.",
    );
    await fleet.minute(server, { temp: 40, late: true });
    await fleet.clock.advance(30);
    expect((await seen(fleet)).filter((each) => each.startsWith("warm"))).toEqual(["warm done"]);
    await fleet.minute(server, { temp: 40, late: true });
    await fleet.minute(server, { temp: 40, late: true });
    await fleet.clock.advance(30);
    expect((await seen(fleet)).filter((each) => each.startsWith("warm"))).toEqual(["warm done", "warm told"]);
  });

  test("a firing on a server is held while an outage of its parent is live", async () => {
    const { fleet, api } = await setUp({ expression: "temp >= 50" }, { id: "down", expression: "down", outage: true });
    const router = await join(fleet, "s1");
    const web = await join(fleet, "s2");
    await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
    await fleet.minute(web, { temp: 60 });
    expect(await seen(fleet)).toEqual(["hot done"]);
    router.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { down: true } });
    await fleet.clock.advance(20);
    expect((await seen(fleet)).toSorted()).toEqual(["down done", "down told", "hot done"]);
    await fleet.minute(web, { temp: 20 });
    expect((await seen(fleet)).filter((each) => each.startsWith("hot"))).toEqual(["hot done"]);
    const untold = (await invocations(fleet)).find(({ alert }) => alert === "hot")?.untold;
    expect(untold).toMatchObject({ by: { kind: "dependency", title: "Too hot on s1" } });
  });

  test("a firing on a server is held while the outage of its parent has no data", async () => {
    const { fleet, api } = await setUp({ expression: "temp >= 50" }, { id: "down", expression: "down", outage: true });
    const router = await join(fleet, "s1");
    const web = await join(fleet, "s2");
    await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
    await fleet.minute(router, { down: true });
    for (let count = 0; count < 10; count++) await fleet.minute(web, { temp: 20 });
    expect((await invocations(fleet)).find(({ alert }) => alert === "down")).toMatchObject({
      active: false,
      stale: true,
    });
    for (let count = 0; count < 6; count++) await fleet.minute(web, { temp: 60 });
    expect((await api.explainAlert({ alert: "hot" })).rows.find(({ server }) => server === "s2")?.silenced_by).toEqual({
      ...{ kind: "dependency", id: expect.any(String), title: expect.stringMatching(/^Too hot on /) },
    });
    expect((await seen(fleet)).filter((each) => each === "hot told")).toEqual([]);
    for (let count = 0; count < 4; count++) {
      router.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { down: false } });
      await fleet.minute(web, { temp: 60 });
    }
    expect((await seen(fleet)).filter((each) => each === "hot told")).toEqual(["hot told"]);
  });

  test("a firing waits two minutes at most for the server that it depends on", async () => {
    const { fleet, api } = await setUp({});
    await join(fleet, "s1").then((router) => fleet.minute(router, { temp: 1 }));
    const web = await join(fleet, "s2");
    await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
    await fleet.minute(web, { temp: 60 });
    expect(await seen(fleet)).toEqual(["hot done"]);
    await fleet.minute(web, { temp: 60 });
    await fleet.minute(web, { temp: 60 });
    await fleet.clock.advance(20);
    expect(await seen(fleet)).toEqual(["hot done", "hot told"]);
  });

  test("a firing also waits for a server that it depends on and that fell silent after the firing", async () => {
    const { fleet, api } = await setUp({ notice_after: 100 });
    const router = await join(fleet, "s1");
    const web = await join(fleet, "s2");
    await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
    await fleet.minute(web, { temp: 60 });
    router.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { temp: 1 } });
    await fleet.minute(web, { temp: 60 });
    await fleet.clock.advance(45);
    expect(await seen(fleet)).toEqual(["hot done"]);
    expect((await api.explainAlert({ alert: "hot" })).rows.find(({ server }) => server === "s2")).toMatchObject({
      silenced_by: { kind: "dependency", id: "", title: "what it depends on has not been looked at yet" },
    });
    await fleet.clock.advance(30);
    expect(await seen(fleet)).toEqual(["hot done", "hot told"]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ depends_on: ["nobody"] }, "Unknown alert in depends_on: nobody"],
    [{ depends_on: ["warm"] }, "Dependency cycle: hot -> warm -> hot"],
    [{ inhibits: ["nobody"] }, "Unknown alert in inhibits: nobody"],
    [{ family: "a b" }, "Invalid value for family"],
    [{ notice_after: 86_401 }, "Invalid value for notice_after"],
    [{ depends_on: "warm" }, "Invalid value for depends_on"],
    [{ outage: "yes" }, "Invalid value for outage"],
  ])("of an alert: %j is refused", async (members, description) => {
    const { api } = await setUp({}, { ...warm, depends_on: ["hot"] });
    expect(await refusalOf(api.updateAlert({ id: "hot", ...members } as never))).toEqual({
      code: "alert",
      description,
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ depends_on: ["s9"] }, "Unknown server in depends_on: s9"],
    [{ depends_on: ["s2"] }, "Dependency cycle: s1 -> s2 -> s1"],
    [{ depends_on: "s2" }, "Invalid value for depends_on"],
  ])("of a server: %j is refused", async (members, description) => {
    const { fleet, api } = await setUp();
    await join(fleet, "s1");
    await join(fleet, "s2");
    await api.updateServer({ id: "s2", depends_on: ["s1"] } as never);
    expect(await refusalOf(api.updateServer({ id: "s1", ...members } as never))).toEqual({
      code: "server",
      description,
    });
  });
});
