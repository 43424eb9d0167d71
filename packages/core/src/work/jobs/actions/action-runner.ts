import type { Reach } from "../../../directory/access/model.ts";
import { hasResult } from "../../../fleet/actions/rules/list.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun } from "../../../kernel/plugins/action-type.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { messageOf } from "../../../lib/message-of.ts";
import { readableDuration } from "../../../lib/time/readable.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { traceparentOf } from "../launch/job-trace.ts";
import { timeLimit } from "../limits/time-limit.ts";
import { failureCode, soundOutcome } from "./rules/action-outcome.ts";
import { textTemplateKey } from "./rules/hook-data.ts";

export interface ActionBatch {
  readonly side: "job" | "alert";
  readonly actions: readonly Action[];
  /** Template data shared by the batch. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Combined with the action's index, it makes the idempotency key. Job id, or invocation id + condition. */
  readonly key: string;
  /** Limits of the person or key that launched the job; absent = none. */
  readonly reach?: Reach | undefined;
  /** Aborts when the engine stops. */
  readonly signal: AbortSignal;
  /** Indexes of the actions in their own list, for the idempotency keys; absent = their indexes in the batch. */
  readonly places?: readonly number[];
  /** Called as each action ends, so that results are stored one by one; retried when it rejects. */
  readonly onResult?: (index: number, action: Action) => Promise<void>;
}

export interface ActionRunner {
  /**
   * Runs the given actions in parallel and returns them with `date`, `code`, `description`, `details`, `loc` and `elapsed_ms`
   * (docs/contract/actions.md#a-phase). Actions that already have a `code` are returned unchanged. A failing action counts as a
   * result. Rejects, once all have ended, if the engine stopped before one of them succeeded or if a result could not be stored:
   * that action has no result and must run again.
   */
  run(batch: ActionBatch): Promise<Action[]>;
}

/** Time limit of an alert's action in seconds (docs/contract/alerts.md#running). */
const ALERT_TIMEOUT = 600;
const STORE_ATTEMPTS = 5;

/** One action of a batch in progress. */
interface Item {
  readonly batch: ActionBatch;
  readonly action: Action;
  readonly index: number;
}

type Deps = Pick<Cradle, "clock" | "config" | "expressions" | "handlers" | "log" | "registry" | "tracer">;

export function createActionRunner(deps: Deps): ActionRunner {
  const runOne = async (item: Item): Promise<Action> => {
    if (hasResult(item.action)) return item.action;
    const result = await perform(deps, item);
    if (hasResult(result)) await store(deps, item, result);
    return result;
  };
  return {
    async run(batch) {
      const runs = await Promise.allSettled(batch.actions.map((action, index) => runOne({ batch, action, index })));
      return runs.map((run) => {
        if (run.status === "rejected") throw run.reason;
        return run.value;
      });
    },
  };
}

async function perform(deps: Deps, item: Item): Promise<Action> {
  const { clock, log, registry } = deps;
  const { batch, action } = item;
  const type = registry.actionTypes.get(action.type);
  // Alerts skip types that only make sense for jobs, and store no result for them.
  if (batch.side === "alert" && type && !type.applies.includes("alert")) return action;
  const date = clock.now();
  const begin = clock.monotonicMs();
  const outcome = type?.applies.includes(batch.side)
    ? await outcomeOf(deps, item)
    : { code: "type", description: `Unknown action type: ${action.type}` };
  const { code, description, details = "", loc } = outcome;
  if (code !== 0) {
    // The stop of the engine interrupted the action, so the failure does not count.
    if (batch.signal.aborted) throw new Error(`The engine stopped before an action ended: ${action.type}`);
    log.error({ action: action.type, key: batch.key, code, description }, "An action failed");
  }
  const elapsed_ms = Math.round(clock.monotonicMs() - begin);
  return { ...action, date, code, description, details, elapsed_ms, ...(loc === undefined ? {} : { loc }) };
}

/** Stores a result, with retries: the action has run, so a short failure of the storage must not make it run again. */
async function store(
  { clock, log }: Pick<Cradle, "clock" | "log">,
  { batch, index }: Item,
  result: Action,
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await batch.onResult?.(index, result);
      return;
    } catch (error) {
      log.error({ action: result.type, key: batch.key, attempt, error }, "The result of an action could not be stored");
      if (attempt === STORE_ATTEMPTS || batch.signal.aborted) throw error;
      await pause(clock, 1000 * 2 ** (attempt - 1), batch.signal);
    }
}

/** The outcome, or a failure when the type throws or exceeds its deadline. */
async function outcomeOf(deps: Deps, item: Item): Promise<ActionOutcome> {
  const { batch, action } = item;
  const timeoutSec = batch.side === "alert" ? ALERT_TIMEOUT : deps.config.action_timeout;
  using limit = timeLimit(deps.clock, timeoutSec * 1000);
  const late = limit.expired.then(
    (): ActionOutcome => ({ code: "timeout", description: `Action timed out after ${readableDuration(timeoutSec)}.` }),
  );
  try {
    const signal = AbortSignal.any([batch.signal, limit.signal]);
    const run = runOf(deps, item, { signal, timeoutSec });
    return soundOutcome(
      action.type,
      await Promise.race([inTrace(deps, batch, () => deps.handlers.act(action.type, run)), late]),
    );
  } catch (error) {
    return soundOutcome(action.type, { code: failureCode(action.type), description: messageOf(error) });
  }
}

/** Runs the work in the trace of the action's job, even if another trace is current. */
function inTrace<R>({ tracer }: Deps, { data }: ActionBatch, work: () => R): R {
  const traceparent = traceparentOf(data["job"]);
  return tracer && traceparent !== undefined ? tracer.within(traceparent, work) : work();
}

type Limit = Pick<ActionRun, "signal" | "timeoutSec">;
type ForTexts = Pick<Cradle, "config" | "expressions">;

function runOf(deps: ForTexts, { batch, action, index }: Item, limit: Limit): ActionRun {
  return {
    action,
    side: batch.side,
    data: { ...batch.data, action, ...textOf(deps, batch, action) },
    idempotencyKey: `${batch.key}/${batch.places?.[index] ?? index}`,
    reach: batch.reach,
    ...limit,
  };
}

/** One line for chat hooks and mails; alerts provide their own. */
function textOf(
  { config, expressions }: ForTexts,
  { side, data }: ActionBatch,
  action: Action,
): Record<string, string> {
  if (side === "alert") return {};
  const job = (data["job"] ?? {}) as { complete?: unknown; code?: unknown };
  const templates = config.hook_text_templates;
  const template = expressions.compileTemplate(templates[textTemplateKey(action, job, templates)] ?? "");
  return { text: `${config.client.name} ${template.expand({ ...data, action }, { undefinedText: "n/a" })}` };
}
