import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { activity, hot, invocations, join, ping, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { snapshotCollection } from "../snapshots/collection.ts";

const start = useFleets();
const universal = (...actions: Record<string, unknown>[]) => ({ alert_universal_actions: actions as never });

/** The cases that implementers miss (docs/contract/alerts.md#edge-cases), one test each. */
describe("edge cases", () => {
  test("the date is the time of the first warm sample: with five samples four minutes before the firing", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, samples: 5 });
    const server = await join(fleet);
    for (let minute = 0; minute < 5; minute++) await fleet.minute(server, { temp: 60 });
    const [invocation] = await invocations(fleet);
    expect(invocation?.modified).toBe((invocation?.date ?? 0) + 4 * 60);
  });

  test("the message keeps its last true text during the cool-down", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, samples: 2 });
    const server = await join(fleet);
    for (const temp of [60, 70, 40]) await fleet.minute(server, { temp });
    const id = (await invocations(fleet))[0]?.id ?? "";
    const shown = await fleet.signalbox.api.getAlertInvocations({ ids: [id] });
    expect(shown.alerts).toMatchObject([{ active: true, message: "70 degrees, !" }]);
    await fleet.minute(server, { temp: 39 });
    expect(await invocations(fleet)).toMatchObject([{ active: false, message: "70 degrees, !" }]);
  });

  test("an invocation keeps the expression of its first sample when the definition changes while it is live", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.signalbox.api.updateAlert({ id: "hot", expression: "temp >= 55" });
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toMatchObject([{ active: true, exp: "temp >= 50" }]);
  });

  test("a server that is moved out of the groups of an alert counts down and clears", async () => {
    const fleet = await start({ config: without });
    const { api } = fleet.signalbox;
    await api.createGroup({ id: "web", title: "Web", hostname_match: "nothing" });
    await api.createAlert({ ...hot, groups: ["main"], samples: 2 });
    const server = await join(fleet);
    for (let minute = 0; minute < 2; minute++) await fleet.minute(server, { temp: 60 });
    await api.updateServer({ id: "s1", groups: ["web"] });
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toMatchObject([{ active: true }]);
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toMatchObject([{ active: false }]);
  });

  test("an alert that limits jobs still does so while it cools down", async () => {
    const probe = cradleProbe();
    const fleet = await start({ config: without, plugins: [probe.plugin] });
    await fleet.signalbox.api.createAlert({ ...hot, samples: 2, limit_jobs: true });
    const server = await join(fleet);
    const limited = async () => [...(await probe.cradle().snapshot((tx) => probe.cradle().alerts.limitedServers(tx)))];
    for (const temp of [60, 60, 40]) await fleet.minute(server, { temp });
    expect(await limited()).toEqual(["s1"]);
    await fleet.minute(server, { temp: 40 });
    expect(await limited()).toEqual([]);
  });

  test("a regrouping between firing and clearing does not change who is notified of both", async () => {
    const fleet = await start({ config: without });
    const { api } = fleet.signalbox;
    const both = (to: string) => [ping, { ...ping, condition: "alert_cleared" }].map((action) => ({ ...action, to }));
    await api.updateGroup({ id: "main", alert_actions: both("main") } as never);
    await api.createGroup({ id: "web", title: "Web", hostname_match: "nothing", alert_actions: both("web") } as never);
    await api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
    await api.updateServer({ id: "s1", groups: ["web"] });
    await fleet.minute(server, { temp: 40 });
    await fleet.settle();
    expect((await invocations(fleet))[0]?.actions).toMatchObject([
      { condition: "alert_new", to: "main", source: "group" },
      { condition: "alert_cleared", to: "main", source: "group" },
    ]);
  });

  test("one target in two groups is notified once, with the text of the first", async () => {
    const fleet = await start({ config: without });
    const { api } = fleet.signalbox;
    await api.createGroup({
      id: "ga",
      title: "A",
      hostname_match: ".",
      alert_actions: [{ ...ping, text: "first" }],
      sort_order: 1,
    } as never);
    await api.createGroup({
      id: "gb",
      title: "B",
      hostname_match: ".",
      alert_actions: [{ ...ping, text: "second" }],
      sort_order: 2,
    } as never);
    await api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.settle();
    expect((await invocations(fleet))[0]?.actions?.map(({ text }) => text)).toEqual(["first"]);
  });

  test("actions get the data of the firing minute, even of a server that left meanwhile", async () => {
    const fleet = await start({ config: universal({ ...ping, type: "snapshot" }) });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    server.close();
    await fleet.settle();
    expect(fleet.told.batches).toMatchObject([
      { actions: [{ type: "snapshot" }], data: { params: { data: { temp: 60 } }, server: { id: "s1" } } },
    ]);
  });

  test("activity, invocation and timeline are stored and jobs aborted before the first action runs", async () => {
    const seen: unknown[] = [];
    const fleet = await start({
      config: universal(ping),
      jobs: [{ id: "j1", event: "e1", tickets: [] }],
      runAction: (_action, batch) => {
        seen.push((batch.data["alert"] as { id?: unknown }).id);
        return { code: 0 };
      },
    });
    await fleet.signalbox.api.createAlert({ ...hot, abort_jobs: true });
    await fleet.minute(await join(fleet), { temp: 60 });
    // No action has run yet: the invocation is complete before anyone is notified.
    expect(seen).toEqual([]);
    const [invocation] = await invocations(fleet);
    expect((await activity(fleet)).map(({ action }) => action)).toEqual(["alert_new"]);
    const { rows } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 1 });
    expect(rows).toMatchObject([{ alerts: { hot: true } }]);
    await fleet.settle();
    expect(seen).toEqual([invocation?.id]);
    expect(fleet.told.aborted).toHaveLength(1);
  });

  test("deleting a definition deletes its invocations, but not the snapshots that mention them", async () => {
    const probe = cradleProbe();
    const fleet = await start({ config: without, plugins: [probe.plugin] });
    await fleet.signalbox.api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.signalbox.api.createSnapshot({ server: "s1" });
    await fleet.signalbox.api.deleteAlert({ id: "hot" });
    await fleet.settle();
    expect(await invocations(fleet)).toEqual([]);
    const snapshots = await fleet.storage.read((tx) => tx.collection(snapshotCollection).list());
    expect(snapshots).toMatchObject([{ alerts: [expect.any(String)] }]);
  });

  test("a search for active invocations shows a dead server's until it counts as silent", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    server.close();
    const active = async () => (await fleet.signalbox.api.searchAlerts({ query: "active:true" })).list.length;
    await fleet.clock.advance(60);
    expect(await active()).toBe(1);
    await fleet.clock.advance(90);
    expect(await active()).toBe(0);
  });

  test("a search without a limit answers one row and the total", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    for (const temp of [60, 40, 60]) await fleet.minute(server, { temp });
    const { rows, list } = await fleet.signalbox.api.searchAlerts({});
    expect([rows.length, list.length]).toEqual([1, 2]);
    // Newest first.
    expect(rows[0]?.active).toBe(true);
  });

  test("a missing minute counts neither up nor down", async () => {
    const fleet = await start({ config: { ...without, stale_alert_timeout: 300 } });
    await fleet.signalbox.api.createAlert({ ...hot, samples: 3 });
    const server = await join(fleet);
    for (let minute = 0; minute < 2; minute++) await fleet.minute(server, { temp: 60 });
    await fleet.clock.advance(120);
    expect(await invocations(fleet)).toEqual([]);
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toMatchObject([{ active: true, count: 3 }]);
  });

  test("an invocation is found by its id only where invocations are, whatever its first letter", async () => {
    const fleet = await start({ config: without });
    const { api } = fleet.signalbox;
    const { id: _id, ...others } = hot;
    const { alert } = await api.createAlert(others);
    await fleet.minute(await join(fleet), { temp: 60 });
    const [invocation] = await invocations(fleet);
    expect([alert.id[0], invocation?.id[0]]).toEqual(["a", "a"]);
    await expect(api.getAlert({ id: invocation?.id ?? "" })).rejects.toMatchObject({ code: "notfound" });
    const { alerts } = await api.getAlertInvocations({ ids: [alert.id] });
    expect(alerts).toEqual([{ err: `Failed to locate alert invocation: ${alert.id}` }]);
  });
});
