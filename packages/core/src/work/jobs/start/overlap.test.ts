import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { commands, launched, startJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;
/** Runs in three seconds of each minute. */
const SECONDS = [
  { type: "schedule", enabled: true },
  { type: "precision", enabled: true, seconds: [0, 20, 40] },
];
const done = (members: Members = {}) => ({ state: "complete", complete: true, code: 0, ...members });

async function setUp(event: Members) {
  const jobs = await startJobs();
  const { api } = jobs.signalbox;
  const server = await jobs.connect();
  const id = await jobs.event(event);
  return {
    ...jobs,
    api,
    event: id,
    another: () => jobs.event(),
    server,
    async run(input: Members = {}) {
      const { id: job } = await api.runEvent({ id, ...input });
      await jobs.settle();
      return job;
    },
    state: async (job: string) => (await api.getJob({ id: job })).job["state"],
    async end(job: string, members: Members = {}) {
      server.send("jobs", { [job]: done(members) });
      await jobs.settle();
    },
  };
}

describe("a job whose event is still running", () => {
  test("runs in parallel unless the event says otherwise", async () => {
    const at = await setUp({});
    await at.run();
    await at.run();
    expect(launched(at.server)).toHaveLength(2);
  });

  test("waits for its turn with `queue`, without any limit", async () => {
    const at = await setUp({ overlap: "queue" });
    const [first, second, third] = [await at.run(), await at.run(), await at.run()];
    expect([await at.state(second), await at.state(third)]).toEqual(["queued", "queued"]);
    await at.end(first);
    expect([await at.state(second), await at.state(third)]).toEqual(["active", "queued"]);
  });

  test("is not launched with `skip`, also while the other job waits, but after that has ended", async () => {
    const at = await setUp({ overlap: "skip", title: "Backup" });
    const first = await at.run();
    const refusal = { code: "event", description: "Failed to launch job: Event is still running: Backup" };
    expect(await refusalOf(at.api.runEvent({ id: at.event }))).toEqual(refusal);
    await at.end(first);
    await at.run();
    expect(launched(at.server)).toHaveLength(2);
  });

  test("takes its place with `replace`: the other job is aborted without a retry, then the new one starts", async () => {
    const at = await setUp({ overlap: "replace", limits: [{ enabled: true, type: "retry", amount: 3 }] });
    const first = await at.run();
    const second = await at.run();
    expect(commands(at.server, "abort_job")).toEqual([
      { cmd: "abort_job", data: { id: first, reason: `Replaced by job: ${second}` } },
    ]);
    expect(await at.state(second)).toBe("queued");
    await at.end(first, { code: "abort", description: `Replaced by job: ${second}` });
    expect(await at.state(second)).toBe("active");
    expect((await at.api.getJob({ id: first })).job).toMatchObject({ code: "abort", final: true });
    expect(launched(at.server)).toHaveLength(2);
  });

  test("does not replace with `replace` as long as nothing can run it: the other job continues until then", async () => {
    const at = await setUp({ overlap: "replace", targets: ["main"] });
    const first = await at.run();
    await at.api.updateEvent({ id: at.event, targets: ["elsewhere"] });
    const second = await at.run();
    await at.clock.advance(5);
    expect(commands(at.server, "abort_job")).toEqual([]);
    expect([await at.state(first), await at.state(second)]).toEqual(["active", "queued"]);
    const other = await at.connect({ id: "elsewhere", hostname: "elsewhere" });
    await at.clock.advance(5);
    const reason = `Replaced by job: ${second}`;
    expect(commands(at.server, "abort_job")).toEqual([{ cmd: "abort_job", data: { id: first, reason } }]);
    await at.end(first, { code: "abort", description: reason });
    expect(launched(other).map(({ job }) => job["id"])).toEqual([second]);
  });

  test("of several seconds of a minute is checked when its second comes", async () => {
    const at = await setUp({ overlap: "skip", triggers: SECONDS });
    await at.clock.advance(60 - (at.clock.now() % 60) + 25);
    const sent = () => launched(at.server).map(({ job }) => Number(job["now"]) % 60);
    // The second job became due while the first one ran.
    expect(sent()).toEqual([0]);
    expect((await at.api.getActiveJobs()).rows.map(({ state }) => state).sort()).toEqual(["active", "start_delay"]);
    await at.end(String(launched(at.server)[0]?.job["id"]));
    await at.clock.advance(20);
    expect(sent()).toEqual([0, 40]);
    const { rows } = await at.api.searchActivity({ query: "action:warning", limit: 10 });
    expect(rows.map(({ description }) => description)).toEqual([
      "Failed to start delayed job: Event is still running: Backup",
    ]);
  });

  test("replaces no job that only waits for its second", async () => {
    const at = await setUp({ overlap: "replace", triggers: SECONDS });
    await at.clock.advance(60 - (at.clock.now() % 60) + 5);
    const ids = () => launched(at.server).map(({ job }) => String(job["id"]));
    expect(ids()).toHaveLength(1);
    await at.clock.advance(20);
    expect(commands(at.server, "abort_job")).toMatchObject([{ data: { id: ids()[0] } }]);
    await at.end(ids()[0] ?? "", { code: "abort" });
    await at.end(ids()[1] ?? "");
    await at.clock.advance(20);
    expect(launched(at.server).map(({ job }) => Number(job["now"]) % 60)).toEqual([0, 20, 40]);
    expect(commands(at.server, "abort_job")).toHaveLength(1);
  });

  test("is retried although the event skips overlapping jobs", async () => {
    const at = await setUp({ overlap: "skip", limits: [{ enabled: true, type: "retry", amount: 1 }] });
    await at.end(await at.run(), { code: 1 });
    expect(launched(at.server)).toHaveLength(2);
  });
});

test("a policy that does not exist is refused when the event is saved", async () => {
  const { event } = await startJobs();
  expect(await refusalOf(event({ overlap: "later" }))).toEqual({
    code: "api",
    description: "Malformed parameter value: overlap",
  });
});

describe("an idempotency key", () => {
  test("makes the same call return the same job, also after its end, for a day", async () => {
    const at = await setUp({});
    const first = await at.run({ idempotency_key: "order 17" });
    expect(await at.run({ idempotency_key: "order 17" })).toBe(first);
    await at.end(first);
    await at.api.deleteJob({ id: first });
    expect(await at.run({ idempotency_key: "order 17" })).toBe(first);
    expect(await at.run({ idempotency_key: "order 18" })).not.toBe(first);
    at.server.close();
    await at.clock.advance(3600);
    expect(await at.run({ idempotency_key: "order 17" })).toBe(first);
  });

  test("belongs to its caller and its event", async () => {
    const at = await setUp({});
    const first = await at.run({ idempotency_key: "a" });
    const other = await at.signalbox.as(keyWith(["run_jobs"])).runEvent({ id: at.event, idempotency_key: "a" });
    const elsewhere = await at.api.runEvent({ id: await at.another(), idempotency_key: "a" });
    expect(new Set([first, other.id, elsewhere.id]).size).toBe(3);
  });

  test("of two calls at once launches one job", async () => {
    const at = await setUp({});
    const calls = Array.from({ length: 8 }, () => at.api.runEvent({ id: at.event, idempotency_key: "x" }));
    expect(new Set((await Promise.all(calls)).map(({ id }) => id)).size).toBe(1);
  });

  test("of a launch that was refused can be used again", async () => {
    const at = await setUp({ overlap: "skip" });
    const first = await at.run();
    expect((await refusalOf(at.api.runEvent({ id: at.event, idempotency_key: "x" }))).code).toBe("event");
    await at.end(first);
    expect(await at.run({ idempotency_key: "x" })).not.toBe(first);
  });
});

describe("a retry with growing delay", () => {
  test("waits longer each time, up to its bound", async () => {
    const retry = { enabled: true, type: "retry", amount: 4, duration: 10, backoff: 2, max_delay: 30 };
    const at = await setUp({ limits: [retry] });
    let job = await at.run();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      await at.end(job, { code: 1 });
      const { jobs = [] } = (await at.api.getJob({ id: job })).job as { jobs?: { id: string }[] };
      job = jobs[0]?.id ?? "";
      const until = Number((await at.api.getJob({ id: job })).job["until"]);
      delays.push(Math.round(until - at.clock.now()));
      await at.clock.advance(until - at.clock.now() + 1.1);
    }
    expect(delays).toEqual([10, 20, 30, 30]);
  });
});
