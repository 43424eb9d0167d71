import type { SilencedBy } from "../../../silences/model.ts";
import type { Alert, AlertState, Invocation } from "../../model.ts";
import { samplesOf } from "./evaluate.ts";

/** The facts about one alert on one subject. */
export interface Situation {
  readonly alert: Pick<Alert, "enabled" | "samples" | "groups" | "for" | "keep_firing_for" | "recovery" | "no_data">;
  /** Unix seconds. */
  readonly now: number;
  /** Undefined = the server has never sent a minute. */
  readonly minute: Minute | undefined;
  readonly inScope: boolean;
  /** True when the subject is a server. */
  readonly isServer: boolean;
  readonly state: Pick<AlertState, "count" | "notified" | "true_since" | "last_true"> | undefined;
  /** The live invocation, else the newest. */
  readonly invocation: Invocation | undefined;
  /** The hold that would keep a notification back now. */
  readonly quiet: SilencedBy | undefined;
}

export interface Minute {
  /** Seconds since the minute was received. */
  readonly age: number;
  /** Formats the time at which the minute was received. */
  readonly since: () => string;
  /** Seconds after which the minute is too old to count. */
  readonly staleAfter: number;
  /** Monitoring is disabled on the server. */
  readonly isDummy: boolean;
  readonly result: boolean;
  readonly error: string | undefined;
}

export type Phase = "idle" | "warming" | "live" | "cooling";

/** Warming = true samples are being counted. Cooling = it fired, and false samples are being counted down. */
export function phaseOf({ state, alert }: Pick<Situation, "alert" | "state">): Phase {
  if (!state) return "idle";
  if (!state.notified) return "warming";
  return state.count < samplesOf(alert) ? "cooling" : "live";
}

/** One or two sentences: why the alert did not fire, or why nothing was sent. */
export function reasonOf(situation: Situation): string {
  return [evaluationReason(situation), noticeReason(situation)].filter(Boolean).join(" ");
}

function evaluationReason({ alert, minute, inScope, isServer, state, now }: Situation): string {
  if (!alert.enabled) return "The alert is disabled, so it is not evaluated.";
  if (!minute) return "The server has not sent a minute yet.";
  if (minute.isDummy) return "Monitoring is switched off on the server, so nothing is evaluated.";
  if (minute.age > minute.staleAfter) return silentReason(minute, alert.no_data === "keep" && state?.notified === true);
  if (!inScope && !isServer) return "It is in none of the categories of the alert, or has none of its tags.";
  if (!inScope) return `The server is in none of the groups of the alert: ${alert.groups?.join(", ")}.`;
  if (minute.error !== undefined) return `The expression failed, which counts as false: ${minute.error}`;
  return minute.result ? trueReason({ alert, state, now }) : falseReason({ alert, state, now });
}

function silentReason({ age, since }: Pick<Minute, "age" | "since">, isKept: boolean): string {
  return isKept
    ? `There are no data since ${since()}; the alert stays as it is until data return, for seven days at most.`
    : `The server has been silent for ${minutes(Math.floor(age / 60))}, so nothing is evaluated.`;
}

type Progress = Pick<Situation, "alert" | "state" | "now">;

function trueReason({ alert, state, now }: Progress): string {
  const samples = samplesOf(alert);
  if (state?.notified) return "The condition holds and the alert has fired.";
  const left = Math.max(samples - (state?.count ?? 0), 1);
  const unbroken = Math.max((alert.for ?? 0) - (now - (state?.true_since ?? now)), 0);
  if (state && state.count >= samples && unbroken > 0)
    return `The condition holds, but it must hold for ${alert.for} seconds without a break: ${unbroken} more.`;
  if (!state && samples === 1 && unbroken === 0)
    return "The condition holds by the definition as it is now; it fires with the next minute.";
  return `The condition holds, but ${samples} true minutes are needed to fire: ${left} more.`;
}

function falseReason({ alert, state, now }: Progress): string {
  if (!state?.notified) return "The condition does not hold.";
  const goneBy = state.count === 0 ? (alert.keep_firing_for ?? 0) - (now - (state.last_true ?? now)) : 0;
  if (goneBy > 0) return `The condition does not hold any more; the alert is kept firing for ${goneBy} more seconds.`;
  const recovery = alert.recovery ? ` in which "${alert.recovery}" holds` : " without it";
  return `The condition does not hold any more; the alert clears after ${minutes(Math.max(state.count, 1))}${recovery}.`;
}

function noticeReason({ invocation, quiet, state }: Situation): string {
  if (state?.notified && invocation) return firedReason(invocation, quiet);
  return quiet && state ? `It would fire without a word: ${byText(quiet)}.` : "";
}

function firedReason({ suppressed = [], actions = [] }: Invocation, quiet: SilencedBy | undefined): string {
  const sent = actions.filter(({ condition }) => condition === "alert_new").length;
  const unsent = suppressed.findLast(({ condition }) => condition === "alert_new")?.by;
  const now = quiet ? ` Nothing is sent now: ${byText(quiet)}.` : "";
  if (sent > 0) return `${sent} ${sent === 1 ? "action was" : "actions were"} run for it.${now}`;
  if (!unsent) return `Nothing was sent: there are no actions for it.${now}`;
  const isSame = quiet?.kind === unsent.kind && quiet.id === unsent.id;
  return `Nothing was sent: ${byText(unsent)}.${isSame ? "" : now}`;
}

function byText({ kind, id, title }: SilencedBy): string {
  switch (kind) {
    case "silence":
      return `silence "${title}" (${id})`;
    case "job":
      return `job ${id} keeps its server quiet`;
    case "snooze":
      return "all alerts are snoozed";
    case "acknowledgement":
      return title === "" ? `${id} acknowledged it` : `${id} acknowledged it: ${title}`;
    case "delay":
      return title;
    case "dependency":
      return id === "" ? title : `${title} is firing, and this depends on it`;
    case "inhibition":
      return `"${title}" is firing on its server and says more`;
  }
}

const minutes = (count: number): string => `${count} ${count === 1 ? "minute" : "minutes"}`;

/** Most characters of a reading. */
const MAX_READING = 200;

/** A reading for display: cut if long, and never undefined. */
export function shownReading(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length > MAX_READING) return `${text.slice(0, MAX_READING)}…`;
  return value;
}
