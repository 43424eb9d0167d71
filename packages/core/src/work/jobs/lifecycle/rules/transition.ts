import type { StartLimits } from "../../limits/rules/limits.ts";
import type { ActiveJob } from "../../model.ts";

/** The effects of a transition, as data. Effects outside of the process follow the commit. */
export type Effect =
  | { readonly kind: "meta"; readonly text: string }
  /** Send the launch message, once. */
  | { readonly kind: "dispatch" }
  | { readonly kind: "send_abort"; readonly reason: string }
  /** Begin a workflow: the engine runs it, and its sub-jobs are separate jobs. */
  | { readonly kind: "begin" }
  /** Abort the sub-jobs of a workflow, which ends when the last of them has ended. */
  | { readonly kind: "end_parts"; readonly reason: string }
  /** Advance the job again immediately. */
  | { readonly kind: "wake" }
  /** A slot became free: check the line of similar jobs. */
  | { readonly kind: "slot" };

export interface Step {
  readonly record: ActiveJob;
  readonly effects: readonly Effect[];
}

/** The members of a server that transitions read. */
export interface ChosenServer {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

export type StartChoice =
  | { readonly kind: "chosen"; readonly server: ChosenServer }
  /** The job needs no server. */
  | { readonly kind: "engine" }
  /** "wait": servers are about to reconnect, right after a start of the engine. */
  | { readonly kind: "none" | "wait" }
  | { readonly kind: "unknown"; readonly algo: string };

export interface StartFacts {
  /** Why the job may no longer start: its event is gone or disabled. */
  readonly refusal: string | undefined;
  readonly limits: StartLimits;
  /** Similar jobs that are starting or active. */
  readonly running: number;
  /** Similar jobs in the line. */
  readonly queued: number;
  readonly choice: StartChoice;
}

/** Inputs that move a job to its next state. */
export type Input =
  | { readonly kind: "due" }
  | { readonly kind: "check"; readonly facts: StartFacts }
  | { readonly kind: "started"; readonly serverReady: boolean }
  /** The launch message could not be sent. */
  | { readonly kind: "unsent" }
  | { readonly kind: "slot" }
  | { readonly kind: "abort"; readonly reason: string; readonly retryOk?: boolean; readonly connected: boolean }
  /** Checks whether the agent is silent; `timeout` in seconds. */
  | { readonly kind: "watch"; readonly timeout: number; readonly since: number }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "reported"; readonly state: "finishing" | "complete" }
  | { readonly kind: "restarted" };
