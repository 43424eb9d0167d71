import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { isText } from "../../../lib/text/text-of.ts";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { jobCollection } from "../collection.ts";
import type { ActiveJob, FinalJob, Job } from "../model.ts";
import { timeLimit } from "./time-limit.ts";

/** Notices and aborts that follow when a runtime limit is exceeded (docs/contract/limits.md#effects). */
export interface LimitEffects {
  /**
   * Queues the effects in the transaction that stores the firing, so that they survive the end of this process. False when there
   * are none.
   */
  queue(unit: Unit, record: ActiveJob, index: number): Promise<boolean>;
  /** Worker of "jobs.limit_effects": sends the notices, and aborts the job if the limit says so, after at most ten seconds. */
  readonly worker: WorkHandler;
}

const LIMIT_EFFECTS = "jobs.limit_effects";
/** Most seconds that an abort waits for its notices. */
export const PATIENCE_SEC = 10;
const TITLES: Readonly<Record<string, string>> = {
  time: "Max Run Time",
  log: "Max Output Size",
  mem: "Max Memory",
  cpu: "Max CPU",
};

const Item = object(() => ({ id: z.string(), index: z.number() }));
type Item = z.infer<typeof Item>;

type Deps = Pick<Cradle, "actionRunner" | "clock" | "jobs" | "transact">;

export function createLimitEffects(deps: Deps): LimitEffects {
  return {
    async queue({ tx }, { id, job }, index) {
      const limit = job.limits?.[index];
      if (!limit || effectActions(limit).length === 0) return false;
      await tx.enqueue(LIMIT_EFFECTS, { id, index } satisfies Item, { key: `${id}/${index}` });
      return true;
    },
    async worker({ payload }, _cradle, signal) {
      const item = Item.parse(payload);
      const found = await find(deps, item);
      if (found) await exceed(deps, found, { item, signal });
    },
  };
}

interface Found {
  readonly record: ActiveJob;
  readonly limit: Limit;
}

/** The job's current record, even if it has ended meanwhile. */
async function find({ jobs: { desk } }: Deps, { id, index }: Item): Promise<Found | undefined> {
  const active = await desk.read(id);
  const final = active ? undefined : await desk.final(id);
  const record = active ?? (final && { id, job: final, details: { activity: [] }, launched: final.started });
  const limit = record?.job.limits?.[index];
  return record && limit?.["date"] !== undefined ? { record, limit } : undefined;
}

interface Turn {
  readonly item: Item;
  readonly signal: AbortSignal;
}

async function exceed(deps: Deps, found: Found, turn: Turn): Promise<void> {
  const done = perform(deps, found, turn);
  const abort = async (): Promise<void> => {
    using patience = timeLimit(deps.clock, PATIENCE_SEC * 1000);
    await Promise.race([done.catch(() => undefined), patience.expired]);
    // Effects that the engine's stop interrupted are repeated after the next start; that run then aborts the job.
    if (turn.signal.aborted || !found.limit["abort"]) return;
    await deps.jobs.monitor.abort(turn.item.id, { reason: String(found.limit["msg"]), retryOk: true });
  };
  await Promise.all([done, abort()]);
}

async function perform(deps: Deps, { record, limit }: Found, { item: { id, index }, signal }: Turn): Promise<void> {
  const { clock, jobs } = deps;
  const results = await deps.actionRunner.run({
    side: "job",
    actions: effectActions(limit),
    data: await jobs.hookData(record),
    key: `${id}/limit-${index}`,
    reach: record.reach,
    signal: AbortSignal.any([signal, jobs.stopping]),
  });
  const told = <T extends Pick<Job, "limits">>(job: T): T => {
    const elapsed_ms = Math.round((clock.now() - Number(limit["date"])) * 1000);
    const result = { ...combine(results), elapsed_ms };
    return { ...job, limits: (job.limits ?? []).map((each, at) => (at === index ? { ...each, ...result } : each)) };
  };
  const isActive = await jobs.desk.change(id, (unit, current) => {
    unit.emit("job.updated", { id });
    return { ...current, job: told(current.job) };
  });
  if (!isActive) await tellFinal(deps, id, told);
}

/** Stores the outcome in the final record: the job may have ended before all notices were sent. */
async function tellFinal({ transact }: Deps, id: string, told: (job: FinalJob) => FinalJob): Promise<void> {
  await transact(async ({ tx, emit }) => {
    const finals = tx.collection(jobCollection);
    if (!(await finals.get(id))) return;
    await finals.update(id, told);
    emit("job.updated", { id });
  });
}

/** Converts the effects of a limit to actions, so that they run and fail like others. */
function effectActions(limit: Limit): Action[] {
  const { type, msg, source = "event", users, email, web_hook, text, abort } = limit;
  const title = TITLES[type] ?? type;
  const shared = { enabled: true, condition: "limit", template: "job_limited", title, msg, source };
  const note = [abort ? "(Job aborted)" : "", isText(text) ? String(text) : ""].filter((part) => part !== "").join(" ");
  const summary = measuresOf(limit)
    .map((measure) => `- ${measure}`)
    .join("\n");
  return [
    ...(hasPeople(limit) ? [{ ...shared, type: "email", users: users ?? [], email: email ?? "", summary }] : []),
    ...(isText(web_hook) ? [{ ...shared, type: "web_hook", web_hook, text: note, summary }] : []),
    ...(limit["snapshot"] ? [{ ...shared, type: "snapshot", summary }] : []),
  ];
}

const hasPeople = ({ users, email }: Limit): boolean => isText(email) || (Array.isArray(users) && users.length > 0);

/** What the limit does about it, as a text. */
function measuresOf(limit: Limit): string[] {
  const { tags, abort, snapshot, web_hook } = limit;
  const names = Array.isArray(tags) ? tags.map(String) : [];
  return [
    ...(names.length > 0 ? [`Tags were added: ${names.join(", ")}`] : []),
    ...(hasPeople(limit) ? ["This mail was sent"] : []),
    ...(isText(web_hook) ? [`The web hook was fired: ${String(web_hook)}`] : []),
    ...(snapshot ? ["A snapshot of the server is taken"] : []),
    abort ? "The job is aborted" : "The job goes on",
  ];
}

/** The first failure determines the result; details contain one section per effect. */
function combine(results: readonly Action[]): { code: unknown; description: unknown; details: string } {
  const failed = results.find((result) => result["code"] !== 0);
  const details = results.map((result) =>
    [`### ${result.type}`, result["description"], result["details"]].filter(Boolean).join("\n\n"),
  );
  return {
    code: failed?.["code"] ?? 0,
    description: failed?.["description"] ?? "Limit effects applied.",
    details: details.join("\n\n"),
  };
}
