import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineEvent } from "../work/events/define-event.ts";
import { createTestSignalbox } from "./test-signalbox.ts";

const noActions = { default: [], workflow: [] };
const quiet = { job_universal_actions: noActions, alert_universal_actions: [] };

describe("a function of the host", () => {
  test.each([
    // Clocks jump over 02:30 on the 29th: the event runs at the moment of the jump.
    ["2026-03-29 01:55", "2026-03-29 03:35", ["2026-03-29T01:00:00.000Z"]],
    // Clocks show 02:30 twice on the 25th.
    ["2026-10-25 01:55", "2026-10-25 03:05", ["2026-10-25T00:30:00.000Z"]],
  ])(
    "runs on its schedule once a day when the clocks change: %s to %s",
    async (now, end, times) => {
      const seen: string[] = [];
      const report = defineEvent({
        id: "report",
        title: "Report",
        schedule: "30 2 * * *",
        run: ({ log }) => {
          seen.push(new Date(box.clock.now() * 1000).toISOString());
          log("done");
          return { rows: seen.length };
        },
      });
      await using box = await createTestSignalbox({ events: [report], now, timeZone: "Europe/Berlin" });
      await box.advanceTo(end);
      expect(seen).toEqual(times);
      expect(await box.runs("report")).toMatchObject(
        times.map((_time, index) => ({ code: 0, data: { rows: index + 1 }, output: "done\n", source: "scheduler" })),
      );
    },
    60_000,
  );

  test("gets the clock and the random source of the box, and the requests of the test", async () => {
    const live = defineEvent({
      id: "live",
      title: "Live",
      async run({ clock, random, fetch }) {
        const began = clock.now();
        await new Promise<void>((resolve) => void clock.after(600_000, resolve));
        const answer = await fetch("https://rates.example.com/");
        return { began, took: clock.now() - began, chance: random.fraction(), rate: await answer.text() };
      },
    });
    const outcomeOf = async () => {
      const fetch = async () => new Response("1.07");
      await using box = await createTestSignalbox({ events: [live], config: quiet, fetch });
      const now = box.clock.now();
      await box.run("live");
      await box.advanceBy({ minutes: 11 });
      const [run] = await box.runs("live");
      expect(run).toMatchObject({ code: 0, data: { began: now, took: 600, rate: "1.07" } });
      return run?.data;
    };
    // Randomness is the same in every run.
    expect(await outcomeOf()).toEqual(await outcomeOf());
  });

  test("is retried after its delay when it fails", async () => {
    let calls = 0;
    const flaky = defineEvent({
      id: "flaky",
      title: "Flaky",
      limits: [{ type: "retry", enabled: true, amount: 2, duration: 30 }],
      run: () => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error("Try later"), { code: "busy" });
      },
    });
    await using box = await createTestSignalbox({ events: [flaky], config: quiet });
    expect(await box.run("flaky")).toMatchObject({ code: "busy", description: "Try later", retried: true });
    await box.advanceBy({ seconds: 29 });
    expect(calls).toBe(1);
    await box.advanceBy({ seconds: 2 });
    expect(await box.runs("flaky")).toMatchObject([{ code: "busy" }, { code: 0, retry_count: 1 }]);
  });

  test("is aborted at its time limit, and abandoned when it ignores its signal", async () => {
    const reasons: string[] = [];
    const limits = [{ type: "time" as const, enabled: true, duration: 120, abort: true }];
    const heeds = defineEvent({
      id: "heeds",
      title: "Heeds",
      limits,
      run: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push(String(signal.reason));
            reject(signal.reason);
          });
        }),
    });
    const deaf = defineEvent({ id: "deaf", title: "Deaf", limits, run: () => new Promise(() => undefined) });
    await using box = await createTestSignalbox({ events: [heeds, deaf], config: quiet, patienceMs: 20 });
    expect(await box.run("heeds")).toMatchObject({ state: "active" });
    await box.run("deaf");
    await box.advanceBy({ seconds: 119 });
    expect(await box.runs("heeds")).toMatchObject([{ state: "active" }]);
    await box.advanceBy({ seconds: 3 });
    expect(await box.runs("heeds")).toMatchObject([
      { code: "abort", description: expect.stringContaining("2 minutes") },
    ]);
    expect(reasons).toHaveLength(1);
    await box.advanceBy({ seconds: 10 });
    expect(await box.runs("deaf")).toMatchObject([{ code: "abort" }]);
  });

  test("gets parameters, input and its signal, and reports progress and tags", async () => {
    const params = z.object({ size: z.coerce.number() });
    const work = defineEvent({
      id: "work",
      title: "Work",
      params,
      defaults: { size: "3" },
      run: ({ params: { size }, input, progress, tag }) => {
        tag("big");
        progress(0.5, "half");
        return { size, input };
      },
    });
    await using box = await createTestSignalbox({ events: [work], config: quiet });
    await box.api.createTag({ id: "big", title: "Big" });
    const run = await box.run("work", { input: { data: { a: 1 } } });
    expect(run).toMatchObject({
      code: 0,
      data: { size: 3, input: { data: { a: 1 } } },
      tags: ["big", "_success", "_last"],
    });
    await expect(box.run("work", { params: { size: "x" } })).rejects.toThrow("Parameter 'size'");
  });

  test("may wait for something outside of the box", async () => {
    const reads = defineEvent({
      id: "reads",
      title: "Reads",
      run: async () => {
        const { readFile } = await import("node:fs/promises");
        return { characters: (await readFile(new URL(import.meta.url), "utf8")).length };
      },
    });
    await using box = await createTestSignalbox({ events: [reads] });
    expect(await box.run("reads")).toMatchObject({ code: 0, data: { characters: expect.any(Number) } });
  });

  test("that waits for the clock of the box does not use up its waiting time", async () => {
    const waits = defineEvent({
      id: "waits",
      title: "Waits",
      schedule: "* * * * *",
      run: () => new Promise<void>((resolve) => void box.clock.after(30_000, resolve)),
    });
    const now = "2026-01-01 00:00:01";
    await using box = await createTestSignalbox({ events: [waits], now, patienceMs: 600_000, settleMs: 600_000 });
    await box.advanceTo("00:03:31");
    const runs = await box.runs("waits");
    expect(runs.map(({ elapsed, code }) => [Math.round(elapsed ?? 0), code])).toEqual([
      [30, 0],
      [30, 0],
      [30, 0],
    ]);
  });
});

describe("a function in a module", () => {
  const module = `data:text/javascript,${encodeURIComponent(`
    export async function run({ params, job, files, log, signal }) {
      log("here");
      await files.write("out.txt", params.text);
      return { event: job.event, aborted: signal.aborted };
    }
    export const broken = 5;
  `)}`;

  test("runs in the box, with its files, by the clock of the box", async () => {
    const work = defineEvent({ id: "work", title: "Work", defaults: { text: "hello" }, worker: { module } });
    await using box = await createTestSignalbox({ events: [work], config: quiet });
    const job = await box.run("work");
    expect(job).toMatchObject({ code: 0, data: { event: "work", aborted: false }, output: "here\n" });
    expect(job["files"]).toMatchObject([{ filename: "out.txt", size: 5, job: job.id, server: "local" }]);
  });

  test("that is not exported fails its job with a clear message", async () => {
    const work = defineEvent({ id: "work", title: "Work", worker: { module, export: "broken" } });
    await using box = await createTestSignalbox({ events: [work], config: quiet });
    const { code, description } = await box.run("work");
    expect([code, description]).toEqual([
      1,
      expect.stringMatching(/^Worker module exports no function "broken": data:/),
    ]);
  });
});

describe("alerts", () => {
  const hot = { id: "hot", title: "Too hot", expression: "temp >= 50", message: "{{temp}} degrees", samples: 3 };

  test("fire after three samples and call a web hook", async () => {
    await using box = await createTestSignalbox({ config: quiet });
    await box.api.createWebHook({
      ...{ id: "pager", title: "Pager", enabled: true, method: "POST", url: "https://pager.example.internal/" },
      headers: [{ name: "Content-Type", value: "application/json" }],
      body: '{"text":"{{text}}"}',
    } as never);
    const actions = [{ type: "web_hook", enabled: true, condition: "alert_new", web_hook: "pager", per: "subject" }];
    await box.api.createAlert({ ...hot, actions } as never);
    const web = await box.connect({ id: "web01" });
    await box.minute(web, { temp: 60 });
    await box.minute(web, { temp: 61 });
    expect(box.hooks).toEqual([]);
    await box.minute("web01", { temp: 62 });
    expect(box.hooks).toMatchObject([
      {
        method: "POST",
        url: "https://pager.example.internal/",
        at: box.clock.now(),
        json: { text: expect.stringContaining("62 degrees") },
      },
    ]);
  });

  test("ignore no sample silently: one that the engine would drop is refused", async () => {
    await using box = await createTestSignalbox();
    await box.report("local", { temp: 60 });
    await expect(box.report("local", { temp: 61 })).rejects.toThrow(
      'Server "local" has sent its sample of this minute',
    );
    await expect(box.report("web09", {})).rejects.toThrow('No server "web09"; there are: local');
  });
});

describe("servers that the test controls", () => {
  const shell = {
    ...{ id: "backup", title: "Backup", enabled: true, category: "general", plugin: "shellplug", algo: "random" },
    ...{ targets: ["web01"], params: { script: "true" }, triggers: [{ type: "manual", enabled: true }] },
  };

  test("leave their jobs to the test for as long as it takes", async () => {
    await using box = await createTestSignalbox({ config: quiet });
    const server = await box.connect({ id: "web01" });
    await box.api.createEvent(shell as never);
    const { id } = await box.run("backup");
    await box.advanceBy({ hours: 1 });
    const [job] = server.jobs;
    expect(job).toMatchObject({ id, event: "backup", isOver: false, params: { script: "true" } });
    job?.log("line");
    job?.finish({ code: 3, description: "No space", data: { free: 0 } });
    await box.settle();
    expect(await box.job(id)).toMatchObject({
      ...{ state: "complete", server: "web01", code: 3, description: "No space", data: { free: 0 }, output: "line\n" },
    });
    expect(job?.isOver).toBe(true);
  });

  test("answer automatically when told how, and stop when the engine aborts", async () => {
    await using box = await createTestSignalbox({ config: quiet });
    const server = await box.connect({
      id: "web01",
      onJob: async ({ params }) => {
        if (params["script"] === "fail") throw new Error("failed");
        return params["script"] === "wait" ? undefined : { description: "fine" };
      },
    });
    await box.api.createEvent(shell as never);
    expect(await box.run("backup")).toMatchObject({ code: 0, description: "fine" });
    expect(await box.run("backup", { params: { script: "fail" } })).toMatchObject({ code: 1, description: "failed" });
    const { id } = await box.run("backup", { params: { script: "wait" } });
    await box.api.abortJob({ id });
    await box.settle();
    expect(await box.job(id)).toMatchObject({ code: "abort" });
    expect(server.jobs.at(-1)?.signal.aborted).toBe(true);
  });

  test("lose their jobs when they disconnect, and keep them when they reconnect in time", async () => {
    await using box = await createTestSignalbox({ config: quiet });
    const server = await box.connect({ id: "web01" });
    await box.api.createEvent(shell as never);
    const kept = await box.run("backup");
    server.disconnect();
    expect(() => server.send("notice", {})).toThrow('Server "web01" is not connected');
    server.jobs[0]?.finish({ description: "meanwhile" });
    await box.advanceBy({ seconds: 60 });
    expect(await box.job(kept.id)).toMatchObject({ state: "active" });
    await server.reconnect();
    await box.settle();
    expect(await box.job(kept.id)).toMatchObject({ code: 0, description: "meanwhile" });

    const lost = await box.run("backup");
    server.disconnect();
    await box.advanceBy({ minutes: 5 });
    expect(await box.job(lost.id)).toMatchObject({ code: "abort" });
  });
});
