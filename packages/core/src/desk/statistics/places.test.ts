import { expect, test } from "vitest";
import { createTestSignalbox } from "../../testing/test-signalbox.ts";

type Counts = Record<string, unknown>;

test("firings and ends of alerts are counted where they belong, once, but no end for lack of data", async () => {
  await using box = await createTestSignalbox();
  const { api } = box;
  await api.createAlert({ id: "warm", title: "Warm", expression: "temp > 1", message: "m" });
  const server = await box.connect({ id: "s1" });
  const day = async (): Promise<Record<string, Counts>> => {
    await box.advanceBy({ seconds: 2 });
    return (await api.dashStats({})).stats.day as Record<string, Counts>;
  };
  await box.minute(server, { temp: 5 });
  const { transactions, alerts, servers, groups } = await day();
  expect(transactions?.["alert_new"]).toBe(1);
  for (const place of [alerts?.["warm"], servers?.["s1"], groups?.["main"]]) expect(place).toEqual({ alert_new: 1 });
  await box.minute(server, { temp: 0 });
  const both = { alert_new: 1, alert_cleared: 1 };
  expect(await day()).toMatchObject({ alerts: { warm: both }, servers: { s1: both }, groups: { main: both } });
  await box.minute(server, { temp: 5 });
  // No more minutes: the alert ends for lack of data.
  await box.advanceBy({ minutes: 4 });
  const silent = { alert_new: 2, alert_cleared: 1 };
  const last = await day();
  expect(last).toMatchObject({ alerts: { warm: silent }, servers: { s1: silent }, groups: { main: silent } });
  expect(last["transactions"]).toMatchObject(silent);
});

test("invocations count under their channel and web hook", async () => {
  await using box = await createTestSignalbox({ local: { onJob: () => ({ code: 0 }) } });
  const { api } = box;
  await api.createWebHook({ id: "h1", title: "H", url: "https://hooks.example/", method: "POST" });
  await api.createChannel({ id: "c1", title: "C", web_hook: "h1" });
  await api.createEvent({
    ...{ id: "e1", title: "E", enabled: true, category: "general", plugin: "testplug", targets: ["local"] },
    ...{ algo: "random", triggers: [{ enabled: true, type: "manual" }], params: { duration: 1 } },
    actions: [{ enabled: true, condition: "success", type: "channel", channel_id: "c1" }],
  });
  await box.run("e1");
  await box.advanceBy({ seconds: 2 });
  expect((await api.dashStats({})).stats.day).toMatchObject({
    channels: { c1: { invocations: 1 } },
    web_hooks: { h1: { invocations: 1 } },
  });
});
