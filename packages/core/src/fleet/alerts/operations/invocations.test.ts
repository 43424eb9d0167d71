import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { activity, hot, invocations, join, ping, without } from "../../../../test/fleet/alert-setup.ts";
import { limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { systemActor } from "../../../kernel/calls/context.ts";
import { invocationCollection, stateCollection } from "../collection.ts";
import type { Invocation } from "../model.ts";

const start = useFleets();

async function live() {
  const fleet = await start({ config: without });
  await fleet.signalbox.api.createAlert(hot);
  const server = await join(fleet);
  await fleet.minute(server, { temp: 60 });
  const [invocation] = await invocations(fleet);
  return { fleet, api: fleet.signalbox.api, server, id: invocation?.id ?? "" };
}

describe("test_alert", () => {
  const input = { server: "s1", expression: "temp > 50 && monitors.temp > 50", message: "{{temp}}, {{deltas.temp}}!" };

  test("evaluates the last stored minute with its monitors, also of a disconnected server", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createMonitor({
      id: "temp",
      title: "Temp",
      source: "temp",
      data_type: "float",
      delta: true,
    });
    const server = await join(fleet);
    await fleet.minute(server, { temp: 52 });
    await fleet.minute(server, { temp: 60 });
    server.close();
    expect(await fleet.signalbox.api.testAlert(input)).toEqual({ result: true, message: "60, 8!" });
    expect(await fleet.signalbox.api.testAlert({ ...input, expression: "mem.total < 0" })).toEqual({
      result: false,
      message: "60, 8!",
      missing: ["mem.total"],
    });
    expect(await invocations(fleet)).toEqual([]);
  });

  test("answers the error of an evaluation", async () => {
    const { api } = await live();
    expect(await api.testAlert({ ...input, expression: "nothing[0] > 1" })).toMatchObject({
      result: false,
      error: expect.stringContaining("undefined"),
    });
  });

  test.each<[string, Record<string, unknown>, string, RegExp]>([
    ["no expression", { expression: "1 +" }, "alert", /^Failed to compile alert expression: ./],
    ["an invalid macro", { message: "{{ 1 + }}" }, "alert", /^Failed to compile macros in alert message: ./],
    ["a server without data", { server: "s9" }, "alert", /^Failed to load server data: Error: Item not found$/],
    ["no server", { server: "a-b" }, "api", /^Malformed parameter: server$/],
    ["an empty message", { message: " " }, "api", /^Malformed parameter: message$/],
  ])("%s is refused", async (_what, change, code, description) => {
    const { fleet } = await live();
    const call = fleet.signalbox.execute({
      operation: "test_alert",
      input: { ...input, ...change },
      actor: systemActor,
    });
    await expect(call).rejects.toMatchObject({ code, description: expect.stringMatching(description) });
  });
});

describe("manage_alert_invocation_tickets", () => {
  test("replaces the tickets, once each, and nothing else", async () => {
    const { fleet, api, id } = await live();
    await api.manageAlertInvocationTickets({ id, tickets: ["t1", "t2", "t1"], message: "forged" } as never);
    expect(await invocations(fleet)).toMatchObject([{ tickets: ["t1", "t2"], message: "60 degrees, !" }]);
    const rows = await fleet.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.at(-1)).toMatchObject({ action: "alert_update_tickets", description: id, alert: { id } });
  });

  test.each([["t1"], [[5]], [["a b"]], [undefined]])("tickets like %j are refused", async (tickets) => {
    const { api, id } = await live();
    await expect(api.manageAlertInvocationTickets({ id, tickets } as never)).rejects.toMatchObject({ code: "api" });
  });

  test("an unknown invocation is named", async () => {
    const { api } = await live();
    await expect(api.manageAlertInvocationTickets({ id: "no", tickets: [] })).rejects.toMatchObject({
      code: "alert",
      description: "Failed to update alert invocation: no: Error: Item not found",
    });
  });
});

describe("delete_alert_invocation", () => {
  test("of a live one leaves the alert notified: it fires again only after it has cleared", async () => {
    const { fleet, api, server, id } = await live();
    await api.deleteAlertInvocation({ id });
    expect(await invocations(fleet)).toEqual([]);
    for (const temp of [60, 60, 60, 60, 60, 60]) await fleet.minute(server, { temp });
    expect(await invocations(fleet)).toEqual([]);
    await fleet.minute(server, { temp: 40 });
    expect((await activity(fleet)).map(({ action }) => action)).toEqual(["alert_new", "alert_cleared"]);
    await fleet.minute(server, { temp: 60 });
    const [again] = await invocations(fleet);
    expect(again).toMatchObject({ active: true });
    expect(again?.id).not.toBe(id);
  });

  test("removes its waiting actions with it", async () => {
    const probe = cradleProbe();
    const fleet = await start({ config: { alert_universal_actions: [ping] }, plugins: [probe.plugin] });
    await fleet.signalbox.api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.settle();
    const id = (await invocations(fleet))[0]?.id ?? "";
    await fleet.signalbox.api.deleteAlertInvocation({ id });
    const { signal } = new AbortController();
    await probe.cradle().alerts.notify({ invocation: id, condition: "alert_cleared" }, signal);
    await probe.cradle().alerts.notify({ invocation: id, condition: "alert_new", round: 1 }, signal);
    expect(fleet.told.batches).toHaveLength(1);
  });

  test("while its actions run leaves nothing to store their results in, which is no fault", async () => {
    const gone: { remove?: () => Promise<unknown> } = {};
    const fleet = await start({
      config: { alert_universal_actions: [ping] },
      runAction: () => ({ code: 0, description: String(gone.remove?.()) }),
    });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    gone.remove = () =>
      fleet.storage.write(async (tx) => {
        for (const { id } of await tx.collection(invocationCollection).list())
          await tx.collection(invocationCollection).delete(id);
      });
    await fleet.minute(server, { temp: 60 });
    await fleet.clock.advance(30);
    expect(fleet.told.batches).toHaveLength(1);
    expect(await fleet.storage.work.stats()).toEqual({ open: 0, failed: 0 });
  });

  test("is logged, and an unknown invocation is refused", async () => {
    const { fleet, api, id } = await live();
    await api.deleteAlertInvocation({ id });
    const rows = await fleet.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.at(-1)).toMatchObject({ action: "alert_delete_invocation", description: id });
    await expect(api.deleteAlertInvocation({ id })).rejects.toMatchObject({
      code: "alert",
      description: "Failed to delete alert invocation: Error: Item not found",
    });
  });
});

test("callers limited to groups may not manage invocations, whatever their privileges", async () => {
  const { fleet, id } = await live();
  const api = fleet.signalbox.as({
    ...limitedTo("main"),
    privileges: { edit_alerts: true, delete_alerts: true, edit_tickets: true },
  });
  const refusal = { code: "alert", description: "Group-limited users may not manage alerts." };
  await expect(api.testAlert({ server: "s1", expression: "1", message: "m" })).rejects.toMatchObject(refusal);
  await expect(api.manageAlertInvocationTickets({ id, tickets: [] })).rejects.toMatchObject(refusal);
  await expect(api.deleteAlertInvocation({ id })).rejects.toMatchObject(refusal);
});

describe("search_alerts", () => {
  const found = async ({ fleet }: Awaited<ReturnType<typeof live>>, query: string) =>
    (await fleet.signalbox.api.searchAlerts({ query, limit: 10 })).list.length;

  test.each([
    ["*", 1],
    ["alert:hot", 1],
    ["alert:cold", 0],
    ["server:s1 active:true", 1],
    ["active:false", 0],
    ["groups:main", 1],
    ["tickets:t7", 0],
    ["start:>2000-01-01", 1],
  ])("%s finds %i", async (query, count) => {
    expect(await found(await live(), query)).toBe(count);
  });

  test("shows live ones with their present values, and limited callers only their groups'", async () => {
    const { fleet, server } = await live();
    await fleet.minute(server, { temp: 77 });
    expect((await fleet.signalbox.api.searchAlerts({})).rows).toMatchObject([{ message: "77 degrees, !" }]);
    expect((await fleet.signalbox.as(limitedTo("main")).searchAlerts({})).list.length).toBe(1);
    expect((await fleet.signalbox.as(limitedTo("db")).searchAlerts({ query: "alert:hot" })).list.length).toBe(0);
  });

  test("refuses an invalid sorter", async () => {
    const { api } = await live();
    await expect(api.searchAlerts({ sort_by: "mood" })).rejects.toMatchObject({
      code: "db",
      description: expect.stringMatching(/^Failed DB search: /),
    });
  });
});

describe("other ends and removals of invocations", () => {
  test("a deleted server removes its states and ends its invocations, without notices", async () => {
    const probe = cradleProbe();
    const universal = { ...ping, condition: "alert_cleared" };
    const fleet = await start({ config: { alert_universal_actions: [universal] }, plugins: [probe.plugin] });
    await fleet.signalbox.api.createAlert(hot);
    for (const id of ["s1", "s2"]) await fleet.minute(await join(fleet, id), { temp: 60 });
    const cradle = probe.cradle();
    await cradle.transact((unit) => cradle.alerts.dropServer(unit, "s1"));
    await fleet.settle();
    expect((await invocations(fleet)).map(({ server, active }) => [server, active])).toEqual([
      ["s1", false],
      ["s2", true],
    ]);
    const states = await fleet.storage.read((tx) => tx.collection(stateCollection).list());
    expect(states.map(({ server }) => server)).toEqual(["s2"]);
    expect(fleet.told.batches).toEqual([]);
  });

  test("an invocation stored by a minute in progress after its definition was deleted is removed once stale", async () => {
    const { fleet, id } = await live();
    const state = (await fleet.storage.read((tx) => tx.collection(stateCollection).list()))[0];
    const [invocation] = await invocations(fleet);
    await fleet.signalbox.api.deleteAlert({ id: "hot" });
    await fleet.settle();
    if (!state || !invocation) throw new Error("nothing fired");
    await fleet.storage.write(async (tx) => {
      await tx.collection(stateCollection).insert(state);
      await tx.collection(invocationCollection).insert(invocation);
    });
    await fleet.clock.advance(200);
    expect(await invocations(fleet)).toEqual([]);
    await expect(fleet.signalbox.api.searchAlerts({ query: "active:true" })).resolves.toMatchObject({ rows: [] });
    expect(id).toBe(invocation.id);
  });

  test("the daily maintenance keeps the newest and never removes live ones", async () => {
    const probe = cradleProbe();
    const fleet = await start({
      config: { ...without, db_maint: { alerts: { max_rows: 3 } } },
      plugins: [probe.plugin],
    });
    const cradle = probe.cradle();
    const row = (n: number, active: boolean): Invocation => ({
      ...{ id: `i${n}`, alert: "hot", server: "s1", date: n, active, modified: n, tickets: [], exp: "" },
      ...{ message: "", count: 1, notified: true, groups: [], jobs: [] },
    });
    const rows = [row(1, true), row(2, false), row(5, false), row(3, false), row(4, false)];
    await cradle.transact(async ({ tx }) => {
      for (const each of rows) await tx.collection(invocationCollection).insert(each);
    });
    const day = 86_400;
    await cradle.alerts.maintain(fleet.clock.now() + day, new AbortController().signal);
    expect((await invocations(fleet)).map(({ id }) => id).toSorted()).toEqual(["i1", "i4", "i5"]);
  });
});
