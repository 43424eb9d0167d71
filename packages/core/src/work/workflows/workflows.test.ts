import { describe, expect, test } from "vitest";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { commands, launched } from "../../testing/test-jobs.ts";
import { startWorkflows } from "../../testing/test-workflows.ts";
import { eventHistoryCollection } from "../events/collection.ts";

describe("a chain of jobs", () => {
  test("passes output on, collects tags, data and files, and ends with the last job", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        at.manual,
        at.job("a", { gives: { data: { rows: 3 }, push: { tags: ["nightly"] } } }),
        at.job("b", { gives: { data: { done: true } } }),
      ],
      wires: ["start>a", "a>b:success"],
    });
    const { job } = await at.final(id);
    expect(job).toMatchObject({ state: "complete", final: true, code: 0, type: "workflow", progress: 1 });
    expect(job["data"]).toEqual({ rows: 3, done: true });
    expect(at.inputOf("b")).toEqual([{ data: { rows: 3 }, files: [] }]);
    expect(job.tags).toContain("nightly");
    expect(job.workflow).toMatchObject({
      state: {
        start: { started: expect.any(Number), completed: expect.any(Number) },
        a: { started: expect.any(Number) },
      },
      jobs: { a: [{ code: 0, tags: expect.arrayContaining(["nightly", "_success"]) }], b: [{ code: 0 }] },
    });
    expect((await at.jobsOf("b"))[0]).toMatchObject({
      source: "workflow",
      workflow: { job: id, node: "b", launcher: null },
    });
    expect(await at.leftOver()).toEqual([]);
  });

  test("follows the wire of the job's result", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        at.manual,
        at.job("a", { gives: { code: 7, description: "no" } }),
        at.job("ok"),
        at.job("bad"),
        at.job("always"),
      ],
      wires: ["start>a", "a>ok:success", "a>bad:error", "a>always:complete"],
    });
    const { job } = await at.final(id);
    expect(at.ranNodes()).toEqual(["a", "bad", "always"]);
    expect(job).toMatchObject({ code: "warning" });
  });

  test("counts in its event only as one workflow, not as the sub-jobs of its nodes", async () => {
    const at = await startWorkflows();
    const { id, event } = await at.run({ nodes: [at.manual, at.job("a", { gives: { code: 1 } })], wires: ["start>a"] });
    await at.final(id);
    const [part] = await at.jobsOf("a");
    expect(part).toMatchObject({ type: "adhoc", event: "", workflow: { event } });
    expect(part).not.toHaveProperty("event_title");
    const history = await at.storage.read((tx) => tx.collection(eventHistoryCollection).get(event));
    expect(history).toMatchObject({ last_job: id, total_count: 1 });
  });

  test("fails when all of its jobs have failed", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({ nodes: [at.manual, at.job("a", { gives: { code: 1 } })], wires: ["start>a"] });
    expect((await at.final(id)).job).toMatchObject({ code: 1 });
  });
});

describe("controllers", () => {
  test("split gives each item to a job, join waits for all wires, continue fires once", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        ...[
          at.manual,
          at.controller("s", { controller: "split", split: "data.list" }),
          at.job("each", { echoes: true }),
        ],
        ...[
          at.job("after", {}),
          at.job("side", { gives: { data: { side: 1 } } }),
          at.controller("j", { controller: "join" }),
          at.job("last"),
        ],
      ],
      wires: ["start>s", "s>each", "each>after:continue", "start>side", "after>j:success", "side>j:success", "j>last"],
      input: { data: { list: ["x", "y", "z"] } },
    });
    const { job } = await at.final(id);
    expect(at.inputOf("each").map(({ data }) => data)).toEqual([{ item: "x" }, { item: "y" }, { item: "z" }]);
    expect(at.inputOf("after")).toEqual([undefined]);
    expect(at.inputOf("last")).toEqual([{ data: { items: [{ side: 1 }], combined: { side: 1 } }, files: [] }]);
    expect(job).toMatchObject({
      code: 0,
      workflow: { state: { s: { max: 3, count: 3, active: false, completed: expect.any(Number) } } },
    });
  });

  test("multiplex starts one job on each server", async () => {
    const at = await startWorkflows({ servers: ["s1", "s2", "s3"] });
    const { id } = await at.run({
      nodes: [at.manual, at.controller("m", { controller: "multiplex" }), at.job("on")],
      wires: ["start>m", "m>on"],
    });
    expect((await at.final(id)).job).toMatchObject({ code: 0 });
    expect((await at.jobsOf("on")).map(({ server }) => server).toSorted()).toEqual(["s1", "s2", "s3"]);
  });

  test("multiplex right after a restart waits for the servers that were connected before it, and for no others", async () => {
    const before = await startWorkflows({ servers: ["gone"], satellites: true });
    before.server.close();
    await before.clock.advance(600);
    const join = { clusterKey: "EXAMPLE_CLUSTER_KEY" };
    for (const id of ["s1", "s2", "s3"]) await before.connect({ id, hostname: `${id}.example.internal`, join });
    await before.settle();
    before.crash();
    const { blobs, storage, clock } = before;
    const at = await startWorkflows({ blobs, storage, clock: fakeClock(clock.now() + 5), satellites: true });
    const { id } = await at.run({
      nodes: [at.manual, at.controller("m", { controller: "multiplex" }), at.job("on")],
      wires: ["start>m", "m>on"],
    });
    await at.clock.advance(10);
    const s2 = await at.connect({ id: "s2", hostname: "s2.example.internal", join });
    await at.clock.advance(2);
    expect(launched(s2)).toHaveLength(1);
    s2.send("jobs", { [String(launched(s2)[0]?.job["id"])]: { state: "complete", complete: true, code: 0 } });
    await at.clock.advance(60);
    const { job } = await at.final(id);
    expect(job).toMatchObject({ code: "warning" });
    const { on } = Object(job.workflow?.["jobs"]) as { on: { server?: string; code: unknown; description: string }[] };
    expect(on.map(({ server, code, description }) => [server ?? description, code]).toSorted()).toEqual([
      ["No available servers matching targets.", "abort"],
      ["s1", 0],
      ["s2", 0],
    ]);
  });

  test("multiplex reached while the engine stops chooses its servers after the next start", async () => {
    const clock = fakeClock(1_795_253_600, { together: true });
    const storage = { ...memoryStorage({ clock }), close: async () => undefined };
    const drains: (() => Promise<void>)[] = [];
    const grab = definePlugin({ id: "test.grab", start: async ({ jobs }) => void drains.push(jobs.drain) });
    const first = await startWorkflows({ storage, clock, satellites: true, plugins: [grab] });
    // Later, no server is expected back after a start.
    await first.clock.advance(60);
    const { id } = await first.run({
      nodes: [
        ...[first.manual, first.job("a", { hangs: true })],
        ...[first.controller("m", { controller: "multiplex" }), first.job("on")],
      ],
      wires: ["start>a", "a>m:complete", "m>on"],
    });
    await first.settle();
    await drains[0]?.();
    first.server.close();
    await first.settle();
    await first.api.abortJob({ id: first.idsOf("a")[0] ?? "" });
    await first.settle();
    await first.signalbox.stop();
    const again = await startWorkflows({ storage, clock, blobs: first.blobs });
    expect((await again.final(id)).job).toMatchObject({ workflow: { jobs: { on: [{ server: "s1", code: 0 }] } } });
  });

  test("repeat, decision and wait", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        ...[at.manual, at.controller("r", { controller: "repeat", repeat: 3 }), at.job("three")],
        ...[
          at.controller("d", { controller: "decision", decision: "data.go == true" }),
          at.controller("w", { controller: "wait", wait: 60 }),
        ],
        ...[
          at.job("late"),
          at.controller("no", { controller: "decision", decision: "data.go == false" }),
          at.job("never"),
        ],
      ],
      wires: ["start>r", "r>three", "start>d", "d>w", "w>late", "start>no", "no>never"],
      input: { data: { go: true } },
    });
    await at.settle();
    expect(at.ranNodes()).toEqual(["three", "three", "three"]);
    const waiting = { state: "active", workflow: { state: { w: { active: true } }, jobs: {} } };
    expect(await at.active(id)).toMatchObject(waiting);
    expect((await at.api.getJobs({ ids: [id] })).jobs).toMatchObject([waiting]);
    await at.advance(61);
    expect((await at.final(id)).job).toMatchObject({ code: 0 });
    expect(at.ranNodes()).toEqual(["three", "three", "three", "late"]);
  });

  test("a wait of a minute does not wait for the day by which the clock was set back", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [at.manual, at.controller("w", { controller: "wait", wait: 60 }), at.job("late")],
      wires: ["start>w", "w>late"],
    });
    await at.settle();
    at.clock.step(-86_400);
    await at.advance(61);
    expect((await at.final(id)).job).toMatchObject({ code: 0 });
    expect(at.ranNodes()).toEqual(["late"]);
  });

  test("a decision that aborts ends the whole workflow", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [
        at.manual,
        at.controller("d", { controller: "decision", decision: "false", abort: true }),
        at.job("never"),
      ],
      wires: ["start>d", "d>never"],
    });
    const { job } = await at.final(id);
    expect(job).toMatchObject({ code: "abort", description: "Decision expression evaluated to false: false" });
  });
});

describe("the end by abort", () => {
  test("reaches all sub-jobs, and the workflow ends after the last of them", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [at.manual, at.job("a", { hangs: true }), at.job("b", { hangs: true }), at.job("c")],
      wires: ["start>a", "start>b", "a>c:complete"],
    });
    await at.settle();
    await at.api.abortJob({ id });
    const { job } = await at.final(id);
    expect(job).toMatchObject({ code: "abort", description: expect.stringContaining("Manually aborted") });
    expect(commands(at.server, "abort_job")).toHaveLength(2);
    expect(at.ranNodes()).toEqual(["a", "b"]);
    expect((await at.jobsOf("a"))[0]).toMatchObject({ code: "abort" });
  });

  test("of one sub-job fires its wires", async () => {
    const at = await startWorkflows();
    const { id } = await at.run({
      nodes: [at.manual, at.job("a", { hangs: true }), at.job("c")],
      wires: ["start>a", "a>c:abort"],
    });
    await at.settle();
    await at.api.abortJob({ id: at.idsOf("a")[0] ?? "" });
    expect((await at.final(id)).job).toMatchObject({ code: "warning" });
    expect(at.ranNodes()).toEqual(["a", "c"]);
  });
});

test("more jobs than a workflow may have end it", async () => {
  const at = await startWorkflows({ config: { max_jobs_per_workflow: 5 } });
  const { id } = await at.run({
    nodes: [at.manual, at.job("a"), at.job("b")],
    wires: ["start>a", "a>b:success", "b>a:success"],
  });
  const { job } = await at.final(id);
  expect(job).toMatchObject({ code: "abort", description: "Maximum jobs per workflow reached (5)" });
  expect(at.ranNodes()).toHaveLength(5);
});

test("a sub-job whose actions run is told once that it ends", async () => {
  const at = await startWorkflows({ webHooks: { send: () => new Promise(() => undefined) } });
  await at.api.createWebHook({ id: "chat", title: "Chat", url: "https://chat.example.com/", method: "POST" } as never);
  const told: string[] = [];
  at.signalbox.events.on("job.aborted", ({ id }) => void told.push(id));
  const { id } = await at.run({
    nodes: [at.manual, at.job("a"), at.node("t", "action", { enabled: true, type: "web_hook", web_hook: "chat" })],
    wires: ["start>a", "a>t:start"],
  });
  await at.settle();
  const [part = ""] = (await at.leftOver()).filter((each) => each !== id);
  await at.api.abortJob({ id });
  for (let second = 0; second < 5; second++) await at.advance(1);
  expect(told).toEqual([id, part]);
});
