import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { hot, invocations, join, ping } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const config = { alert_universal_actions: [ping, { ...ping, condition: "alert_cleared" }] };

async function setUp(members: Record<string, unknown>) {
  const fleet = await start({ config });
  await fleet.signalbox.api.createAlert({ ...hot, ...members });
  const server = await join(fleet);
  return { fleet, api: fleet.signalbox.api, minute: (temp: unknown) => fleet.minute(server, { temp }) };
}
const active = async (fleet: Fleet): Promise<boolean[]> =>
  (await invocations(fleet)).filter(({ alert }) => alert === "hot").map((each) => each.active);

test("an alert fires after unbroken minutes, outlives short dips and clears below its recovery", async () => {
  const members = { for: 120, keep_firing_for: 60, recovery: "temp < 40", severity: "critical" };
  const { fleet, minute } = await setUp(members);
  for (const temp of [60, 60, 45, 60, 60]) await minute(temp);
  expect(await active(fleet)).toEqual([]);
  await minute(60);
  expect(await active(fleet)).toEqual([true]);
  for (const temp of [45, 45, 45]) await minute(temp);
  expect(await active(fleet)).toEqual([true]);
  await minute(39);
  expect(await active(fleet)).toEqual([false]);
  expect((await invocations(fleet))[0]).toMatchObject({ severity: "critical" });
});

test("an alert says what it waits for", async () => {
  const { api, fleet, minute } = await setUp({ for: 300, keep_firing_for: 600, recovery: "temp < 40" });
  const reason = async () => {
    await fleet.settle();
    return (await api.explainAlert({ alert: "hot" })).rows[0]?.reason;
  };
  for (const temp of [60, 60]) await minute(temp);
  expect(await reason()).toBe(
    "The condition holds, but it must hold for 300 seconds without a break: 239 more. It would fire".split(" It")[0],
  );
  for (let count = 0; count < 4; count++) await minute(60);
  await minute(45);
  expect(await reason()).toMatch(
    /^The condition does not hold any more; the alert clears after 1 minute in which "temp < 40" holds\./,
  );
  await minute(39);
  expect(await reason()).toMatch(
    /^The condition does not hold any more; the alert is kept firing for 479 more seconds\./,
  );
});

test("a firing of an alert that keeps firing outlives the silence of its server, for a week", async () => {
  const { api, fleet, minute } = await setUp({ no_data: "keep" });
  await minute(60);
  await fleet.clock.advance(3600);
  expect(await active(fleet)).toEqual([true]);
  const { rows } = await api.explainAlert({ alert: "hot", timezone: "Asia/Tokyo" });
  expect(rows[0]?.reason).toMatch(
    /^There are no data since Jan 15, 2027, 5:0\d:\d\d.PM; the alert stays as it is until data/,
  );
  await minute(40);
  expect(await active(fleet)).toEqual([false]);
});

test("samples whose expression fails can be left out", async () => {
  const { fleet, minute } = await setUp({ expression: "temp[0].x >= 50", on_error: "keep", message: "Hot" });
  await minute([{ x: 60 }]);
  await minute(null);
  expect(await active(fleet)).toEqual([true]);
  await minute([{ x: 40 }]);
  expect(await active(fleet)).toEqual([false]);
});

test("a back-test uses the same delays", async () => {
  const fleet = await start({ config });
  const { api } = fleet.signalbox;
  const server = await join(fleet);
  await api.createMonitor({ id: "temp", title: "Temperature", source: "temp", data_type: "float" } as never);
  for (const temp of [60, 60, 60, 45, 45, 39]) await fleet.minute(server, { temp });
  await fleet.clock.advance(60);
  const found = async (members: object) => {
    const { invocations: all } = await api.backtestAlert({
      expression: "monitors.temp >= 50",
      message: "",
      ...members,
    });
    return all.map(({ date, fired, cleared = 0 }) => [(fired - date) / 60, (cleared - date) / 60]);
  };
  expect(await found({})).toEqual([[0, 3]]);
  expect(await found({ for: 120, recovery: "monitors.temp < 40" })).toEqual([[2, 5]]);
  expect(await found({ keep_firing_for: "180" })).toEqual([[0, 5]]);
  expect(await refusalOf(api.backtestAlert({ expression: "1", recovery: "(" }))).toMatchObject({
    code: "alert",
    description: expect.stringMatching(/^Failed to compile recovery expression: /),
  });
});

describe("a definition", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ for: -1 }, "Invalid value for for"],
    [{ for: 604_801 }, "Invalid value for for"],
    [{ keep_firing_for: 1.5 }, "Invalid value for keep_firing_for"],
    [{ severity: "bad" }, "Invalid value for severity"],
    [{ on_error: true }, "Invalid value for on_error"],
    [{ no_data: "gone" }, "Invalid value for no_data"],
    [{ recovery: "(" }, "Failed to compile recovery expression: cold: "],
  ])("is refused with %j", async (members, text) => {
    const { api } = await setUp({});
    const refusal = await refusalOf(api.createAlert({ ...hot, id: "cold", ...members } as never));
    expect(refusal).toMatchObject({ code: "alert", description: expect.stringContaining(text) });
  });

  test("may contain numbers as text, and null for none", async () => {
    const { api } = await setUp({});
    await api.createAlert({ ...hot, id: "cold", for: "60", keep_firing_for: "5", severity: null } as never);
    expect((await api.getAlert({ id: "cold" })).alert).toMatchObject({ for: 60, keep_firing_for: 5, severity: null });
  });
});
