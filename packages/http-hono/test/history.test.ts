import { createSignalbox } from "@signalbox/core";
import { fakeClock, scriptedAgent } from "@signalbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { openStorage, STORAGES } from "./open-storage.ts";

const MINUTES = 70;
/** A little before the start of a half-day. */
const START = 43_200 * 41_666 - 3600;

describe.each(STORAGES)("monitoring history over %s", (name) => {
  test("hours are packed while the server reports, and all four lists answer from every minute", {
    timeout: 240_000,
  }, async () => {
    const clock = fakeClock(START);
    const agent = scriptedAgent();
    const storage = await openStorage(name);
    const engine = createSignalbox({
      storage,
      clock,
      agents: agent,
      secretKey: "a secret key for tests",
      plugins: [quickKeys],
    });
    await engine.start();
    onTestFinished(() => engine.stop());
    const server = await agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
    const jobs = Array.from({ length: MINUTES }, (_unused, minute) => (minute * 7) % 11);
    let reported = Promise.withResolvers<void>();
    engine.events.on("server.minute", () => reported.resolve());
    for (const [minute, count] of jobs.entries()) {
      // Skips the seconds of a minute, in which nothing needs to run.
      const next = START + minute * 60 + 1;
      if (minute > 0) clock.step(next - 2 - clock.now());
      await clock.advanceTo(next);
      reported = Promise.withResolvers<void>();
      server.send("monitor", { version: "1.0", date: clock.now(), data: { jobs: count } });
      await reported.promise;
    }
    const read = async (sys: string) => {
      const { rows } = await engine.api.getLatestMonitorData({ server: "s1", sys, limit: 1000 });
      return rows.map(({ count, totals }) => [count, (totals as Record<string, number>)["active_jobs"]]);
    };
    const sums = (seconds: number) => {
      const groups = Map.groupBy(jobs.keys(), (minute) => Math.floor((START + minute * 60) / seconds));
      return [...groups.values()].map((all) => [all.length, all.reduce((sum, minute) => sum + (jobs[minute] ?? 0), 0)]);
    };
    const expected = [sums(60), sums(120), sums(3600), sums(43_200)];
    const readAll = async () => [
      await read("hourly"),
      await read("daily"),
      await read("monthly"),
      await read("yearly"),
    ];
    expect(await readAll()).toEqual(expected);

    await clock.advance(600);
    expect(await storage.write((tx) => tx.timeline.tidy("hourly", (START + 3600) / 60, 1))).toBe(false);
    expect(await readAll()).toEqual(expected);
    const range = { server: "s1", sys: "minute", date: START + 50 * 60, limit: 20 };
    const { rows } = await engine.api.getHistoricalMonitorData(range);
    expect(rows.map((row) => row["active_jobs"])).toEqual(jobs.slice(50, 70));
  });
});
