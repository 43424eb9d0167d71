import { describe, expect, test } from "vitest";
import { activity, hot, invocations, join, ping, without } from "../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { jobRecords } from "../../../test/work/job-records.ts";
import { stateCollection } from "./collection.ts";

const start = useFleets();

describe("firing", () => {
  test("an alert fires once, with its message, in the activity log and in all timelines", async () => {
    const jobs = [{ id: "j1", event: "e1", tickets: ["t1"] }];
    const fleet = await start({ jobs, config: without });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    const fired = fleet.next("alert.fired");
    await fleet.minute(server, { temp: 40 });
    await fleet.minute(server, { temp: 60 });
    const firedAt = Math.floor(fleet.clock.now());
    await fleet.minute(server, { temp: 61 });
    const [invocation, ...others] = await invocations(fleet);
    expect(others).toEqual([]);
    expect(invocation).toMatchObject({
      alert: "hot",
      server: "s1",
      active: true,
      date: firedAt,
      exp: "temp >= 50",
      message: "60 degrees, !",
      count: 1,
      notified: true,
      groups: ["main"],
      jobs: ["j1"],
      tickets: ["t1"],
    });
    expect(await fired).toEqual({ id: invocation?.id, alert: "hot", server: "s1" });
    expect(await activity(fleet)).toMatchObject([
      {
        action: "alert_new",
        description: "New alert for: Web (host-s1): Too hot",
        username: "system",
        ip: "127.0.0.1",
        server: "s1",
        alert: { id: invocation?.id },
        loc: `Alerts?id=${invocation?.id}`,
      },
    ]);
    for (const sys of ["hourly", "daily", "monthly", "yearly"]) {
      const { rows } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys, limit: 9 });
      expect(rows.filter((row) => row["alerts"])).toMatchObject([{ alerts: { hot: true } }]);
    }
  });

  test("names jobs on the server, and then the workflow that they belong to", async () => {
    const jobs = ["j1", "j2"].map((id) => ({ id, event: "e1", tickets: [] }));
    const fleet = await start({ jobs, config: without });
    const workflow = { event: "flow", job: "jflow", node: "n1" };
    for (const { id } of jobs) await jobRecords(fleet.storage).active(id, { workflow });
    await fleet.signalbox.api.createAlert({ ...hot, actions: [ping] } as never);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.settle();
    expect(await invocations(fleet)).toMatchObject([{ jobs: ["j1", "j2", "jflow"] }]);
    expect(fleet.told.batches.map(({ data }) => data["active_jobs"])).toEqual([
      [
        { id: "j1", event: "e1" },
        { id: "j2", event: "e1" },
        { id: "jflow", event: "flow" },
      ],
    ]);
  });

  test("the minute's record of the server names the alerts that fired in it", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).toMatchObject({ new_alerts: { hot: true } });
    await fleet.minute(server, { temp: 60 });
    expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).not.toHaveProperty("new_alerts");
  });

  test("with several samples the date is the time of the first one", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, samples: "3" } as never);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    const first = Math.floor(fleet.clock.now());
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toEqual([]);
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toMatchObject([{ date: first, count: 3 }]);
  });

  test("default alerts fire on real readings, including missing monitors", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, id: "guard", expression: '!("io_wait" in missing)' });
    await fleet.minute(await join(fleet), { load: [9], cpu: { cores: 2 }, mounts: { root: { use: 95 } } });
    const fired = await invocations(fleet);
    expect(fired.map(({ alert, message }) => [alert, message])).toEqual([
      ["load_avg_high", "CPU load average 9 exceeds 2 cores"],
      ["disk_usage_root_high", "Root filesystem use is 95%"],
    ]);
  });

  test("jobs on the server are aborted when the alert says so", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, abort_jobs: true });
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.settle();
    expect(fleet.told.aborted).toEqual([{ server: "s1", reason: "Alert Fired: Too hot" }]);
  });

  test("an expression that fails counts as false and is shown at the definition", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, expression: "nothing[0] > 1" });
    const server = await join(fleet);
    await fleet.minute(server, {});
    await fleet.minute(server, {});
    expect(await invocations(fleet)).toEqual([]);
    expect((await fleet.signalbox.api.getAlert({ id: "hot" })).alert["errors"]).toMatchObject({
      count: 2,
      text: expect.stringContaining("undefined"),
    });
  });

  test("servers outside the groups of an alert are not affected", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, groups: ["db"] });
    await fleet.minute(await join(fleet), { temp: 60 });
    expect(await invocations(fleet)).toEqual([]);
  });
});

describe("clearing", () => {
  test("an alert clears, is recorded, and fires again as another invocation", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    for (const temp of [60, 40, 60]) await fleet.minute(server, { temp });
    const found = await invocations(fleet);
    expect(found.map(({ active }) => active)).toEqual([false, true]);
    expect(found[0]?.modified).toBe((found[0]?.date ?? 0) + 60);
    expect((await activity(fleet)).map(({ action, description }) => [action, description])).toEqual([
      ["alert_new", "New alert for: Web (host-s1): Too hot"],
      ["alert_cleared", "Alert cleared: Web (host-s1): Too hot"],
      ["alert_new", "New alert for: Web (host-s1): Too hot"],
    ]);
  });

  test("a server that falls silent ends its alerts as stale, without notices", async () => {
    const fleet = await start({ config: { alert_universal_actions: [{ ...ping, condition: "alert_cleared" }] } });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.clock.advance(60);
    expect(await invocations(fleet)).toMatchObject([{ active: true }]);
    await fleet.clock.advance(90);
    expect(await invocations(fleet)).toMatchObject([{ active: false, stale: true }]);
    expect((await activity(fleet)).at(-1)).toMatchObject({
      action: "alert_cleared",
      stale: true,
      description: "Alert cleared: Web (host-s1): Too hot (no data)",
    });
    expect(await fleet.storage.read((tx) => tx.collection(stateCollection).list())).toEqual([]);
    await fleet.settle();
    expect(fleet.told.batches).toEqual([]);
  });

  test("the configuration may let stale endings run actions", async () => {
    const universal = [{ ...ping, condition: "alert_cleared" }];
    const fleet = await start({ config: { alert_stale_actions: true, alert_universal_actions: universal } });
    await fleet.signalbox.api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.clock.advance(160);
    expect(fleet.told.batches.map(({ key }) => key.split(":")[1])).toEqual(["alert_cleared"]);
  });

  test("disabling a definition ends its alerts without actions, and forgets warm-ups", async () => {
    const fleet = await start({ config: { alert_universal_actions: [{ ...ping, condition: "alert_cleared" }] } });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.signalbox.api.updateAlert({ id: "hot", enabled: false });
    await fleet.settle();
    expect(await invocations(fleet)).toMatchObject([{ active: false }]);
    expect(fleet.told.batches).toEqual([]);
    await fleet.signalbox.api.updateAlert({ id: "hot", enabled: true });
    await fleet.minute(server, { temp: 60 });
    expect((await invocations(fleet)).map(({ active }) => active)).toEqual([false, true]);
  });

  test("a server that leaves the groups of an alert counts down to clearing", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert({ ...hot, groups: ["main"] });
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.signalbox.api.updateAlert({ id: "hot", groups: ["db"] });
    await fleet.minute(server, { temp: 60 });
    expect(await invocations(fleet)).toMatchObject([{ active: false }]);
  });

  test("deleting a definition deletes its states and invocations", async () => {
    const fleet = await start({ config: without });
    await fleet.signalbox.api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.signalbox.api.deleteAlert({ id: "hot" });
    expect(await fleet.storage.read((tx) => tx.collection(stateCollection).list())).toEqual([]);
    await fleet.settle();
    expect(await invocations(fleet)).toEqual([]);
  });
});

test("a stored invocation gets the present message and time every five minutes", async () => {
  const fleet = await start({ config: without });
  await fleet.signalbox.api.createAlert(hot);
  const server = await join(fleet);
  for (const temp of [60, 61, 62, 63, 64]) await fleet.minute(server, { temp });
  expect((await invocations(fleet))[0]?.message).toBe("60 degrees, !");
  await fleet.minute(server, { temp: 65 });
  expect((await invocations(fleet))[0]?.message).toBe("65 degrees, !");
});
