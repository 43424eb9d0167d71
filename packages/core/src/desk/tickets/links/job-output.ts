import type { Cradle } from "../../../kernel/container.ts";
import { EXCERPT_BYTES } from "../../../lib/text/excerpt.ts";
import type { Job } from "../../../work/jobs/model.ts";
import { outputExcerpt } from "./rules/excerpt.ts";

type Deps = Pick<Cradle, "jobs" | "log" | "snapshot">;

/** Bytes of a stored log that are read to find its end. In a larger log, the excerpt ends there. */
const MAX_READ = 256 * 1024 * 1024;
/** Output up to this size is shown from one piece. */
const WHOLE = EXCERPT_BYTES * 2;

interface Ends {
  readonly first: string;
  /** Present when only the beginning of the output was read into `first`. */
  readonly last?: string;
}

/** The output of a job as its ticket shows it, read from where it is stored now. */
export function createJobOutput(deps: Deps): (job: Job) => Promise<string> {
  return async (job) => {
    try {
      const { first, last } = await endsOf(deps, job);
      return outputExcerpt(first, last);
    } catch (error) {
      // A ticket without output is better than no ticket.
      deps.log.warn({ job: job.id, error }, "The output of a job could not be read for its ticket");
      return outputExcerpt("");
    }
  };
}

/** Both ends of the output. For a running job the store can answer the end directly; a stored log must be read through. */
async function endsOf({ jobs, snapshot }: Deps, { id, state }: Job): Promise<Ends> {
  const isStored = state === "complete";
  const { first, last, size } = await readEnds(jobs.logs.partial(id), isStored ? MAX_READ : WHOLE + 1);
  if (size <= WHOLE) return { first: first.toString("utf8") };
  return {
    first: first.subarray(0, EXCERPT_BYTES).toString("utf8"),
    last: isStored ? last.toString("utf8") : (await snapshot((tx) => jobs.logs.tail(tx, id, EXCERPT_BYTES))).text,
  };
}

/** Both ends of the first `most` bytes of a stream; keeps only these two pieces in memory. */
async function readEnds(content: AsyncIterable<Uint8Array>, most: number) {
  let first = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (first.length <= WHOLE) first = Buffer.concat([first, piece]).subarray(0, WHOLE + 1);
    last = Buffer.concat([last, piece]).subarray(-EXCERPT_BYTES);
    if (size >= most) break;
  }
  return { first, last, size };
}
