import { describe, expect, test } from "vitest";
import { activity, hot, invocations, join, ping } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, limitedTo, useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();
const both = { alert_universal_actions: [ping, { ...ping, condition: "alert_cleared" }] };

async function setUp(members: Record<string, unknown> = {}) {
  const fleet = await start({ config: both, runAction: () => ({ code: 0, description: "sent" }) });
  await fleet.signalbox.api.createAlert({ ...hot, ...members });
  return { fleet, api: fleet.signalbox.api, server: await join(fleet) };
}
type At = Awaited<ReturnType<typeof setUp>>;

async function hotMinutes({ fleet, server }: At, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
  }
}
const sent = ({ told }: Fleet): string[] => told.batches.map(({ key }) => key.split(":").slice(1).join(":"));
const live = async ({ fleet }: At): Promise<string> =>
  (await invocations(fleet)).find(({ active }) => active)?.id ?? "";

describe("repetitions", () => {
  test("without a repeat interval a firing is reported once", async () => {
    const at = await setUp();
    await hotMinutes(at, 8);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
  });

  test("with an interval its actions run again while it is live, each time with a key of its own", async () => {
    const at = await setUp({ repeat_minutes: "2" });
    await hotMinutes(at, 7);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_new:1", "alert_new:2", "alert_new:3"]);
    const [invocation] = await invocations(at.fleet);
    expect(invocation).toMatchObject({ repeats: 3 });
    expect(invocation?.actions?.map((action) => [action["round"], action["code"]])).toEqual([
      [undefined, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    await at.fleet.minute(at.server, { temp: 40 });
    await at.fleet.settle();
    expect(sent(at.fleet).at(-1)).toBe("alert_cleared");
    await at.fleet.clock.advance(600);
    expect(sent(at.fleet)).toHaveLength(5);
  });

  test("only the results of the newest ten are kept", async () => {
    const at = await setUp({ repeat_minutes: 1 });
    await hotMinutes(at, 16);
    const rounds = (await invocations(at.fleet))[0]?.actions?.map((action) => action["round"]);
    expect(rounds?.[0]).toBeUndefined();
    expect(rounds?.length).toBe(11);
  });

  test("a change of the definition applies from then on", async () => {
    const at = await setUp();
    await hotMinutes(at, 5);
    await at.api.updateAlert({ id: "hot", repeat_minutes: 3 });
    await hotMinutes(at, 1);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_new:1"]);
    await at.api.updateAlert({ id: "hot", repeat_minutes: 0 });
    await hotMinutes(at, 5);
    expect(sent(at.fleet)).toHaveLength(2);
  });

  test("are counted in one entry during a silence, and continue after it", async () => {
    const at = await setUp({ repeat_minutes: 1 });
    await hotMinutes(at, 1);
    const { silence } = await at.api.createSilence({ title: "Works", servers: ["s1"], end: 4_000_000_000 });
    await hotMinutes(at, 4);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
    const [quiet] = (await invocations(at.fleet))[0]?.suppressed ?? [];
    expect(quiet).toMatchObject({ condition: "alert_new", count: expect.any(Number), by: { id: silence.id } });
    expect(quiet?.count).toBeGreaterThan(1);
    await at.api.deleteSilence({ id: silence.id });
    await hotMinutes(at, 2);
    expect(sent(at.fleet).length).toBeGreaterThan(1);
  });

  test.each([[-1], [1.5], ["soon"], [43_201]])("an interval of %j is refused", async (repeat_minutes) => {
    const fleet = await start();
    await expect(fleet.signalbox.api.createAlert({ ...hot, repeat_minutes } as never)).rejects.toMatchObject({
      code: "alert",
      description: "Invalid value for repeat_minutes",
    });
  });
});

describe("an acknowledged invocation", () => {
  test("sends nothing further, including the clearing, and says so", async () => {
    const at = await setUp({ repeat_minutes: 1 });
    await hotMinutes(at, 1);
    const id = await live(at);
    const { alert } = await at.api.acknowledgeAlertInvocation({ id, comment: "On it" });
    const acknowledged = { username: "system", comment: "On it", notify_cleared: false, date: expect.any(Number) };
    expect(alert.acknowledged).toEqual(acknowledged);
    await hotMinutes(at, 5);
    await at.fleet.minute(at.server, { temp: 40 });
    await at.fleet.settle();
    expect(sent(at.fleet)).toEqual(["alert_new"]);
    expect((await invocations(at.fleet))[0]).toMatchObject({
      active: false,
      acknowledged,
      suppressed: [{ condition: "alert_cleared", by: { kind: "acknowledgement", id: "system", title: "On it" } }],
    });
    expect((await activity(at.fleet)).map(({ action }) => action)).toEqual(["alert_new", "alert_cleared"]);
  });

  test("sends its clearing when that was requested", async () => {
    const at = await setUp();
    await hotMinutes(at, 1);
    await at.api.acknowledgeAlertInvocation({ id: await live(at), notify_cleared: true });
    await at.fleet.minute(at.server, { temp: 40 });
    await at.fleet.settle();
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_cleared"]);
  });

  test("continues after the acknowledgement is removed", async () => {
    const at = await setUp({ repeat_minutes: 2 });
    await hotMinutes(at, 1);
    const id = await live(at);
    await at.api.acknowledgeAlertInvocation({ id });
    await hotMinutes(at, 4);
    const { alert } = await at.api.unacknowledgeAlertInvocation({ id });
    expect(alert).not.toHaveProperty("acknowledged");
    await hotMinutes(at, 1);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_new:1"]);
  });

  test("loses its acknowledgement once, and this is reported once", async () => {
    const at = await setUp();
    await hotMinutes(at, 1);
    const id = await live(at);
    const told: string[] = [];
    at.fleet.signalbox.events.on("alert.unacknowledged", (event) => void told.push(event.id));
    const { alert } = await at.api.unacknowledgeAlertInvocation({ id });
    expect(alert).toMatchObject({ id, active: true });
    expect(told).toEqual([]);
    await at.api.acknowledgeAlertInvocation({ id });
    for (let count = 0; count < 2; count++) await at.api.unacknowledgeAlertInvocation({ id });
    expect(told).toEqual([id]);
    const rows = (await at.api.searchActivity({ query: "action:alert_unacknowledge", limit: 9 })).rows;
    expect(rows).toHaveLength(1);
  });

  test("applies to one firing: the next one is reported", async () => {
    const at = await setUp();
    await hotMinutes(at, 1);
    await at.api.acknowledgeAlertInvocation({ id: await live(at) });
    await at.fleet.minute(at.server, { temp: 40 });
    await hotMinutes(at, 1);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_new"]);
  });

  test("must be live, known and on a server within the caller's reach", async () => {
    const at = await setUp();
    await hotMinutes(at, 1);
    const id = await live(at);
    const call = (who: typeof at.api, invocation: string) =>
      who.acknowledgeAlertInvocation({ id: invocation, comment: "" }).then(
        () => "done",
        (error: { code: string; description: string }) => `${error.code}: ${error.description}`,
      );
    const other = { ...limitedTo("db"), privileges: { acknowledge_alerts: true } } as const;
    expect(await call(at.fleet.signalbox.as(other), id)).toBe(
      "access: You do not have the required account privileges to access server ID s1.",
    );
    expect(await call(at.api, "nope")).toBe("alert: Failed to locate alert invocation: nope");
    await at.fleet.minute(at.server, { temp: 40 });
    expect(await call(at.api, id)).toBe(`alert: The alert invocation has ended already: ${id}`);
  });
});
