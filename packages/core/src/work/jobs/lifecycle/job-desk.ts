import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { createBatches } from "../../../lib/turns/batches.ts";
import { createKeyedTurns } from "../../../lib/turns/turns.ts";
import type { ReadCollection } from "../../../ports/storage/collection.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { activeJobCollection, jobCollection, jobTimelinesCollection } from "../collection.ts";
import { createEndings, type Endings } from "../finish/endings.ts";
import type { ActiveJob, FinalJob, MetaRow, Timelines } from "../model.ts";
import { createLiveJobs, type LiveJobs, overlay } from "./live-jobs.ts";
import { addMeta, MAX_META_TEXT } from "./rules/meta.ts";
import { emptyTimelines } from "./rules/timelines.ts";

/** Changes a job inside a unit. Undefined = write nothing, also if the change itself has removed the job. */
export type JobChange = (unit: Unit, record: ActiveJob) => Promise<ActiveJob | undefined> | ActiveJob | undefined;

/** All reads and changes of active jobs go through here, so that live readings are never lost or overwritten. */
export interface JobDesk {
  readonly live: LiveJobs;
  /** An active job with its live readings. */
  read(id: string, tx?: ReadTx): Promise<ActiveJob | undefined>;
  /** The final record. An ephemeral job has one for a short time only. */
  final(id: string, tx?: ReadTx): Promise<FinalJob | undefined>;
  /** Changes an active job in a separate transaction; undefined when nothing was written. */
  change(id: string, change: JobChange): Promise<ActiveJob | undefined>;
  /**
   * Like `change`, in one transaction with other jobs that are being changed this way. The change may take the locks of a launch,
   * but no others.
   */
  changeTogether(id: string, change: JobChange): Promise<ActiveJob | undefined>;
  /** Adds an ended job, to be written at the end of the unit that changes it. */
  ended(unit: Unit, final: FinalJob): void;
  /** A line of the meta log; `server` is the id of the server that reported it. */
  row(msg: string, server?: string): MetaRow;
  meta(record: ActiveJob, texts: readonly string[]): ActiveJob;
  /** Timelines of an active job; for a job on another node, as they were last stored. */
  timelines(tx: ReadTx, id: string): Promise<Timelines>;
  /** Creates the live entry of a job that this node did not start, with its stored timelines. */
  adopt(record: ActiveJob): Promise<void>;
  idle(): Promise<void>;
}

type Deps = Pick<
  Cradle,
  "eventRecords" | "eventStates" | "transact" | "snapshot" | "clock" | "ids" | "storage" | "workflows"
>;

export function createJobDesk(deps: Deps): JobDesk {
  const { snapshot, clock } = deps;
  const live = createLiveJobs();
  const turns = createKeyedTurns();
  const endings = createEndings(deps);
  const tools = { live, endings };
  const together = createTogether(deps, tools);
  const seen = <R>(tx: ReadTx | undefined, work: (tx: ReadTx) => Promise<R>): Promise<R> =>
    tx ? work(tx) : snapshot(work);
  const row = createRows(deps);
  return {
    live,
    row,
    read: (id, tx) =>
      seen(tx, async (view) => {
        const record = await view.collection(activeJobCollection).get(id);
        return record && live.view(record);
      }),
    final: (id, tx) =>
      seen(tx, async (view) => (await view.collection(jobCollection).get(id)) ?? live.remembered(id, clock.now())),
    change: (id, change) => turns.run(id, async () => (await changeNow(deps, tools, [{ id, change }]))[0]),
    changeTogether: (id, change) => turns.run(id, () => together({ id, change })),
    ended: endings.add,
    meta(record, texts) {
      if (texts.length === 0) return record;
      const rows = texts.map((text) => row(text));
      return { ...record, details: addMeta(record.details, rows) };
    },
    timelines: async (tx, id) => live.get(id)?.timelines ?? storedTimelines(tx, id),
    async adopt(record) {
      if (live.get(record.id)) return;
      const stored = await snapshot((tx) => tx.collection(jobTimelinesCollection).get(record.id));
      const entry = live.hold(record);
      if (stored && entry.timelines.second.length === 0) entry.timelines = stored;
    },
    idle: () => turns.idle(),
  };
}

async function storedTimelines(tx: ReadTx, job: string): Promise<Timelines> {
  const { second, minute } = (await tx.collection(jobTimelinesCollection).get(job)) ?? emptyTimelines;
  return { second, minute };
}

const createRows =
  ({ clock, ids, storage }: Deps): JobDesk["row"] =>
  (msg, server = `m:${storage.coordination.nodeId}`) => ({
    id: ids.short("m"),
    epoch: clock.now(),
    msg: msg.slice(0, MAX_META_TEXT),
    server,
  });

interface Request {
  readonly id: string;
  readonly change: JobChange;
}

interface Waiting extends Request {
  readonly resolve: (record: ActiveJob | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Tools {
  readonly live: LiveJobs;
  readonly endings: Endings;
}

/** Most ends of jobs per transaction, and transactions at once: one is written while the next one is prepared. */
const SHARED = { size: 100, atOnce: 2 };

function createTogether(deps: Deps, tools: Tools): (request: Request) => Promise<ActiveJob | undefined> {
  const add = createBatches<Waiting>((batch) => runTogether(deps, tools, batch), SHARED);
  return (request) => new Promise((resolve, reject) => add({ ...request, resolve, reject }));
}

/** Never rejects. A failing change does not affect the other changes of its batch. */
async function runTogether(deps: Deps, tools: Tools, batch: readonly Waiting[]): Promise<void> {
  if (batch.length > 1)
    try {
      const written = await changeNow(deps, tools, batch);
      for (const [index, { resolve }] of batch.entries()) resolve(written[index]);
      return;
    } catch {
      // The failing change is rejected below, when each runs alone.
    }
  for (const request of batch) {
    const alone = changeNow(deps, tools, [request]);
    await alone.then(([record]) => request.resolve(record), request.reject);
  }
}

/** Applies changes of different jobs in one transaction. */
async function changeNow(
  { transact, clock }: Deps,
  { live, endings }: Tools,
  requests: readonly Request[],
): Promise<readonly (ActiveJob | undefined)[]> {
  const taken = requests.map(({ id, change }) => {
    const entry = live.get(id);
    return { id, change, entry, readings: entry && live.take(entry) };
  });
  const gone = new Set<string>();
  let written: readonly (ActiveJob | undefined)[] = [];
  try {
    written = await transact(async (unit) => {
      gone.clear();
      const jobs = unit.tx.collection(activeJobCollection);
      const stored = await readAll(
        jobs,
        requests.map(({ id }) => id),
      );
      const results: (ActiveJob | undefined)[] = [];
      for (const [index, { id, change, readings }] of taken.entries()) {
        const record = stored[index];
        if (!record) gone.add(id);
        const changed = record && (await change(unit, readings ? overlay(record, readings) : record));
        results.push(changed && (await jobs.update(id, () => changed)));
      }
      await endings.write(unit);
      return results;
    });
    return written;
  } finally {
    for (const [index, { id, entry }] of taken.entries()) {
      if (entry) live.settle(entry, { record: written[index], now: clock.now() });
      // Another node ended the job, and nothing else would remove it from this one.
      if (gone.has(id)) live.drop(id);
    }
  }
}

const readAll = async (
  jobs: ReadCollection<ActiveJob>,
  ids: readonly string[],
): Promise<readonly (ActiveJob | undefined)[]> => {
  const [only = ""] = ids;
  return ids.length === 1 ? [await jobs.get(only)] : jobs.getMany(ids);
};
