import { expect, test } from "vitest";
import { activity, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { turnAfter } from "./rules/standing.ts";

const start = useFleets();

/** A port that is probed every five minutes and answers while it is open. */
async function setUp(alert: Record<string, unknown> = {}) {
  const port = { isOpen: true };
  const fleet = await start({
    config: without,
    webHooks: {
      send: async () => Promise.reject(new Error("Not asked here")),
      probe: async () => {
        if (!port.isOpen) throw Object.assign(new Error("Refused"), { code: "ECONNREFUSED" });
        return { elapsedMs: 1 };
      },
    },
  });
  const { api } = fleet.signalbox;
  await api.createAlert({ ...FAILED, ...alert } as never);
  await api.createCheck({ ...SLOW, every: 300, retries: 0 });
  const pass = async (seconds: number) => {
    for (let gone = 0; gone < seconds; gone += 10) await fleet.clock.advance(10);
  };
  const live = async () => (await api.searchAlerts({ query: "active:true alert:failed", limit: 5 })).rows.length;
  const untilTurn = () =>
    Math.floor((turnAfter({ id: "slow", every: 300 }, fleet.clock.now()) - fleet.clock.now()) / 10) * 10;
  return { fleet, api, port, pass, live, untilTurn };
}

const FAILED = { id: "failed", title: "Failed", subject: "check", expression: "check.ok == false", message: "x" };
const SLOW = { id: "slow", title: "Slow", type: "tcp", host: "192.0.2.1", port: 25 } as const;

test("rows of the activity log name the check of a firing", async () => {
  const { fleet, port, pass, untilTurn } = await setUp();
  port.isOpen = false;
  await pass(10);
  port.isOpen = true;
  await pass(untilTurn() + 10);
  const rows = await activity(fleet);
  expect(rows.filter(({ alert }) => (alert as { alert: string }).alert === "failed")).toMatchObject([
    { action: "alert_new", check: "slow" },
    { action: "alert_cleared", check: "slow" },
  ]);
  for (const row of rows) expect(row).not.toHaveProperty("event");
});

test("an alert evaluates a result when it comes, not at the next minute", async () => {
  const { port, pass, live, untilTurn } = await setUp();
  port.isOpen = false;
  await pass(10);
  expect(await live()).toBe(1);
  port.isOpen = true;
  await pass(untilTurn() - 10);
  expect(await live()).toBe(1);
  await pass(20);
  expect(await live()).toBe(0);
});

test("each result is one sample, however many minutes lie between two", async () => {
  const { port, pass, live, untilTurn } = await setUp({ samples: 3 });
  port.isOpen = false;
  await pass(10);
  await pass(untilTurn() + 10);
  expect(await live()).toBe(0);
  await pass(untilTurn() - 10);
  expect(await live()).toBe(0);
  await pass(20);
  expect(await live()).toBe(1);
});

test("each minute has its share of good answers and their time, until the check is deleted", async () => {
  const { api, fleet, port, pass } = await setUp();
  await api.updateCheck({ id: "slow", every: 20, timeout: 5 });
  await pass(120);
  port.isOpen = false;
  await pass(120);
  const minutes = { id: "slow", sys: "hourly", limit: 3 } as const;
  const { columns } = await api.getCheckTimeline(minutes);
  expect(columns).toMatchObject({ step: 60, length: 3, monitors: { ms: [1, null, null] } });
  expect(columns?.monitors["up"]?.slice(1)).toEqual([0, 0]);
  const date = Math.floor(fleet.clock.now()) - 600;
  expect((await api.getCheckTimeline({ ...minutes, date, limit: 60 })).columns?.monitors["up"]?.[0]).toBe(1);
  await api.deleteCheck({ id: "slow" });
  await api.createCheck({ ...SLOW, enabled: false });
  expect(await api.getCheckTimeline(minutes)).toEqual({});
});

test("live alerts on a check that no longer runs end within a minute", async () => {
  const { api, port, pass, live } = await setUp();
  port.isOpen = false;
  await pass(10);
  await api.updateCheck({ id: "slow", enabled: false });
  await pass(70);
  expect(await live()).toBe(0);
});
