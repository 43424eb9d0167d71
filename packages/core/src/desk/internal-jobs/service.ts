import { setImmediate as inNextTurn } from "node:timers";
import type { Cradle } from "../../kernel/container.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { pause } from "../../kernel/running/loops.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import { whenReleased } from "../../kernel/transactions/unit-scope.ts";
import type { InternalJob, InternalJobRow, InternalJobSpec } from "./model.ts";
import { MAX_RUNNING, rowOf, withProgress, withReport, withStat } from "./rules.ts";
import { alreadyRunning, type Claim, createClaim } from "./services/claim.ts";
import { faultOf, tellEnd } from "./services/ending.ts";
import { createListing, type Listing } from "./services/listing.ts";

export type InternalJobWork = (job: InternalJob) => Promise<void>;

/**
 * Background work that people can watch; kept in the memory of this node
 * (docs/contract/administration.md#internal-jobs).
 */
export interface InternalJobs extends Omit<Listing, "end"> {
  /**
   * Starts the work; the job is listed before this returns. Throws `DomainError` ("conflict") for a second exclusive job and when
   * too many are running, and ("unavailable") when the engine is stopping. If two nodes start exclusive jobs at the same moment,
   * one of them fails.
   */
  start(spec: InternalJobSpec, work: InternalJobWork): { readonly id: string };
  /**
   * The same for a command: the work starts after the commit. Throws like `start`; if another exclusive job started in between,
   * the returned job fails at once. An exclusive job gets a row in the activity log when it starts, because a node that is killed
   * cannot record its end.
   */
  startAfter(unit: Pick<Unit, "audit" | "tx">, spec: InternalJobSpec, work: InternalJobWork): { readonly id: string };
  /** Aborts all jobs and waits for them. */
  stop(): Promise<void>;
}

type Deps = Pick<
  Cradle,
  "bus" | "clock" | "events" | "ids" | "log" | "nodes" | "outbox" | "state" | "storage" | "transact"
>;

interface Running {
  row: InternalJobRow;
  readonly exclusive: boolean;
  readonly done: Promise<void>;
}

const isExclusive = ({ exclusive }: Running): boolean => exclusive;

const HOSTED = "An internal job cannot be started inside a transaction of the host.";
/** Milliseconds that aborted work has to finish; after that, the engine stops without waiting for it. */
const GRACE_MS = 10_000;

export function createInternalJobs(deps: Deps): InternalJobs {
  const stopping = new AbortController();
  const { known, begin, running } = createRunning(deps, stopping.signal);
  const { end, ...listing } = createListing(deps, () => [...running.values()].map(({ row }) => row));

  function beginChecked(spec: KnownSpec, work: InternalJobWork): void {
    try {
      begin(known(spec), work);
    } catch (error) {
      begin({ ...spec, exclusive: false }, () => Promise.reject(error));
    }
  }

  return {
    start(asked, work) {
      const spec = known(asked);
      begin(spec, work);
      return { id: spec.id };
    },
    startAfter({ audit, tx }, asked, work) {
      const spec = known(asked);
      if (!whenReleased(tx, () => beginChecked(spec, work))) throw new DomainError("admin", "conflict", HOSTED);
      if (spec.exclusive) tellStart(deps, { audit }, spec);
      return { id: spec.id };
    },
    ...listing,
    stop() {
      stopping.abort();
      return settle(deps, running).finally(end);
    },
  };
}

type KnownSpec = InternalJobSpec & { readonly id: string };

/** The jobs that run on this node. */
function createRunning(deps: Deps, signal: AbortSignal) {
  const running = new Map<string, Running>();
  const claim = createClaim(deps, signal);
  return {
    running: running as ReadonlyMap<string, Running>,
    /** The job with its id. Throws when it cannot start now. */
    known(spec: InternalJobSpec): KnownSpec {
      if (signal.aborted) throw new DomainError("admin", "unavailable", "The engine is stopping.");
      if (running.size >= MAX_RUNNING)
        throw new DomainError("admin", "conflict", "Too many internal jobs are running; try again later.");
      if (spec.exclusive && (claim.isTaken() || [...running.values()].some(isExclusive))) throw alreadyRunning();
      return { ...spec, id: spec.id ?? deps.ids.short("i") };
    },
    begin(spec: KnownSpec, work: InternalJobWork): void {
      const row = rowOf(spec, spec.id, Math.floor(deps.clock.now()));
      const turn = Promise.withResolvers<void>();
      // The work starts in its own turn of the event loop, since its first steps would otherwise be part of the starting call.
      const done = turn.promise.then(() => run(deps, entry, { work: whole(claim, spec, work), signal }));
      const entry: Running = {
        row,
        exclusive: spec.exclusive ?? false,
        done: done.then(() => void running.delete(spec.id)),
      };
      running.set(spec.id, entry);
      inNextTurn(turn.resolve);
    },
  };
}

/** Runs the work under the claim, and the clean-up after both. */
const whole =
  (claim: Claim, spec: InternalJobSpec, work: InternalJobWork): InternalJobWork =>
  async (job) => {
    try {
      await claim.around(spec, work)(job);
    } finally {
      await spec.cleanUp?.();
    }
  };

function tellStart({ clock }: Deps, { audit }: Pick<Unit, "audit">, spec: KnownSpec): void {
  const job = rowOf(spec, spec.id, Math.floor(clock.now()));
  audit("internal_job_start", { description: spec.title, keywords: [spec.id], job });
}

interface Doing {
  readonly work: InternalJobWork;
  readonly signal: AbortSignal;
}

async function run(deps: Deps, entry: Pick<Running, "row">, { work, signal }: Doing): Promise<void> {
  const { id, title } = entry.row;
  const began = deps.clock.monotonicMs();
  const elapsed = (): number => (deps.clock.monotonicMs() - began) / 1000;
  const change = (apply: (row: InternalJobRow) => InternalJobRow): void => {
    entry.row = apply(entry.row);
  };
  try {
    await work({
      id,
      signal,
      progress: (share) => change((row) => withProgress(row, share)),
      stat: (name, value) => change((row) => withStat(row, name, value)),
      report: (markdown) => change((row) => withReport(row, markdown)),
    });
    await tellEnd(deps, entry.row, { outcome: "done", elapsed: elapsed() });
  } catch (error) {
    if (signal.aborted) deps.log.info({ job: id, title }, "An internal job was stopped");
    else deps.log.error({ job: id, title, error }, "An internal job failed");
    const ending = signal.aborted
      ? { outcome: "stopped" as const }
      : { outcome: "failed" as const, fault: faultOf(error, id) };
    await tellEnd(deps, entry.row, { ...ending, elapsed: elapsed() });
  }
}

async function settle({ clock, log }: Deps, running: ReadonlyMap<string, Running>): Promise<void> {
  const all = Promise.all([...running.values()].map(({ done }) => done));
  const grace = new AbortController();
  await Promise.race([all, pause(clock, GRACE_MS, grace.signal)]);
  grace.abort();
  if (running.size > 0) log.warn({ jobs: [...running.keys()] }, "Internal jobs did not end when the engine stopped");
}
