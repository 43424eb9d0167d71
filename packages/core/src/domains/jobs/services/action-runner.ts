import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/action-type.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Action } from "../model.ts";
import { hasResult, missingTypeText } from "../rules/actions.ts";
import { textTemplateKey } from "../rules/hook-data.ts";
import { readableDuration } from "../rules/readable.ts";
import { timeLimit } from "./time-limit.ts";

export interface ActionBatch {
  readonly side: "job" | "alert";
  readonly actions: readonly Action[];
  /** Template data shared by the batch. */
  readonly data: Readonly<Record<string, unknown>>;
  /** With the action's index it makes the idempotency key: job id, or invocation id + condition. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Places of the actions in their own list, for the idempotency keys; absent = their places in the batch. */
  readonly places?: readonly number[];
  /** Told as each action ends, so that results are stored one by one. */
  readonly onResult?: (index: number, action: Action) => Promise<void>;
}

export interface ActionRunner {
  /**
   * Runs the given actions in parallel and returns them with `date`, `code`, `description`, `details`, `loc` and
   * `elapsed_ms` (part 33 §3). Actions that carry a `code` already are returned as they are. Never rejects.
   */
  run(batch: ActionBatch): Promise<Action[]>;
}

/** Seconds that an action of an alert may take (part 22 §7.2). */
const ALERT_TIMEOUT = 600;
/** Codes of failures whose action type gives none. */
const FAILURE_CODES: Readonly<Record<string, string>> = { web_hook: "webhook", run_event: "event" };

/** One action of a batch on its way. */
interface Item {
  readonly batch: ActionBatch;
  readonly action: Action;
  readonly index: number;
}

export function createActionRunner(cradle: Cradle): ActionRunner {
  const { clock, log } = cradle;
  const runOne = async (item: Item): Promise<Action> => {
    const { batch, action, index } = item;
    if (hasResult(action)) return action;
    try {
      const result = await perform(cradle, item);
      if (hasResult(result)) await batch.onResult?.(index, result);
      return result;
    } catch (error) {
      log.error({ action: action.type, key: batch.key, error }, "The result of an action could not be stored");
      const description = "The action failed unexpectedly.";
      return { ...action, date: clock.now(), code: "internal", description, elapsed_ms: 0 };
    }
  };
  return { run: (batch) => Promise.all(batch.actions.map((action, index) => runOne({ batch, action, index }))) };
}

async function perform(cradle: Cradle, item: Item): Promise<Action> {
  const { clock, log, registry } = cradle;
  const { batch, action } = item;
  const type = registry.actionTypes.get(action.type);
  // Alerts leave out types that only make sense for jobs, without a result (part 22 §7.2).
  if (batch.side === "alert" && type && !type.applies.includes("alert")) return action;
  const date = clock.now();
  const begin = clock.monotonicMs();
  const outcome = type?.applies.includes(batch.side)
    ? await outcomeOf(cradle, item, type)
    : { code: "type", description: missingTypeText(action.type) };
  const { code, description, details = "", loc } = outcome;
  if (code !== 0) log.error({ action: action.type, key: batch.key, code, description }, "An action failed");
  const elapsed_ms = Math.round(clock.monotonicMs() - begin);
  return { ...action, date, code, description, details, elapsed_ms, ...(loc === undefined ? {} : { loc }) };
}

/** The outcome, or a failure when the type throws or exceeds its deadline. */
async function outcomeOf(cradle: Cradle, { batch, action, index }: Item, type: ActionType): Promise<ActionOutcome> {
  const deadline = batch.side === "alert" ? ALERT_TIMEOUT : cradle.config.action_timeout;
  using limit = timeLimit(cradle.clock, deadline * 1000);
  const run: ActionRun = {
    action,
    side: batch.side,
    data: { ...batch.data, action, ...textOf(cradle, batch, action) },
    idempotencyKey: `${batch.key}/${batch.places?.[index] ?? index}`,
    signal: AbortSignal.any([batch.signal, limit.signal]),
  };
  const late = limit.expired.then(
    (): ActionOutcome => ({ code: "timeout", description: `Action timed out after ${readableDuration(deadline)}.` }),
  );
  try {
    return await Promise.race([type.run(run, cradle), late]);
  } catch (error) {
    const description = error instanceof Error ? error.message : String(error);
    return { code: FAILURE_CODES[action.type] ?? action.type, description };
  }
}

/** One line for chat hooks and mails; alerts bring their own. */
function textOf({ config, expressions }: Cradle, { side, data }: ActionBatch, action: Action): Record<string, string> {
  if (side === "alert") return {};
  const job = (data["job"] ?? {}) as { complete?: unknown; code?: unknown };
  const templates = config.hook_text_templates;
  const template = expressions.compileTemplate(templates[textTemplateKey(action, job, templates)] ?? "");
  return { text: `${config.client.name} ${template.expand({ ...data, action }, { undefinedText: "n/a" })}` };
}
