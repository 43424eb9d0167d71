import type { Cradle } from "../../kernel/container.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { createCalendar, OWN_ZONE } from "../../lib/time/calendar.ts";
import { createDays, dayOfWall } from "../../lib/time/days.ts";
import { lastMark } from "../../lib/time/last-mark.ts";
import { createTurns } from "../../lib/turns/turns.ts";
import type { InternalJob } from "../internal-jobs/model.ts";

/** Maintenance on demand, and backups of the database (docs/contract/administration.md#maintenance). */
export interface Maintenance {
  /** Runs all steps one after the other; a step that fails does not prevent the others. */
  run(job: InternalJob): Promise<void>;
  /** Checks the database. */
  optimize(job: InternalJob): Promise<void>;
  /** Makes the nightly backup once it is due, and retries an hour after a failure. `now` is Unix seconds. */
  backup(now: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds between attempts. On a full disk each attempt fills it again, and the host's own writes fail meanwhile. */
const RETRY_MS = 3_600_000;

type Deps = Pick<Cradle, "clock" | "config" | "handlers" | "log" | "storage">;

export function createMaintenance(deps: Deps): Maintenance {
  const { clock, config, handlers, log, storage } = deps;
  const calendar = createCalendar();
  // Concurrent steps would do the same work twice, and a check of the database needs a thread of 12 MB.
  const turns = createTurns();
  const dayOf = createDays(config);
  let seen: number | undefined;
  let notBeforeMs = 0;

  const copy = async (now: number, signal: AbortSignal): Promise<string | undefined> =>
    storage.upkeep?.backup(dayOf(now), signal);

  return {
    run: (job) => turns.run(() => runAll(job)),
    optimize: (job) => turns.run(() => optimize(deps, job)),
    async backup(now, signal) {
      const zone = config.tz ?? OWN_ZONE;
      const mark = lastMark(now, config.maintenance, { calendar, zone });
      seen ??= (await isMissed(storage, dayOfWall(mark))) ? 0 : mark;
      if (mark === seen || clock.monotonicMs() < notBeforeMs) return;
      notBeforeMs = clock.monotonicMs() + RETRY_MS;
      const name = await turns.run(() => copy(now, signal));
      [seen, notBeforeMs] = [mark, 0];
      if (name !== undefined) log.info({ copy: name }, "The database was copied");
    },
  };

  async function runAll(job: InternalJob): Promise<void> {
    const all: (readonly [string, () => Promise<unknown>])[] = [
      ...handlers.maintenance.map(([title, run]) => [title, () => run(clock.now(), job.signal)] as const),
      ["Copy of the database", () => copy(clock.now(), job.signal)],
    ];
    let failures = 0;
    for (const [index, [title, work]] of all.entries()) {
      if (!(await runStep(deps, { title, work }, job))) failures += 1;
      job.progress((index + 1) / all.length);
    }
    job.stat("steps", all.length);
    job.stat("failures", failures);
    if (failures > 0) throw new DomainError("admin", "failed", `${failures} of ${all.length} steps failed`);
  }
}

/**
 * A node that was down at the nightly mark makes up for the backup; without any backup yet, the first is made at the next mark.
 */
async function isMissed({ upkeep }: Cradle["storage"], day: string): Promise<boolean> {
  const newest = await upkeep?.newestBackup?.(day);
  return newest !== undefined && newest < day;
}

/** Runs a step. Returns false for one that failed, which is logged. */
async function runStep(
  { clock, log }: Pick<Cradle, "clock" | "log">,
  { title, work }: { readonly title: string; readonly work: () => Promise<unknown> },
  { report, signal }: InternalJob,
): Promise<boolean> {
  signal.throwIfAborted();
  const began = clock.monotonicMs();
  try {
    await work();
    report(`- ${title}: ${((clock.monotonicMs() - began) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    log.error({ step: title, error }, "A step of the maintenance failed");
    report(`- ${title}: failed, see the log`);
    return false;
  }
}

async function optimize({ storage }: Pick<Cradle, "storage">, { report, signal }: InternalJob): Promise<void> {
  const { upkeep } = storage;
  if (!upkeep) return report("A database in memory needs no optimization.");
  const before = await upkeep.size();
  await upkeep.optimize((line) => report(`- ${line}`), signal);
  report(`Size: ${before} bytes before, ${await upkeep.size()} bytes now.`);
}
