import type { Signalbox } from "../../engine/signalbox.ts";
import { systemActor } from "../../kernel/calls/context.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import type { SearchNode } from "../../search/ast.ts";
import { activeJobCollection, jobCollection } from "../../work/jobs/collection.ts";
import type { Job, JobDetails } from "../../work/jobs/model.ts";

/** A job as `get_job` returns it, active or ended. */
export type TestRun = Job & Partial<JobDetails>;

type Members = Readonly<Record<string, unknown>>;

export interface Runs {
  launch(event: string, input?: Members): Promise<string>;
  job(id: string): Promise<TestRun>;
  runs(event: string): Promise<readonly TestRun[]>;
}

/** Larger than the number of jobs of one event in any test. */
const MAX_RUNS = 100_000;

export function createRuns({ execute }: Pick<Signalbox, "execute">, storage: Storage): Runs {
  const call = (operation: string, input: unknown): Promise<unknown> =>
    execute({ operation, input, actor: systemActor });
  const job: Runs["job"] = async (id) => ((await call("get_job", { id })) as { job: TestRun }).job;
  return {
    job,
    launch: async (event, input = {}) => ((await call("run_event", { ...input, id: event })) as { id: string }).id,
    async runs(event) {
      const mine: SearchNode = { kind: "term", field: "event", words: [event] };
      const options = { sortBy: "id", limit: MAX_RUNS };
      const { active, ended } = await storage.read(async (tx) => ({
        active: await tx.collection(activeJobCollection).find(mine, options),
        ended: await tx.collection(jobCollection).find(mine, options),
      }));
      // Read with the operation, because the last updates of running jobs are not stored yet.
      const running = await Promise.all(active.rows.map(({ id }) => job(id)));
      return [...ended.rows, ...running].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
    },
  };
}
