import type { Job } from "../../jobs/model.ts";
import type { Standing } from "./sight.ts";

/** A job that has ended. Times are Unix seconds. */
export interface Run {
  readonly started: number;
  readonly completed: number;
  readonly outcome: "success" | "failure" | "neither";
  /** The time for which the scheduler launched the run; absent = the scheduler did not launch it. */
  readonly due?: number | undefined;
}

type Ended = Pick<Job, "code" | "description" | "retried" | "test">;

const BY_HAND = /Manually aborted by /;

/** Whether a run counts: test runs, retried attempts and aborted jobs do not. */
export function outcomeOf({ code = 0, description, retried, test }: Ended): Run["outcome"] {
  if (test || retried) return "neither";
  if (code === 0 || code === false || code === "warning") return "success";
  return code === "abort" && BY_HAND.test(description ?? "") ? "neither" : "failure";
}

/** The time for which the scheduler launched a job; undefined when the scheduler did not launch it. */
export const dueTimeOf = ({ source, now, until }: Pick<Job, "source" | "now" | "until">): number | undefined =>
  source === "scheduler" ? (until ?? now) : undefined;

/** Seconds. The duration of a run still counts for this long after its end. */
export const JUST_ENDED_SEC = 60;

/** Replays the state of an event's jobs over time. */
export interface Past {
  /** The state at `now` in Unix seconds, which never goes back between calls. */
  at(now: number): Standing;
}

interface Window {
  /** Unix seconds since when the event is judged. */
  readonly from: number;
  /** Period in seconds in which failures are counted. */
  readonly failuresPer: number;
  /** Finds the next scheduled run; absent = starts are not expected. */
  readonly dueAfter?: DueAfter | undefined;
}

/** Due time of the next run after a moment; undefined = unknown. `isRun`: a run was launched for that moment. */
export type DueAfter = (moment: number, isRun: boolean) => number | undefined;

/** Due time of the first run that has not started; runs due before the last started one are ignored. */
export const firstDue = (
  started: readonly number[],
  from: number,
  dueAfter: DueAfter | undefined,
): number | undefined => {
  const last = started.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
  return dueAfter?.(Math.max(last, from), last >= from);
};

/** `runs` must be sorted by their ends. Each run is visited once, however many minutes there are. */
export function createPast(runs: readonly Run[], { from, failuresPer, dueAfter }: Window): Past {
  const failed = runs.filter(({ outcome }) => outcome === "failure");
  const ended = createPasser(runs, ({ completed }) => completed);
  const begun = createPasser(
    runs.toSorted((a, b) => a.started - b.started),
    ({ started }) => started,
  );
  const failures = createPasser(failed, ({ completed }) => completed);
  const forgotten = createPasser(failed, ({ completed }) => completed);
  let last: number | undefined;
  let lastSuccess: number | undefined;
  let open: Run[] = [];
  let lastDue: number[] = [];
  return {
    at(now) {
      const over = ended.upTo(now);
      last = over.at(-1)?.completed ?? last;
      lastSuccess = over.findLast(({ outcome }) => outcome === "success")?.completed ?? lastSuccess;
      const started = begun.upTo(now);
      lastDue = [Math.max(...lastDue, ...started.flatMap(({ due = [] }) => due))].filter(Number.isFinite);
      open = [...open, ...started].filter(({ completed }) => completed > now - JUST_ENDED_SEC);
      failures.upTo(now);
      forgotten.upTo(now - failuresPer);
      return {
        now,
        from,
        last,
        lastSuccess,
        running: open.filter(({ completed }) => completed > now).length,
        longest: Math.max(0, ...open.map(({ started, completed }) => Math.min(completed, now) - started)),
        failures: failures.passed() - forgotten.passed(),
        ...(dueAfter ? { due: firstDue(lastDue, from, dueAfter) } : {}),
      };
    },
  };
}

/** Walks through a sorted list as time advances. */
function createPasser(runs: readonly Run[], timeOf: (run: Run) => number) {
  let next = 0;
  return {
    /** Runs from the current position up to a time. */
    upTo(now: number): Run[] {
      const from = next;
      for (let run = runs[next]; run && timeOf(run) <= now; run = runs[next]) next++;
      return runs.slice(from, next);
    },
    passed: () => next,
  };
}
