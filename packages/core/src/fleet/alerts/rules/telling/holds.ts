import type { SilencedBy } from "../../../silences/model.ts";
import { weightOf } from "../definition/severity.ts";

/** A firing, as the rules about other firings see it. */
export interface Standing {
  readonly invocation: string;
  readonly alert: string;
  readonly server: string;
  /** Display name of the server or subject: of a check its title. */
  readonly place: string;
  /** Title of the definition. */
  readonly title: string;
  readonly severity: string;
  readonly family: string | undefined;
  /** Definitions that it keeps quiet on its server. */
  readonly inhibits: readonly string[];
  readonly outage: boolean;
  /** Unix seconds of the first true sample. */
  readonly date: number;
}

export interface Surroundings {
  readonly firing: Standing;
  /** Unix seconds of its firing. */
  readonly fired: number;
  /** Unix seconds. */
  readonly now: number;
  /** Seconds after the firing before which it is not told. */
  readonly noticeAfter: number;
  /** Definitions that the alert depends on, and their own parents. */
  readonly parents: ReadonlySet<string>;
  /** Servers that the server depends on, and their own parents. */
  readonly upstream: ReadonlySet<string>;
  /** Firings that are live on the server and on the ones that it depends on. */
  readonly live: readonly Standing[];
  /** Firings there that ended for want of data, and may still go on. */
  readonly silent: readonly Standing[];
  /** Seconds at most that it waits until the places it may depend on are looked at. */
  readonly parentWait: number;
  /** A server or alert that the firing may depend on was not looked at since it fired. */
  readonly isParentPending: boolean;
}

/** Id of a dependency that is not known yet. */
const UNKNOWN = "";

/** Most seconds that the clock of another node, to which a server is connected, may be ahead. */
const SKEW_SEC = 60;

/** Whether an alert fired before the clock was set back: it has waited, as nobody knows for how long. */
const isToCome = (fired: number, now: number): boolean => fired - now > SKEW_SEC;

export function delayOf({ firing, fired, now, noticeAfter }: Surroundings): SilencedBy | undefined {
  if (now - fired >= noticeAfter || isToCome(fired, now)) return undefined;
  return { kind: "delay", id: firing.alert, title: `it is told when it has lasted ${noticeAfter} seconds` };
}

/** A parent that is itself held, silenced or acknowledged holds all the same. */
export function dependencyOf(around: Surroundings): SilencedBy | undefined {
  const { fired, live, silent, now, isParentPending, parentWait } = around;
  const parent = [...live, ...silent].find((each) => isParent(each, around));
  if (parent) return { kind: "dependency", id: parent.invocation, title: `${parent.title} on ${parent.place}` };
  if (!isParentPending || now - fired >= parentWait || isToCome(fired, now)) return undefined;
  return { kind: "dependency", id: UNKNOWN, title: "what it depends on has not been looked at yet" };
}

/** A server that is silent for longer is not known to be well. */
const SILENT_SEC = 90;

/** True while the state of a server is unknown, by its last minute: none came since a moment, or none for a while. */
export const isUnseen = (last: number | undefined, { since, now }: { readonly since: number; readonly now: number }) =>
  last === undefined || last < since || now - last > SILENT_SEC;

function isParent(other: Standing, { firing, parents, upstream }: Surroundings): boolean {
  if (other.invocation === firing.invocation) return false;
  const isAbove = upstream.has(other.server);
  if (other.outage && isAbove) return true;
  return parents.has(other.alert) && (isAbove || other.server === firing.server);
}

/** Live firings on the same server that say more than this one; a firing that is held itself holds no other. */
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

/** Decides between two firings that inhibit each other: the older one is told, then the one with the lower id. */
function winsAgainst(firing: Standing, other: Standing): boolean {
  if (!inhibits(firing, other)) return false;
  return firing.date === other.date ? firing.invocation < other.invocation : firing.date < other.date;
}

/** True for holds after whose end an alert has some time to end by itself before it is told. */
export const needsSettling = ({ kind, id }: SilencedBy): boolean =>
  kind === "job" || (kind === "dependency" && id !== UNKNOWN);
