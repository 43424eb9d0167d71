import { expect, onTestFinished, test } from "vitest";
import { createSignalbox } from "../../../engine/signalbox.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { silentLogger } from "../../../ports/logger.ts";
import type { WebHookClient } from "../../../ports/outside/web-hook-client.ts";
import { fakeClock } from "../../../testing/index.ts";

/** Addresses that, while slow, use up the whole timeout of a check. */
function slowAddresses() {
  const state = { isSlow: true };
  const send: WebHookClient["send"] = (_request, signal) =>
    new Promise((_resolve, reject) => {
      if (!state.isSlow) return reject(new TypeError("No connection"));
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  return { state, send };
}

test("rounds that take a minute are reported once, until one was in time again", async () => {
  const lines: object[] = [];
  const log = {
    ...silentLogger,
    warn: (fields: object, text: string) => void (/later than/.test(text) && lines.push(fields)),
  };
  const { state, send } = slowAddresses();
  const clock = fakeClock(1_800_000_000);
  const box = createSignalbox({
    ...{ storage: memoryStorage(), clock, log, secretKey: "a secret key for tests", webHooks: { send } },
  });
  await box.start();
  onTestFinished(() => box.stop());
  for (let n = 0; n < 61; n++)
    await box.api.createCheck({ id: `c${n}`, title: "Slow", type: "http", url: "http://slow.test/", timeout: 30 });
  const pass = async (seconds: number) => {
    for (let gone = 0; gone < seconds; gone += 10) await clock.advance(10);
  };
  // 61 checks, 20 at a time: four batches of half a minute each.
  await pass(300);
  expect(lines).toEqual([{ checks: 61, ms: 120_000 }]);
  state.isSlow = false;
  await pass(180);
  state.isSlow = true;
  await pass(300);
  expect(lines).toHaveLength(2);
});
