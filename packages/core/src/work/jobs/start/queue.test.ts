import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../../test/engine.ts";
import { launched, startJobs } from "../../../testing/test-jobs.ts";
import { activeJobCollection } from "../collection.ts";

type Members = Record<string, unknown>;
const job = (amount: number) => ({ enabled: true, type: "job", amount });
const queue = (amount: number) => ({ enabled: true, type: "queue", amount });

async function setUp(limits: Members[] = [job(1), queue(100)]) {
  const probe = cradleProbe();
  const jobs = await startJobs({ plugins: [probe.plugin as never], config: { max_jobs_per_min: 0 } });
  const server = await jobs.connect();
  const event = await jobs.event({ limits });
  const { api } = jobs.signalbox;
  return {
    ...jobs,
    api,
    cradle: probe.cradle(),
    server,
    event,
    create: jobs.event,
    async run(members: Members = {}): Promise<string> {
      const { id } = await api.runEvent({ id: event, ...members });
      await jobs.settle();
      return id;
    },
    async end(id: string) {
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
      await jobs.settle();
      await jobs.settle();
    },
    order: () => launched(server).map(({ job: { id } }) => id),
    line: async () =>
      (await api.getActiveJobs({ state: "queued", sort_by: "started", sort_dir: 1 })).rows.map(({ id, position }) => [
        id,
        position,
      ]),
  };
}

describe("the line of similar jobs", () => {
  test("releases a job whose event this node does not know yet", async () => {
    const at = await setUp();
    const [first, second] = [await at.run(), await at.run()];
    at.cradle.definitions.apply(new Map([["events", new Map([[at.event, undefined]])]]));
    await at.end(first);
    expect(at.order()).toEqual([first, second]);
  });

  test("moves in the order of the launches, and the others are renumbered", async () => {
    const at = await setUp();
    const ids = [];
    for (let count = 0; count < 4; count++) {
      ids.push(await at.run());
      await at.clock.advance(0.5);
    }
    const [a = "", b = "", c = "", d = ""] = ids;
    expect(await at.line()).toEqual([
      [b, 1],
      [c, 2],
      [d, 3],
    ]);
    await at.end(a);
    expect(await at.line()).toEqual([
      [c, 1],
      [d, 2],
    ]);
    await at.end(b);
    await at.end(c);
    expect(at.order()).toEqual([a, b, c, d]);
  });

  test("lets priority jobs pass, the oldest first", async () => {
    const at = await setUp();
    const first = await at.run();
    const plain = await at.run();
    await at.clock.advance(1);
    const vip = await at.run({ priority: true });
    await at.clock.advance(1);
    const second = await at.run({ priority: true });
    expect((await at.api.getJob({ id: vip })).job).toMatchObject({ state: "queued", position: 0 });
    for (const id of [first, vip, second]) await at.end(id);
    expect(at.order()).toEqual([first, vip, second, plain]);
  });

  test("releases as many jobs as there are slots", async () => {
    const at = await setUp([job(3), queue(10)]);
    const ids = [];
    for (let count = 0; count < 6; count++) ids.push(await at.run());
    expect(at.order()).toEqual(ids.slice(0, 3));
    at.server.send("jobs", Object.fromEntries(ids.slice(0, 3).map((id) => [id, { state: "complete", code: 0 }])));
    await at.clock.advance(1);
    expect(at.order()).toEqual(ids);
  });

  test("frees its slot when the process has ended, before the files are stored", async () => {
    const at = await setUp();
    const first = await at.run();
    const second = await at.run();
    at.server.send("jobs", { [first]: { state: "finishing" } });
    await at.clock.advance(1);
    expect(at.order()).toEqual([first, second]);
  });

  test("moves up when a waiting job is aborted", async () => {
    const at = await setUp();
    const first = await at.run();
    const ids = [await at.run(), await at.run(), await at.run()];
    await at.api.abortJob({ id: String(ids[0]) });
    await at.clock.advance(1);
    expect(await at.line()).toEqual([
      [ids[1], 1],
      [ids[2], 2],
    ]);
    await at.end(first);
    await at.clock.advance(1);
    expect(at.order()).toEqual([first, ids[1]]);
  });

  test("is repaired when its first job was lost from it", async () => {
    const at = await setUp();
    const first = await at.run();
    const ids = [await at.run(), await at.run()];
    await at.cradle.transact(async ({ tx }) => {
      await tx.collection(activeJobCollection).delete(String(ids[0]));
      await tx.collection(activeJobCollection).delete(first);
    });
    await at.clock.advance(62);
    expect(at.order()).toEqual([first, ids[1]]);
  });

  test("of one event does not wait for another event's line", async () => {
    const at = await setUp();
    const first = await at.run();
    await at.run();
    const other = await at.create({ limits: [job(1), queue(5)] });
    const { id } = await at.api.runEvent({ id: other });
    await at.settle();
    expect(at.order()).toEqual([first, id]);
  });
});

describe("limits under many launches at once", () => {
  test.each([1, 3])("never more than %d run, and every job runs once", async (amount) => {
    const at = await setUp([job(amount), queue(100)]);
    const ids = await Promise.all(Array.from({ length: 40 }, async () => (await at.api.runEvent({ id: at.event })).id));
    await at.clock.advance(2);
    const ended = new Set<unknown>();
    for (let round = 0; round < 80 && ended.size < ids.length; round++) {
      const running = at.order().filter((id) => !ended.has(id));
      expect(running.length).toBeLessThanOrEqual(amount);
      for (const id of running) {
        ended.add(id);
        at.server.send("jobs", { [String(id)]: { state: "complete", complete: true, code: 0 } });
      }
      await at.clock.advance(2);
    }
    expect(at.order().length).toBe(40);
    expect(new Set(at.order())).toEqual(new Set(ids));
    expect((await at.api.getActiveJobs()).rows).toEqual([]);
  });

  test("a released job keeps its place when a newer one takes the slot, although the queue is full", async () => {
    const at = await setUp([job(1), queue(1)]);
    const first = await at.run();
    const waiting = await at.run();
    // The first job ends, and two more are launched at the same time.
    at.server.send("jobs", { [first]: { state: "complete", complete: true, code: 0 } });
    const more = await Promise.all([at.api.runEvent({ id: at.event }), at.api.runEvent({ id: at.event })]);
    await at.clock.advance(2);
    expect((await at.api.getJob({ id: waiting })).job["description"]).toBeUndefined();
    for (let round = 0; round < 6; round++) {
      for (const id of at.order())
        at.server.send("jobs", { [String(id)]: { state: "complete", complete: true, code: 0 } });
      await at.clock.advance(2);
    }
    expect((await at.api.getJob({ id: waiting })).job).toMatchObject({ code: 0, final: true });
    expect(more).toHaveLength(2);
  });
});

test("a long line costs one pass no more than its front", async () => {
  const at = await setUp([job(1), queue(5000)]);
  const first = await at.run();
  const [template] = (await at.cradle.snapshot((tx) => tx.collection(activeJobCollection).find({ kind: "all" }))).rows;
  if (!template) throw new Error("There is a job");
  await at.cradle.transact(async ({ tx }) => {
    for (let place = 1; place <= 3000; place++) {
      const id = `jq${String(place).padStart(5, "0")}`;
      const queued = { ...template.job, id, state: "queued" as const, position: place };
      await tx
        .collection(activeJobCollection)
        .insert({ ...template, id, launched: at.clock.now() + place / 1000, job: queued });
    }
  });
  const heads = await at.cradle.snapshot((tx) =>
    tx.collection(activeJobCollection).find({ kind: "term", field: "head", words: ["yes"] }),
  );
  expect(heads.total).toBe(1);
  await at.end(first);
  await at.clock.advance(1);
  expect(at.order()).toEqual([first, "jq00001"]);
});
