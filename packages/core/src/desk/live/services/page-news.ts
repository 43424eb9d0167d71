import type { Cradle } from "../../../kernel/container.ts";
import { byId } from "../../../lib/by-id.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { afterBytes, lastBytes } from "../../../work/jobs/logs/rules/log-text.ts";
import type { ActiveJob, FinalJob, Job, MetaRow, ProcessSample } from "../../../work/jobs/model.ts";
import { activeJobRecords, jobRecords } from "../../../work/jobs/records.ts";
import {
  MAX_TEXT,
  newsOf,
  type OutputNews,
  type PageFacts,
  type PageMessage,
  type Told,
  toldOf,
} from "../rules/job-page.ts";

/** The news of one job, for subscribers with access to it. */
export interface JobNews {
  readonly job: Job;
  readonly messages: readonly PageMessage[];
}

/** The current state of a job. */
interface Seen {
  readonly job: Job;
  readonly facts: PageFacts;
  /** Reads the output after the first `told` bytes; undefined = there is no more. */
  readonly output: (tx: ReadTx, told: number) => Promise<OutputNews | undefined>;
}

interface Look {
  readonly news: JobNews;
  readonly told: Told;
}

type Deps = Pick<Cradle, "jobs" | "snapshot">;

/** Reads the news of jobs from stored records and from live readings of this node. Secret values are already masked in both. */
export function createPageNews(deps: Deps) {
  const { snapshot } = deps;
  return {
    /** The state that a new viewer's page already shows. */
    first: (id: string): Promise<Told> =>
      snapshot(async (tx) => {
        const seen = (await see(deps, tx, [id])).get(id);
        return seen ? toldOf(seen.facts, (await seen.output(tx, 0))?.sizeBytes ?? 0) : NOTHING;
      }),
    since: (told: ReadonlyMap<string, Told>): Promise<ReadonlyMap<string, Look>> =>
      snapshot(async (tx) => {
        const looks = new Map<string, Look>();
        for (const [id, { job, facts, output }] of await see(deps, tx, [...told.keys()])) {
          const before = told.get(id) ?? NOTHING;
          const text = await output(tx, before.bytes);
          const messages = newsOf(before, facts, text);
          const bytes = Math.max(before.bytes, text?.sizeBytes ?? 0);
          looks.set(id, { news: { job, messages }, told: toldOf(facts, bytes) });
        }
        return looks;
      }),
  };
}

const NOTHING: Told = { bytes: 0, row: undefined, results: new Set(), minute: 0, isUploaded: false };

async function see(deps: Deps, tx: ReadTx, ids: readonly string[]): Promise<Map<string, Seen>> {
  const active = await tx.collection(activeJobRecords).getMany(ids);
  const running = byId(active);
  const finals = await tx.collection(jobRecords).getMany(ids.filter((id) => !running.has(id)));
  const ended = byId(finals);
  return new Map([
    ...Array.from(running, ([id, record]) => [id, runningJob(deps, record)] as const),
    ...Array.from(ended, ([id, job]) => [id, endedJob(deps, job)] as const),
  ]);
}

function runningJob({ jobs: { desk, logs } }: Deps, record: ActiveJob): Seen {
  const { id, job, details } = desk.live.view(record);
  const live = desk.live.get(id);
  const minute = live?.timelines.minute.at(-1) ?? sampleOf(job);
  return {
    job,
    facts: factsOf(job, details.activity, minute),
    async output(tx, told) {
      // Output that was reported to this node is counted in `log_file_size`, so nothing needs to be read.
      if (live && (job.log_file_size ?? 0) <= told) return undefined;
      return logs.news(tx, id, { after: told, most: MAX_TEXT });
    },
  };
}

function endedJob({ jobs: { logs } }: Deps, job: FinalJob): Seen {
  const { id, output, log_file_size: sizeBytes = 0, log_uploaded: isUploaded } = job;
  const { minute } = job.timelines ?? {};
  return {
    job,
    facts: factsOf(job, job.activity, minute?.at(-1)),
    async output(tx, told) {
      if (sizeBytes <= told) return undefined;
      if (typeof output === "string") return { sizeBytes, text: lastBytes(afterBytes(output, told), MAX_TEXT) };
      // Output that was already moved out of the storage is not sent, since the page reads the log again.
      const stored = isUploaded ? undefined : await logs.news(tx, id, { after: told, most: MAX_TEXT });
      return stored ?? { sizeBytes, text: "" };
    },
  };
}

const factsOf = (job: Job, rows: readonly MetaRow[] = [], minute: ProcessSample | undefined): PageFacts => ({
  rows,
  actions: job.actions ?? [],
  limits: job.limits ?? [],
  minute,
  isUploaded: job.log_uploaded === true,
});

/** The same sample that the node of the job's server would take; timelines are kept on that node. */
function sampleOf({ updated = 0, ...job }: Job): ProcessSample | undefined {
  const { procs, conns = [] } = job as Partial<ProcessSample>;
  return procs && { epoch: Math.floor(updated / 60) * 60, procs, conns };
}
