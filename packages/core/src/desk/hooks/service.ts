import * as z from "zod";
import type { Activity } from "../../directory/activity/model.ts";
import { activityRecords } from "../../directory/activity/records.ts";
import type { Cradle } from "../../kernel/container.ts";
import type { WorkHandler } from "../../kernel/plugins/plugin.ts";
import { readableDuration } from "../../lib/time/readable.ts";
import type { WriteTx } from "../../ports/storage/storage.ts";
import type { WorkItem } from "../../ports/storage/work.ts";
import type { Cause } from "../../wire/cause.ts";
import { object } from "../../wire/schemas/objects.ts";
import { textTemplateKey } from "../../work/jobs/actions/rules/hook-data.ts";
import { type ActiveJob, Job } from "../../work/jobs/model.ts";
import { jobRecords } from "../../work/jobs/records.ts";
import { findHook, partsOf } from "./rules/find-hook.ts";
import { describeActivity, type HookPayload, hookPayload, jobSubject } from "./rules/payload.ts";
import { TELL, type TellDeps, type Telling } from "./services/tell.ts";

/**
 * Notifies web hooks, commands and mail addresses of activities and jobs, and creates tickets about them, as configured
 * (docs/contract/actions.md#system-hooks, docs/contract/mail.md#system-hooks).
 */
export interface SystemHooks {
  /** Queues the hook of an activity, within the transaction that writes its row. */
  noteActivity(tx: WriteTx, row: Activity): Promise<void>;
  /** Queues the hooks of a job's conditions ("start", "success", "tag:nightly"), within the transaction that finds them. */
  noteJob(tx: WriteTx, record: ActiveJob, conditions: readonly string[]): Promise<void>;
  /** Worker of "hooks.tell". */
  readonly worker: WorkHandler;
}

export const TELL_HOOK = "hooks.tell";
/** Maximum items carried out at the same time: each may wait for a slow receiver, and other queued work needs room too. */
const MAX_TELLING = 8;
/** Maximum items at the same time for one address, web hook or command, which may hang. */
const MAX_TELLING_ALIKE = 3;
const POSTPONE_SEC = 2;
const MAX_POSTPONE_SEC = 30;
/** Age in seconds at which a waiting item is dropped. Without it, items for an address that never answers would pile up. */
const MAX_WAIT_SEC = 3600;
const MAX_ATTEMPTS = 3;

const Item = object(() => ({
  part: z.enum(["url", "web_hook", "shell_exec", "email", "ticket"]),
  action: z.string(),
  /** Id of a row of the activity log. */
  activity: z.string().optional(),
  job: z.string().optional(),
  /** Unix seconds. */
  epoch: z.number(),
  /** How often the item was postponed because too many were being carried out. */
  postponed: z.number().optional(),
  /** The record of a job that is not stored. */
  record: Job.optional(),
}));
type Item = z.infer<typeof Item>;

type Deps = TellDeps & Pick<Cradle, "jobs" | "log" | "random" | "snapshot">;

/** Services beyond `Deps` are read from the cradle when an item is carried out, since some of them depend on this one. */
export function createSystemHooks(deps: Deps): SystemHooks {
  const { config } = deps;
  const telling = createPlaces();
  const queue = async (tx: WriteTx, action: string, subject: Omit<Item, "part" | "action">): Promise<void> => {
    const hook = findHook(config.hooks, action);
    for (const part of hook ? partsOf(hook) : []) await tx.enqueue(TELL_HOOK, { ...subject, part, action });
  };
  return {
    noteActivity: (tx, { id, action, epoch }) => queue(tx, action, { activity: id, epoch }),
    async noteJob(tx, record, conditions) {
      if (Object.keys(config.hooks).length === 0) return;
      const epoch = Math.floor(deps.clock.now());
      const { id, job, details } = record;
      const kept = job.ephemeral ? { record: { ...details, ...job } } : {};
      for (const condition of conditions) await queue(tx, `job_${condition}`, { job: id, epoch, ...kept });
    },
    async worker(work, _cradle, signal) {
      const item = Item.parse(work.payload);
      const hook = findHook(config.hooks, item.action);
      // The hook was removed from the configuration in the meantime.
      if (hook?.[item.part] === undefined) return;
      using place = telling.take(JSON.stringify([item.part, hook[item.part]]));
      if (place) await tell(deps, { ...work, item, hook }, signal);
      else await postpone(deps, item);
    },
  };
}

interface Places {
  /** Takes a place for an item; undefined if all are taken, or too many by items with the same target. */
  take(target: string): Disposable | undefined;
}

function createPlaces(): Places {
  const taken = new Map<symbol, string>();
  return {
    take(target) {
      const alike = [...taken.values()].filter((other) => other === target).length;
      if (taken.size >= MAX_TELLING || alike >= MAX_TELLING_ALIKE) return undefined;
      const place = Symbol();
      taken.set(place, target);
      return { [Symbol.dispose]: () => void taken.delete(place) };
    },
  };
}

/** Queues the item again for later, with exponential backoff. Waiting here would occupy a place that other work needs. */
async function postpone({ clock, log, random, transact }: Deps, item: Item): Promise<void> {
  const { action, epoch, part, postponed = 0 } = item;
  if (clock.now() - epoch > MAX_WAIT_SEC)
    return log.warn({ action, part }, "A system hook was left out: there was no room for it within an hour");
  const seconds = Math.min(MAX_POSTPONE_SEC, POSTPONE_SEC * 2 ** postponed);
  const runAt = clock.now() + seconds * (0.5 + random.fraction());
  await transact(({ tx }) => tx.enqueue(TELL_HOOK, { ...item, postponed: postponed + 1 }, { runAt }));
}

interface Work extends Pick<WorkItem, "attempts"> {
  readonly item: Item;
  readonly hook: Telling["hook"];
}

async function tell(deps: Deps, { attempts, hook, item }: Work, signal: AbortSignal): Promise<void> {
  const { log } = deps;
  const { action, part } = item;
  const payload = await payloadOf(deps, item);
  if (!payload) return log.info({ action, part }, "What a system hook was to tell of is gone");
  try {
    await bounded(deps, signal, (ended) => TELL[part](tellingOf(hook, { item, payload, signal: ended }), deps));
  } catch (error) {
    if (signal.aborted || (isTemporary(error) && attempts + 1 < MAX_ATTEMPTS)) throw error;
    log.warn({ action, part, error }, "A system hook failed");
  }
}

/** Bounds the duration as a whole: a peer that sends a byte now and then never exceeds the timeouts of a request or mail. */
async function bounded(
  { clock, config }: Deps,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  using _timer = clock.after(config.action_timeout * 1000, () => {
    const error = new Error(`It took longer than ${readableDuration(config.action_timeout)}`);
    limit.abort(error);
    reject(error);
  });
  await Promise.race([work(AbortSignal.any([signal, limit.signal])), late]);
}

const isTemporary = (error: unknown): boolean => (Object(error) as { readonly temporary?: unknown }).temporary === true;

function tellingOf(
  hook: Telling["hook"],
  { item, payload, signal }: { readonly item: Item; readonly payload: HookPayload; readonly signal: AbortSignal },
): Telling {
  const { action, activity, job = "", part } = item;
  const cause: Cause = activity === undefined ? { kind: "job", id: job } : { kind: "activity", id: activity };
  return { hook, payload, signal, cause, key: `hook/${cause.id}/${action}/${part}` };
}

async function payloadOf(deps: Deps, item: Item): Promise<HookPayload | undefined> {
  const { config, expressions } = deps;
  const { action, epoch } = item;
  const product = config.client.name;
  if (item.job === undefined) {
    const row = await deps.snapshot((tx) => tx.collection(activityRecords).get(item.activity ?? ""));
    if (!row) return undefined;
    return hookPayload(row, { action, epoch, product, description: describeActivity(action, row.description) });
  }
  const record = await recordOf(deps, item);
  if (!record) return undefined;
  const data = await deps.jobs.hookData(record);
  const condition = action.slice("job_".length);
  const templates = config.hook_text_templates;
  const template = templates[textTemplateKey({ condition }, record.job, templates)] ?? "";
  const description = expressions.compileTemplate(template).expand(data, { undefinedText: "n/a" });
  return hookPayload(jobSubject(data), { action, epoch, product, description });
}

/** The job in its current state, or as it was queued if it leaves no record. */
async function recordOf({ jobs, snapshot }: Deps, { job: id = "", record }: Item): Promise<ActiveJob | undefined> {
  const active = record ? undefined : await jobs.desk.read(id);
  if (active) return active;
  const job = record ?? (await snapshot((tx) => tx.collection(jobRecords).get(id)));
  return job && { id, job, details: { activity: [] }, launched: job.started };
}
