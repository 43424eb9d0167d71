import { expect, onTestFinished, test } from "vitest";
import { createSignalbox } from "../../../engine/signalbox.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { silentLogger } from "../../../ports/logger.ts";
import type { WebHookClient } from "../../../ports/outside/web-hook-client.ts";
import { fakeClock } from "../../../testing/index.ts";

test("a lost network is one reported firing, and holds the firings that it explains", async () => {
  let isCut = false;
  const send: WebHookClient["send"] = async () => {
    if (isCut) throw Object.assign(new Error("Request failed: ENOTFOUND"), { code: "ENOTFOUND" });
    return { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 1 };
  };
  const clock = fakeClock(1_800_000_000);
  const box = createSignalbox({
    ...{ storage: memoryStorage(), clock, log: silentLogger, secretKey: "a secret key for tests", webHooks: { send } },
    config: { alert_universal_actions: [] },
  });
  await box.start();
  onTestFinished(() => box.stop());
  const { api } = box;
  await api.createReceiver({ id: "ops", title: "Ops", type: "user", users: ["@admins"] });
  await api.createRoute({ id: "all", title: "All", group_wait: 0, steps: [{ after: 0, to: ["ops"] }] });
  for (const id of ["a", "b", "c"])
    await api.createCheck({ id, title: id, type: "http", url: `https://${id}.example.com/`, retries: 1 });
  const pass = async (minutes: number) => {
    for (let gone = 0; gone < minutes * 6; gone++) await clock.advance(10);
  };
  const live = async () =>
    (await api.searchAlerts({ query: "active:true", limit: 20 })).rows.map(({ alert }) => alert).sort();
  const told = async () =>
    (await api.searchNotices({ limit: 20 })).rows.map(({ kind, new: named }) => [kind, named.length]);
  await pass(4);
  expect(await live()).toEqual([]);
  isCut = true;
  await pass(8);
  expect(await live()).toEqual(["check_down", "check_down", "check_down", "engine_offline"]);
  expect(await told()).toEqual([["firing", 1]]);
  const [offline] = (await api.explainAlert({ alert: "engine_offline", check: "_engine" })).rows;
  expect(offline).toMatchObject({ state: "live", invocation: { message: "None of 3 hosts can be reached" } });
  isCut = false;
  await pass(10);
  expect(await live()).toEqual([]);
  expect(await told()).toEqual([
    ["cleared", 0],
    ["firing", 1],
  ]);
});
