import { describe, expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../../test/engine.ts";
import type { WebHookClient } from "../../../ports/outside/web-hook-client.ts";

const hook = { id: "ops", title: "Ops", url: "https://example.com/a", method: "POST", timeout: 3600, retries: 32 };

/** A host whose requests fail after a second, or never end and ignore the signal. */
async function setUp(answers: "late" | "never", config = {}) {
  const probe = cradleProbe();
  const sentAt: number[] = [];
  const client: WebHookClient = {
    async send() {
      const { clock } = engine;
      sentAt.push(clock.now());
      await new Promise<void>((resolve) => {
        if (answers === "late") clock.after(1000, resolve);
      });
      throw new Error("No connection");
    },
  };
  const engine = await startEngine({ webHooks: client, plugins: [probe.plugin], config });
  await engine.api.createWebHook(hook);
  const { webHooks: sender } = probe.cradle();
  const { clock } = engine;
  const begun = clock.now();
  return {
    ...{ engine, sender, clock, sentAt },
    seconds: () => clock.now() - begun,
    /** Moves the clock second by second until the firing is over. */
    async until<T>(work: Promise<T>): Promise<T> {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      for (let count = 0; !isOver && count < 100_000; count++) await clock.advance(1);
      return over;
    },
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

describe("all attempts of a firing together", () => {
  test("end after the time limit of an action, with the error of the last one", async () => {
    await using at = await setUp("late");
    const outcome = await at.until(at.sender.fire("ops", {}));
    expect(outcome).toMatchObject({ code: "webhook", description: "Error: No connection" });
    expect(at.seconds()).toBeCloseTo(300, 0);
    // Pauses of 1, 2, 4, 8, 16 and then 30 seconds, and a second for each request.
    expect(at.sentAt).toHaveLength(14);
  });

  test("end at the same time when the first is never answered and the client ignores its signal", async () => {
    await using at = await setUp("never");
    const outcome = await at.until(at.sender.fire("ops", {}));
    expect(outcome).toMatchObject({ code: "webhook", description: expect.stringContaining("took longer than 5 min") });
    expect(at.seconds()).toBeCloseTo(300, 0);
    expect((await at.engine.api.getWebHookDeliveries({})).rows).toHaveLength(1);
  });

  test("end after the remaining time of the caller", async () => {
    await using at = await setUp("never", { action_timeout: 1000 });
    await at.until(at.sender.fire("ops", {}, { patienceSec: 30 }));
    expect(at.seconds()).toBeCloseTo(30, 0);
  });

  test("end with the signal, without a recorded failure, and are started again", async () => {
    await using at = await setUp("never");
    const stop = new AbortController();
    const firing = at.sender.fire("ops", {}, { signal: stop.signal });
    await at.clock.advance(5);
    stop.abort(new Error("The engine stops"));
    expect(await firing).toMatchObject({ code: "webhook", description: "Error: The engine stops" });
    expect((await at.engine.api.getWebHookDeliveries({})).rows).toEqual([]);
  });
});
