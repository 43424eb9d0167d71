import { describe, expect, test } from "vitest";
import { keyWith } from "../../../../test/engine.ts";
import { hot, join, ping, without } from "../../../../test/fleet/alert-setup.ts";
import { limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";

const start = useFleets();
type Members = Record<string, unknown>;

/** Explains an alert on a server after some minutes; undefined = a minute without data. */
async function after(temps: readonly (Members | number)[], members: Members = {}, config: Members = without) {
  const fleet = await start({ config, runAction: () => ({ code: 0 }) });
  await fleet.signalbox.api.createAlert({ ...hot, ...members });
  const server = await join(fleet);
  for (const temp of temps) {
    await fleet.minute(server, typeof temp === "number" ? { temp } : temp);
    await fleet.settle();
  }
  const explain = async () => {
    const { rows } = await fleet.signalbox.api.explainAlert({ alert: "hot", server: "s1" });
    return rows[0] ?? {};
  };
  return { fleet, api: fleet.signalbox.api, server, explain };
}

test("readings show arguments of processes only to callers with a right over the server", async () => {
  const processes = { list: [{ pid: 1, command: "/usr/bin/node server.js --site internal" }] };
  const { fleet } = await after([{ processes }], { expression: "count(processes.list[.pid == 2]) > 0" });
  const readings = async (privileges: readonly string[]) => {
    const { rows } = await fleet.signalbox.as(keyWith(privileges)).explainAlert({ alert: "hot", server: "s1" });
    return JSON.stringify(rows[0]?.readings);
  };
  expect(await readings([])).toContain('"command":"node"');
  expect(await readings(["create_snapshots"])).toContain("--site internal");
});

describe("an alert that did not fire", () => {
  test.each<[string, readonly (Members | number)[], Members, Members]>([
    [
      "whose condition does not hold",
      [40],
      {},
      { state: "idle", result: false, readings: [{ path: "temp", value: 40 }], reason: "The condition does not hold." },
    ],
    [
      "whose condition holds for too short",
      [60, 61],
      { samples: 4 },
      {
        ...{ state: "warming", result: true, count: 2, samples: 4, message: "61 degrees, !" },
        reason: "The condition holds, but 4 true minutes are needed to fire: 2 more.",
      },
    ],
    [
      "that is disabled",
      [60],
      { enabled: false },
      { enabled: false, reason: "The alert is disabled, so it is not evaluated." },
    ],
    [
      "whose groups the server is not in",
      [60],
      { groups: ["db", "web"] },
      { in_scope: false, reason: "The server is in none of the groups of the alert: db, web." },
    ],
    [
      "whose expression fails",
      [60],
      { expression: "nothing[0] > 1" },
      {
        result: false,
        readings: [{ path: "nothing[0]", value: null }],
        error: expect.stringContaining("undefined"),
        reason: expect.stringMatching(/^The expression failed, which counts as false: /),
      },
    ],
    ["of a server that never sent a minute", [], {}, { readings: [], reason: "The server has not sent a minute yet." }],
  ])("%s says so", async (_what, temps, members, expected) => {
    const { explain } = await after(temps, members);
    expect(await explain()).toMatchObject({ server: "s1", hostname: "host-s1", ...expected });
  });

  test("because monitoring is disabled says so", async () => {
    const { fleet, server, explain } = await after([40]);
    await fleet.clock.advance(60);
    server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { dummy: true } });
    await fleet.settle();
    expect(await explain()).toMatchObject({
      reason: "Monitoring is switched off on the server, so nothing is evaluated.",
    });
  });

  test("because the server fell silent says since when", async () => {
    const { fleet, explain } = await after([40]);
    await fleet.clock.advance(240);
    expect(await explain()).toMatchObject({
      reason: "The server has been silent for 4 minutes, so nothing is evaluated.",
    });
  });
});

describe("an alert that fired", () => {
  const told = { alert_universal_actions: [ping] };

  test("names its invocation and how many actions were run", async () => {
    const { explain } = await after([60], {}, told);
    expect(await explain()).toMatchObject({
      state: "live",
      invocation: { active: true, actions: [{ type: "test.ping" }] },
      reason: "The condition holds and the alert has fired. 1 action was run for it.",
    });
  });

  test("without actions says that there are none", async () => {
    const { explain } = await after([60]);
    expect(await explain()).toMatchObject({
      reason: "The condition holds and the alert has fired. Nothing was sent: there are no actions for it.",
    });
  });

  test("and is cooling down says when it clears", async () => {
    const { explain } = await after([60, 60, 60, 40], { samples: 3 }, told);
    expect(await explain()).toMatchObject({
      state: "cooling",
      reason:
        "The condition does not hold any more; the alert clears after 2 minutes without it. 1 action was run for it.",
    });
  });

  test("during a silence says which one, also when that is over", async () => {
    const { fleet, api, server, explain } = await after([40], {}, told);
    await api.createSilence({ id: "works", title: "Works", servers: ["s1"], end: 4_000_000_000 });
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
    expect(await explain()).toMatchObject({
      silenced_by: { kind: "silence", id: "works", title: "Works" },
      reason: 'The condition holds and the alert has fired. Nothing was sent: silence "Works" (works).',
    });
    await api.deleteSilence({ id: "works" });
    const { silenced_by, reason } = (await explain()) as Members;
    expect(silenced_by).toBeUndefined();
    expect(reason).toBe('The condition holds and the alert has fired. Nothing was sent: silence "Works" (works).');
  });

  test("and was acknowledged says by whom", async () => {
    const { api, explain } = await after([60], {}, told);
    const { rows } = await api.searchAlerts({});
    await api.acknowledgeAlertInvocation({ id: rows[0]?.id ?? "", comment: "On it" });
    expect(await explain()).toMatchObject({
      reason:
        "The condition holds and the alert has fired. 1 action was run for it. " +
        "Nothing is sent now: system acknowledged it: On it.",
    });
  });
});

describe("a caller of explain_alert", () => {
  test("gets all visible servers, page by page", async () => {
    const fleet = await start({ config: without });
    for (const id of ["s1", "s2", "s3"]) await join(fleet, id);
    const { api } = fleet.signalbox;
    const page = async (offset: number, limit: number) => {
      const { rows, list } = await api.explainAlert({ alert: "mem_free_low", offset, limit });
      return [rows.map(({ server }) => server), list.length];
    };
    expect(await page(0, 2)).toEqual([["s1", "s2"], 3]);
    expect(await page(2, 2)).toEqual([["s3"], 3]);
    const limited = fleet.signalbox.as(limitedTo("db"));
    expect((await limited.explainAlert({ alert: "mem_free_low" })).rows).toEqual([]);
    await expect(limited.explainAlert({ alert: "mem_free_low", server: "s1" })).rejects.toMatchObject({
      code: "access",
    });
  });

  test("gets a clear message for something unknown", async () => {
    const { api } = await after([]);
    await expect(api.explainAlert({ alert: "no" })).rejects.toMatchObject({ code: "notfound" });
    await expect(api.explainAlert({ alert: "hot", server: "s9" })).rejects.toThrow("Failed to locate server: s9");
  });

  test("gets long readings cut", async () => {
    const { explain } = await after([{ temp: 40, list: Array.from({ length: 500 }, (_each, n) => n) }], {
      expression: "temp > 50 || list.length > 9999 || list == 1",
    });
    const { readings } = (await explain()) as { readings: { path: string; value: unknown }[] };
    expect(readings.map(({ path }) => path)).toEqual(["temp", "list.length", "list"]);
    expect(String(readings[2]?.value).length).toBe(201);
  });
});
