import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { stateCollection } from "../../../fleet/alerts/collection.ts";
import type { AlertState } from "../../../fleet/alerts/model.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { eventHistoryCollection } from "../../events/collection.ts";
import { activeJobCollection } from "../collection.ts";

type Members = Record<string, unknown>;

/** Three servers of the group "main", each with different facts. */
async function setUp(infos: Readonly<Record<string, Members>> = { s1: {}, s2: {}, s3: {} }) {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin as never], config: { max_jobs_per_min: 0 } });
  const servers = [];
  for (const [id, { info = {}, ...initial }] of Object.entries(infos))
    servers.push(
      await jobs.connect({
        id,
        hostname: `${id}.example.internal`,
        info: info as Members,
        initial: { groups: ["main"], ...initial } as never,
      }),
    );
  const { api } = jobs.signalbox;
  return {
    ...jobs,
    api,
    cradle: probe.cradle(),
    servers,
    /** Id of the server on which a new job of the event runs; undefined if it waits or has failed. */
    async run(event: string, members: Members = {}): Promise<string | undefined> {
      const { id } = await api.runEvent({ id: event, ...members });
      await jobs.settle();
      const { job } = await api.getJob({ id });
      return job["state"] === "active" ? String(job["server"]) : undefined;
    },
    last: async () => (await api.getActiveJobs({ sort_by: "id", sort_dir: -1 })).rows[0],
  };
}

describe("servers with a live alert that limits jobs", () => {
  async function limited(at: Awaited<ReturnType<typeof setUp>>, server: string, notified = true) {
    await at.api.createAlert({
      ...{
        id: "hot",
        title: "Hot",
        expression: "monitors.temp > 50",
        message: "m",
        enabled: true,
        limit_jobs: true,
        samples: 1,
      },
    });
    const state = { id: `hot/${server}`, alert: "hot", server, notified, invocation: "i1", modified: at.clock.now() };
    await at.cradle.transact(({ tx }) => tx.collection(stateCollection).insert(state as unknown as AlertState));
  }

  test("are skipped", async () => {
    const at = await setUp();
    await limited(at, "s1");
    const event = await at.event({ algo: "prefer_first_natural" });
    expect(await at.run(event)).toBe("s2");
  });

  test("are used as long as the alert only warms up", async () => {
    const at = await setUp();
    await limited(at, "s1", false);
    expect(await at.run(await at.event({ algo: "prefer_first_natural" }))).toBe("s1");
  });

  test("leave the job without a server when there is no other", async () => {
    const at = await setUp({ s1: {} });
    await limited(at, "s1");
    const { id } = await at.api.runEvent({ id: await at.event() });
    await at.settle();
    expect((await at.api.getJob({ id })).job).toMatchObject({
      code: "abort",
      description: "No available servers matching targets.",
    });
  });

  test("let a queued job start when the alert is over", async () => {
    const at = await setUp({ s1: {} });
    await limited(at, "s1");
    const limits = [
      { enabled: true, type: "job", amount: 1 },
      { enabled: true, type: "queue", amount: 5 },
    ];
    const event = await at.event({ limits });
    expect(await at.run(event)).toBeUndefined();
    expect(await at.last()).toMatchObject({ state: "queued", position: 1 });
    await at.api.updateAlert({ id: "hot", limit_jobs: false });
    await at.clock.advance(2);
    expect(await at.last()).toMatchObject({ state: "active", server: "s1" });
  });
});

describe("the capacity of a server", () => {
  test("is its own number of jobs, by their weight", async () => {
    const at = await setUp({ s1: { maxJobs: 3 }, s2: { maxJobs: 2 } });
    const event = await at.event({
      algo: "prefer_first_natural",
      limits: [{ enabled: true, type: "job", amount: 99, weight: 2 }],
    });
    expect([await at.run(event), await at.run(event), await at.run(event)]).toEqual(["s1", "s2", undefined]);
  });

  test("is never exceeded by jobs that start at once", async () => {
    const at = await setUp({ s1: { maxJobs: 2 }, s2: { maxJobs: 1 } });
    const event = await at.event();
    await Promise.all(Array.from({ length: 10 }, () => at.api.runEvent({ id: event })));
    await at.clock.advance(2);
    expect(at.servers.map((server) => launched(server).length)).toEqual([2, 1]);
  });
});

describe("the expression of an event", () => {
  const infos = { s1: { info: { arch: "x64" } }, s2: { info: { arch: "arm" } } };

  test.each([
    ["info.arch == 'arm'", "s2"],
    ["info.arch == 'x64'", "s1"],
    ["1", "s1"],
    ["", "s1"],
    ["  ", "s1"],
    ["false", undefined],
    ["nothing.at.all", undefined],
  ])("%j leaves %s", async (expression, server) => {
    const at = await setUp(infos);
    expect(await at.run(await at.event({ expression, algo: "prefer_first_natural" }))).toBe(server);
  });

  test("lets the job run nowhere when it fails, and the meta log says why", async () => {
    const at = await setUp(infos);
    const { id } = await at.api.runEvent({ id: await at.event({ expression: "nope(info)" }) }).catch(async () => {
      const event = await at.event();
      const launch = await at.cradle.transact(async (unit) => {
        const found = at.cradle.definitions
          .all({ name: "events" } as never)
          .find((each) => (each as { id: string }).id === event);
        return at.cradle.launcher.launch(unit, {
          event: found as never,
          source: "user",
          overrides: { expression: "nope(info)" },
        });
      });
      return { id: String(launch?.id) };
    });
    await at.settle();
    const { job } = await at.api.getJob({ id });
    expect(job).toMatchObject({ code: "abort", description: "No available servers matching targets." });
    expect(job["activity"]).toContainEqual(
      expect.objectContaining({ msg: expect.stringMatching(/^Server expression failed: /) }),
    );
  });
});

describe("an algorithm", () => {
  const load = (avgLoad: number, active: number) => ({ info: { cpu: { avgLoad }, memory: { active } } });

  test.each([
    ["least_cpu", "s2"],
    ["least_mem", "s3"],
    ["prefer_first", "s1"],
    ["prefer_last", "s3"],
    ["prefer_first_natural", "s1"],
    ["prefer_last_natural", "s3"],
  ])("%s picks %s", async (algo, server) => {
    const at = await setUp({ s1: load(3, 30), s2: load(1, 20), s3: load(2, 10) });
    expect(await at.run(await at.event({ algo }))).toBe(server);
  });

  test("fewest_jobs fills the servers evenly", async () => {
    const at = await setUp();
    const event = await at.event({ algo: "fewest_jobs" });
    const seen = [];
    for (let count = 0; count < 6; count++) seen.push(await at.run(event));
    expect(seen).toEqual(["s1", "s2", "s3", "s1", "s2", "s3"]);
  });

  test("round_robin continues where it was, and counts only jobs that start", async () => {
    const at = await setUp();
    const limits = [
      { enabled: true, type: "job", amount: 2 },
      { enabled: true, type: "queue", amount: 5 },
    ];
    const event = await at.event({ algo: "round_robin", limits });
    const robin = async () =>
      (await at.cradle.snapshot((tx) => tx.collection(eventHistoryCollection).get(event)))?.robin;
    expect([await at.run(event), await at.run(event)]).toEqual(["s1", "s2"]);
    expect(await robin()).toBe(2);
    expect([await at.run(event), await at.run(event)]).toEqual([undefined, undefined]);
    await at.clock.advance(5);
    expect(await robin()).toBe(2);
  });

  test("ends the job without a retry when it is unknown", async () => {
    const at = await setUp();
    const limits = [{ enabled: true, type: "retry", amount: 3 }];
    const { id } = await at.api.runEvent({ id: await at.event({ algo: "monitor:nope", limits }) });
    await at.settle();
    const { job } = await at.api.getJob({ id });
    expect(job).toMatchObject({ code: "abort", description: "Unknown algorithm or monitor: monitor:nope" });
    expect(job).not.toHaveProperty("retried");
  });
});

describe("a server that disconnects at the last moment", () => {
  test("is replaced, and nothing is sent twice", async () => {
    const at = await setUp({ s1: {}, s2: {} });
    const config = { enabled: true, condition: "start", type: "tag", tags: ["x"] };
    const event = await at.event({ algo: "prefer_first_natural" });
    await at.api.createTag({ id: "x", title: "X" });
    const { id } = await at.api.runEvent({ id: event, actions: [config] } as never);
    at.servers[0]?.close();
    await at.clock.advance(2);
    expect((await at.api.getJob({ id })).job).toMatchObject({ state: "active", server: "s2" });
    expect(at.servers.flatMap((server) => launched(server)).filter(({ job }) => job["id"] === id)).toHaveLength(1);
  });

  test("a disabled server is not chosen, and its running jobs continue", async () => {
    const at = await setUp({ s1: {}, s2: { enabled: false } });
    expect(await at.run(await at.event({ algo: "prefer_last_natural" }))).toBe("s1");
  });
});

test("members of a wrong type do not prevent a job from being processed", async () => {
  const at = await setUp({ s1: {} });
  const first = await at.run(await at.event());
  expect(first).toBe("s1");
  const [template] = (await at.cradle.snapshot((tx) => tx.collection(activeJobCollection).find({ kind: "all" }))).rows;
  if (!template) throw new Error("There is a job");
  const odd = { algo: 5, expression: { a: 1 }, targets: "main" } as never;
  const { server: _chosen, groups: _its, ...job } = template.job;
  const ready = { ...job, ...(odd as Members), id: "jodd", state: "ready" };
  await at.cradle.transact(async ({ tx }) =>
    tx.collection(activeJobCollection).insert({ ...template, id: "jodd", dispatched: undefined, job: ready } as never),
  );
  await at.clock.advance(2);
  expect((await at.api.getJob({ id: "jodd" })).job).toMatchObject({ state: "active", server: "s1" });
});
