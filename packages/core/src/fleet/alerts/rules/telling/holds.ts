import type { SilencedBy } from "../../../silences/model.ts";
import { weightOf } from "../definition/severity.ts";

/** A firing as seen by the rules about other firings. */
export interface Standing {
  readonly invocation: string;
  readonly alert: string;
  readonly server: string;
  /** Display name of the server or subject; for a check its title. */
  readonly place: string;
  /** Title of the definition. */
  readonly title: string;
  readonly severity: string;
  readonly family: string | undefined;
  /** Ids of the definitions that it inhibits on its server. */
  readonly inhibits: readonly string[];
  readonly outage: boolean;
  /** Unix seconds of the first true sample. */
  readonly date: number;
}

export interface Surroundings {
  readonly firing: Standing;
  /** Unix seconds of the firing. */
  readonly fired: number;
  /** Unix seconds. */
  readonly now: number;
  /** Seconds that the firing must last before anyone is notified. */
  readonly noticeAfter: number;
  /** Definitions that the alert depends on, directly or transitively. */
  readonly parents: ReadonlySet<string>;
  /** Places that the server depends on, directly or transitively. */
  readonly upstream: ReadonlySet<string>;
  /** Firings that are live on the server and upstream. */
  readonly live: readonly Standing[];
  /** Firings on the server and upstream that ended for lack of data, so that the condition may still hold. */
  readonly silent: readonly Standing[];
  /** Most seconds that the firing waits for places that it may depend on to be evaluated. */
  readonly parentWait: number;
  /** True when a server or alert that it may depend on has not been evaluated since the firing. */
  readonly isParentPending: boolean;
}

/** Id of a dependency that is not known yet. */
const UNKNOWN = "";

/** Most seconds of clock skew to a node that a server is connected to. */
const SKEW_SEC = 60;

/**
 * True when an alert fired before the clock was set back. Nobody knows for how long it has waited, so it need not wait
 * longer.
 */
const isToCome = (fired: number, now: number): boolean => fired - now > SKEW_SEC;

export function delayOf({ firing, fired, now, noticeAfter }: Surroundings): SilencedBy | undefined {
  if (now - fired >= noticeAfter || isToCome(fired, now)) return undefined;
  return { kind: "delay", id: firing.alert, title: `it is told when it has lasted ${noticeAfter} seconds` };
}

/** The dependency that holds a firing back. It does so even if the parent is itself held, silenced or acknowledged. */
export function dependencyOf(around: Surroundings): SilencedBy | undefined {
  const { fired, live, silent, now, isParentPending, parentWait } = around;
  const parent = [...live, ...silent].find((each) => isParent(each, around));
  if (parent) return { kind: "dependency", id: parent.invocation, title: `${parent.title} on ${parent.place}` };
  if (!isParentPending || now - fired >= parentWait || isToCome(fired, now)) return undefined;
  return { kind: "dependency", id: UNKNOWN, title: "what it depends on has not been looked at yet" };
}

/** Seconds after which a silent server is no longer known to be well. */
const SILENT_SEC = 90;

/** True while the state of a server is unknown: its last minute is older than `since`, or older than `SILENT_SEC`. */
export const isUnseen = (last: number | undefined, { since, now }: { readonly since: number; readonly now: number }) =>
  last === undefined || last < since || now - last > SILENT_SEC;

function isParent(other: Standing, { firing, parents, upstream }: Surroundings): boolean {
  if (other.invocation === firing.invocation) return false;
  const isAbove = upstream.has(other.server);
  if (other.outage && isAbove) return true;
  return parents.has(other.alert) && (isAbove || other.server === firing.server);
}

/** Live firings on the same server that inhibit this one. Callers must skip those that are held back themselves. */
export const inhibitorsOf = ({ firing, live }: Surroundings): Standing[] =>
  live.filter((other) => other.server === firing.server && inhibits(other, firing) && !winsAgainst(firing, other));

export const inhibition = ({ invocation, title }: Standing): SilencedBy => ({
  kind: "inhibition",
  id: invocation,
  title,
});

function inhibits(other: Standing, firing: Standing): boolean {
  if (other.invocation === firing.invocation) return false;
  if (other.inhibits.includes(firing.alert)) return true;
  const isFamily = Boolean(firing.family) && other.family === firing.family;
  return isFamily && weightOf(other.severity) > weightOf(firing.severity);
}

/** Decides between two firings that inhibit each other: the older one wins, then the one with the lower id. */
function winsAgainst(firing: Standing, other: Standing): boolean {
  if (!inhibits(firing, other)) return false;
  return firing.date === other.date ? firing.invocation < other.invocation : firing.date < other.date;
}

/** True for holds after which an alert gets some time to clear before anyone is notified. */
export const needsSettling = ({ kind, id }: SilencedBy): boolean =>
  kind === "job" || (kind === "dependency" && id !== UNKNOWN);
