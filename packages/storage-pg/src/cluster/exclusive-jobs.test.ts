import { expect, onTestFinished, test } from "vitest";
import type { InternalJobWork } from "../../../core/src/desk/internal-jobs/service.ts";
import { cradleProbe, startEngine } from "../../../core/test/engine.ts";
import { lendDatabase } from "../../test/lent-database.ts";
import { pgStorage } from "../index.ts";

const SPEC = { title: "Work", type: "maint", username: "anna", exclusive: true } as const;
const CLAIM = "internal_jobs.exclusive";

async function open(connectionString: string) {
  const probe = cradleProbe();
  const engine = await startEngine({ storage: pgStorage({ connectionString }), plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  const cradle = probe.cradle();
  const ended: string[] = [];
  cradle.events.on("internal_job.ended", ({ message }) => void ended.push(message));
  return {
    clock: engine.clock,
    cradle,
    ended,
    start: (work: InternalJobWork) => cradle.transact(async (unit) => cradle.internalJobs.startAfter(unit, SPEC, work)),
  };
}

async function twoNodes() {
  const connectionString = await lendDatabase();
  return [await open(connectionString), await open(connectionString)] as const;
}

type Node = Awaited<ReturnType<typeof open>>;

/** Begins an exclusive job that lasts until it is told to end. */
async function begin(node: Node): Promise<() => void> {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => held.resolve());
  await node.start(() => {
    begun.resolve();
    return held.promise;
  });
  await begun.promise;
  return held.resolve;
}

test("one of two nodes does exclusive work at a time", async () => {
  const [one, two] = await twoNodes();
  const end = await begin(one);
  let worked = false;
  const refused = two
    .start(async () => {
      worked = true;
    })
    .then(() => expect.poll(() => two.ended).toEqual(["Work: failed: Another maintenance job is already running."]));
  await refused.catch(({ message }) => expect(message).toBe("Another maintenance job is already running."));
  await expect.poll(() => two.cradle.state.get(CLAIM)).toBeDefined();
  const again = two.start(async () => undefined);
  await expect(again).rejects.toThrow("Another maintenance job is already running.");
  expect(worked).toBe(false);
  end();
  await expect.poll(() => one.ended).toEqual(["Work: finished."]);
  await expect.poll(() => two.cradle.state.get(CLAIM)).toBeUndefined();
  (await begin(two))();
});

test("a node that is gone does not block exclusive work of others", async () => {
  const [one, two] = await twoNodes();
  await two.cradle.transact(({ tx }) => two.cradle.state.set(tx, CLAIM, "ngone i1"));
  (await begin(two))();
  await expect.poll(() => two.ended).toEqual(["Work: finished."]);
  await expect.poll(() => one.cradle.state.get(CLAIM)).toBeUndefined();
});

test("a node ends its exclusive job when another one has taken over while it stalled", async () => {
  const [one, two] = await twoNodes();
  const begun = Promise.withResolvers<void>();
  await one.start(({ signal }) => {
    begun.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await begun.promise;
  await two.cradle.transact(({ tx }) =>
    two.cradle.state.set(tx, CLAIM, `${two.cradle.storage.coordination.nodeId} i9`),
  );
  await expect
    .poll(async () => {
      await one.clock.advance(2);
      return one.ended;
    })
    .toEqual(["Work: failed: Another maintenance job is already running."]);
  expect(await two.cradle.snapshot((tx) => two.cradle.state.read(tx, CLAIM))).toContain("i9");
});
