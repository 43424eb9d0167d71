import type { Cradle } from "./services.ts";

/**
 * One run of an action: what triggered it, and what it works with (docs/contract/actions.md#record,
 * docs/contract/alerts.md#actions).
 */
export interface ActionRun {
  readonly action: Readonly<Record<string, unknown>>;
  readonly side: "job" | "alert";
  /** Data for templates: JobHookData or AlertHookData. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The same for every attempt at one action of one job or transition. */
  readonly idempotencyKey: string;
  /**
   * Key of the earlier run that this one continues, so that a mail refers to the earlier mail; absent = this is the first run.
   */
  readonly follows?: string | undefined;
  /** Limits of the person or key that launched the job; absent = none. */
  readonly reach?: { readonly categories: readonly string[]; readonly groups: readonly string[] } | undefined;
  /** Aborts after `timeoutSec`, or when the action's job or alert cancels it. */
  readonly signal: AbortSignal;
  /** Seconds that the action may take. */
  readonly timeoutSec: number;
}

/** Outcome of an action, as its record shows it. */
export interface ActionOutcome {
  /** 0 or an error code. */
  readonly code: number | string;
  readonly description: string;
  /** Markdown. */
  readonly details?: string;
  /** Client location: "#Job?id=j1". */
  readonly loc?: string;
  /** Id of the record that the action created: a launched job, a ticket, a snapshot. */
  readonly resultId?: string;
}

/** A kind of action. */
export interface ActionType {
  /** Owners whose lists may contain such an action. */
  readonly applies: readonly ("job" | "alert")[];
  /** Throws `InputError` with the text that follows "Malformed action entry #n: ". */
  validate?(action: Readonly<Record<string, unknown>>): void;
  /** Part of the deduplication key, after the type: only the first action per type and target runs. */
  target(action: Readonly<Record<string, unknown>>): string;
  run(run: ActionRun, cradle: Cradle): Promise<ActionOutcome>;
}

/** Runs an action of the named type; undefined if there is no such type. */
export type Act = (type: string, run: ActionRun) => Promise<ActionOutcome> | undefined;
