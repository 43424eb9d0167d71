import type { StartLimits } from "../../limits/rules/limits.ts";
import type { ActiveJob } from "../../model.ts";

/** The effects of a transition, as data. Effects that leave the process follow the commit. */
export type Effect =
  | { readonly kind: "meta"; readonly text: string }
  /** Send the launch message, once. */
  | { readonly kind: "dispatch" }
  | { readonly kind: "send_abort"; readonly reason: string }
  /** Begin a workflow: it runs in the engine, and its parts run as jobs of their own. */
  | { readonly kind: "begin" }
  /** End the parts of a workflow; it ends itself when the last of them has. */
  | { readonly kind: "end_parts"; readonly reason: string }
  /** Look at the job again at once. */
  | { readonly kind: "wake" }
  /** A slot became free: look at the queue of similar jobs. */
  | { readonly kind: "slot" };

export interface Step {
  readonly record: ActiveJob;
  readonly effects: readonly Effect[];
}

/** A server as a transition sees it. */
export interface ChosenServer {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

export type StartChoice =
  | { readonly kind: "chosen"; readonly server: ChosenServer }
  /** The job needs no server. */
  | { readonly kind: "engine" }
  /** "wait": servers are expected back any moment, right after a start of the engine. */
  | { readonly kind: "none" | "wait" }
  | { readonly kind: "unknown"; readonly algo: string };

export interface StartFacts {
  /** Why the job may not start any more: its event is gone or disabled. */
  readonly refusal: string | undefined;
  readonly limits: StartLimits;
  /** Similar jobs that are starting or active. */
  readonly running: number;
  /** Similar jobs that are queued. */
  readonly queued: number;
  readonly choice: StartChoice;
}

/** Inputs that move a job to its next state. */
export type Input =
  | { readonly kind: "due" }
  | { readonly kind: "check"; readonly facts: StartFacts }
  | { readonly kind: "started"; readonly serverReady: boolean }
  /** The launch message could not be handed over. */
  | { readonly kind: "unsent" }
  | { readonly kind: "slot" }
  | { readonly kind: "abort"; readonly reason: string; readonly retryOk?: boolean; readonly connected: boolean }
  /** Looks for silence of the agent; `timeout` in seconds. */
  | { readonly kind: "watch"; readonly timeout: number; readonly since: number }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "reported"; readonly state: "finishing" | "complete" }
  | { readonly kind: "restarted" };
