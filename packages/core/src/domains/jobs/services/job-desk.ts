import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { activeJobCollection, jobCollection, jobTimelinesCollection } from "../collection.ts";
import type { ActiveJob, FinalJob, MetaRow } from "../model.ts";
import { addMeta, MAX_META_TEXT } from "../rules/meta.ts";
import { createKeyedTurns } from "./keyed-turns.ts";
import { createLiveJobs, type LiveJobs, overlay } from "./live-jobs.ts";

/** Changes a job inside a unit; undefined = write nothing, also when the change itself removed the job. */
export type JobChange = (unit: Unit, record: ActiveJob) => Promise<ActiveJob | undefined> | ActiveJob | undefined;

/** The one place through which active jobs are read and changed, so that live readings are never lost or overwritten. */
export interface JobDesk {
  readonly live: LiveJobs;
  /** An active job with its live readings. */
  read(id: string, tx?: ReadTx): Promise<ActiveJob | undefined>;
  /** The final record, also of an ephemeral job that ended a moment ago. */
  final(id: string, tx?: ReadTx): Promise<FinalJob | undefined>;
  /** Changes an active job in a transaction of its own; undefined when nothing was written. */
  change(id: string, change: JobChange): Promise<ActiveJob | undefined>;
  /** A line for the meta log; `server` is the id of the one that said it. */
  row(msg: string, server?: string): MetaRow;
  meta(record: ActiveJob, texts: readonly string[]): ActiveJob;
  /** Makes the live entry of a job that this node did not start, with what was stored of its timelines. */
  adopt(record: ActiveJob): Promise<void>;
  idle(): Promise<void>;
}

type Deps = Pick<Cradle, "transact" | "snapshot" | "clock" | "ids" | "storage">;

export function createJobDesk(deps: Deps): JobDesk {
  const { snapshot, clock, ids, storage } = deps;
  const live = createLiveJobs();
  const turns = createKeyedTurns();
  const seen = <R>(tx: ReadTx | undefined, work: (tx: ReadTx) => Promise<R>): Promise<R> =>
    tx ? work(tx) : snapshot(work);
  const row = (msg: string, server = `m:${storage.coordination.nodeId}`): MetaRow => ({
    id: ids.short("m"),
    epoch: clock.now(),
    msg: msg.slice(0, MAX_META_TEXT),
    server,
  });
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
    change: (id, change) => turns.run(id, () => changeNow(deps, { live, id, change })),
    meta(record, texts) {
      if (texts.length === 0) return record;
      const rows = texts.map((text) => row(text));
      return { ...record, details: addMeta(record.details, rows) };
    },
    async adopt(record) {
      if (live.get(record.id)) return;
      const stored = await snapshot((tx) => tx.collection(jobTimelinesCollection).get(record.id));
      const entry = live.hold(record);
      if (stored && entry.timelines.second.length === 0) entry.timelines = stored;
    },
    idle: () => turns.idle(),
  };
}

interface Request {
  readonly live: LiveJobs;
  readonly id: string;
  readonly change: JobChange;
}

async function changeNow({ transact, clock }: Deps, { live, id, change }: Request): Promise<ActiveJob | undefined> {
  const entry = live.get(id);
  const readings = entry && live.take(entry);
  let written: ActiveJob | undefined;
  let isGone = false;
  try {
    written = await transact(async (unit) => {
      const jobs = unit.tx.collection(activeJobCollection);
      const stored = await jobs.get(id);
      isGone = stored === undefined;
      if (!stored) return undefined;
      const changed = await change(unit, readings ? overlay(stored, readings) : stored);
      return changed && jobs.update(id, () => changed);
    });
    return written;
  } finally {
    if (entry) live.settle(entry, { record: written, now: clock.now() });
    // Another node ended the job: nobody else would ever forget it here.
    if (isGone) live.drop(id);
  }
}
