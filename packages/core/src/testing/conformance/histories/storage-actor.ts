import type { ReadTx, Storage, WriteTx } from "../../../ports/storage/storage.ts";
import type { WorkItem } from "../../../ports/storage/work.ts";
import { probes } from "../storage/storage-fixtures.ts";
import type { Step, TxCall } from "./storage-steps.ts";

const LEASE_SEC = 2;

/** Runs steps on one storage and returns the answers without ids and tokens of queued work, which may differ. */
export function createActor(storage: Storage): (step: Step) => Promise<unknown> {
  const claimed: WorkItem[] = [];
  const item = (back: number): WorkItem[] => claimed.slice(0, claimed.length - back).slice(-1);
  return async (step) => {
    switch (step.step) {
      case "write":
        return outcome(storage.write((tx) => writeCalls(tx, step.calls, step.fails)));
      case "read":
        return outcome(storage.read((tx) => inOrder(step.calls, (call) => readCall(tx, call))));
      case "claim": {
        const items = await storage.work.claim({ ...step, leaseSec: LEASE_SEC });
        claimed.push(...items);
        return items.map(({ kind, key, payload, attempts }) => [kind, key, payload, attempts]);
      }
      case "renew":
        return (await storage.work.renew(item(step.claim), step.until)).length;
      case "complete":
        return storage.work.complete(item(step.claim));
      case "release":
        for (const one of item(step.claim))
          await storage.work.release(one, { runAt: step.runAt, error: "failed", now: 0 });
        return undefined;
      case "stats":
        return storage.work.stats();
    }
  };
}

const outcome = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    (value) => ({ value }),
    (error: Error) => ({ error: error.name }),
  );

async function inOrder(calls: readonly TxCall[], run: (call: TxCall) => Promise<unknown>): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const call of calls) answers.push(await outcome(run(call)));
  return answers;
}

async function writeCalls(tx: WriteTx, calls: readonly TxCall[], fails: boolean): Promise<unknown> {
  const answers = await inOrder(calls, (call) => writeCall(tx, call));
  if (fails) throw new RangeError("Rolled back");
  return answers;
}

async function writeCall(tx: WriteTx, call: TxCall): Promise<unknown> {
  const all = tx.collection(probes);
  switch (call.call) {
    case "insert":
      return all.insert(call.record);
    case "replace":
      return all.update(call.record.id, (old) => ({ ...old, ...call.record }));
    case "delete":
      return all.delete(call.id);
    case "counter":
      return tx.counter(call.name);
    case "enqueue":
      return tx.enqueue(call.kind, call.payload, call);
    case "put":
      return tx.timeline.put(call, call.point);
    case "prune":
      while (await tx.timeline.prune(call.system, call.below, 2));
      return undefined;
    case "tidy":
      // Its result, how much it moved, differs between storages.
      await tx.timeline.tidy(call.system, call.below, call.limit);
      return undefined;
    case "drop":
      return tx.timeline.drop(call.server);
    default:
      return readCall(tx, call);
  }
}

async function readCall(tx: ReadTx, call: TxCall): Promise<unknown> {
  const all = tx.collection(probes);
  switch (call.call) {
    case "get":
      return all.get(call.id);
    case "getMany":
      return all.getMany(call.ids);
    case "list":
      return all.list();
    case "find":
      return all.find(call.where, call.page);
    case "latest":
      return tx.timeline.latest(call, call.limit);
    case "range":
      return tx.timeline.range(call, call);
    case "bounds":
      return tx.timeline.bounds(call);
    default:
      throw new TypeError(`${call.call} needs a write transaction`);
  }
}
