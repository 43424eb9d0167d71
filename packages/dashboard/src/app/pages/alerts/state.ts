import { isNamedBy, type OnSubject, type SubjectLists } from "../../data/records/subjects.ts";
import type { StateName } from "../../parts/basic/basic.tsx";

export interface Firing extends OnSubject {
  readonly alert: string;
  readonly groups: readonly string[];
  readonly active: boolean;
  readonly acknowledged?: unknown;
  readonly untold?: unknown;
  readonly stale?: boolean | undefined;
}

type Subjects = { readonly [Member in keyof SubjectLists]?: readonly string[] | null | undefined };

export interface Quiet extends Subjects {
  readonly in_force: boolean;
  readonly groups?: readonly string[] | null | undefined;
  readonly alerts?: readonly string[] | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
}

/** True if every non-empty list of the silence matches the alert. */
function isAbout(silence: Quiet, firing: Omit<Firing, "active">, tags: readonly string[]): boolean {
  const fits = (named: readonly string[] | null | undefined, ...own: readonly string[]): boolean =>
    !named?.length || own.some((each) => named.includes(each));
  return (
    isNamedBy(silence, firing) &&
    fits(silence.groups, ...firing.groups) &&
    fits(silence.alerts, firing.alert) &&
    fits(silence.tags, ...tags)
  );
}

/** True if a silence is keeping the firing quiet now. */
export const isQuiet = (silences: readonly Quiet[], firing: Omit<Firing, "active">, tags: readonly string[]): boolean =>
  silences.some((silence) => silence.in_force && isAbout(silence, firing, tags));

const SIGNS: Readonly<Record<string, StateName>> = { critical: "crit", warning: "warn", info: "info" };
/** The state shown for a severity; no severity counts as a warning. */
export const severityState = (severity: string | null | undefined): StateName => SIGNS[severity ?? "warning"] ?? "warn";

interface Called {
  readonly severity?: string | undefined;
  readonly acknowledged?: unknown;
}

const WORST: readonly StateName[] = ["crit", "warn", "info"];
/** The firing of the highest severity; undefined if nothing fires. */
export const worstOf = <Row extends Called>(firings: readonly Row[]): Row | undefined =>
  WORST.map((state) => firings.find(({ severity }) => severityState(severity) === state)).find(Boolean);

/** The state shown for a firing that is not over. */
export const firingState = ({ severity, acknowledged }: Called): StateName =>
  acknowledged ? "ack" : severityState(severity);

/** The state of an invocation: over, acknowledged, silenced, or firing. */
export function alertState(invocation: Firing, silences: readonly Quiet[], tags: readonly string[]): StateName {
  if (!invocation.active) return invocation.stale ? "gone" : "ok";
  if (invocation.acknowledged) return "ack";
  return isQuiet(silences, invocation, tags) || invocation.untold ? "hush" : "crit";
}

interface Heard {
  readonly actions?: readonly { readonly type: string }[] | undefined;
  readonly suppressed?: readonly unknown[] | undefined;
  readonly untold?: unknown;
  readonly acknowledged?: unknown;
}

/** True if nobody was notified and nothing was suppressed either. Snapshot actions notify nobody. */
export const wasNobodyTold = ({ actions = [], suppressed = [], untold, acknowledged }: Heard): boolean =>
  actions.every(({ type }) => type === "snapshot") && suppressed.length === 0 && !untold && !acknowledged;

export const VIEWS = ["open", "firing", "acknowledged", "silenced", "past"] as const;
export type View = (typeof VIEWS)[number];

const OF_VIEW: Readonly<Record<View, (state: StateName) => boolean>> = {
  open: (state) => state !== "ok" && state !== "gone",
  firing: (state) => state === "crit",
  acknowledged: (state) => state === "ack",
  silenced: (state) => state === "hush",
  past: (state) => state === "ok" || state === "gone",
};
export const isIn = (view: View, state: StateName): boolean => OF_VIEW[view](state);

/**
 * The threshold that an expression compares a monitor with, drawn as a line in its chart. Found only if both sides
 * stand alone, without arithmetic.
 */
export function limitIn(expression: string, monitor: string): number | undefined {
  const id = monitor.replace(/[^\w]/g, "");
  // Most rules are on other monitors, and compiling the patterns for each would take longer than all else here.
  if (!expression.includes(`monitors.${id}`)) return undefined;
  const name = `monitors\\.${id}`;
  // Matches the preceding character instead of using a lookbehind, which older browsers do not support.
  const [bound, alone, end] = ["(-?\\d+(?:\\.\\d+)?)", "(?:^|[^\\w.*/+%\\s-])\\s*", "(?!\\s*[\\w.*/+%-])"];
  const after = new RegExp(`${alone}${name}\\s*[<>]=?\\s*${bound}${end}`).exec(expression);
  const before = new RegExp(`${alone}${bound}\\s*[<>]=?\\s*${name}${end}`).exec(expression);
  const found = after?.[1] ?? before?.[1];
  return found === undefined ? undefined : Number(found);
}

interface Ruling {
  readonly id: string;
  readonly enabled?: unknown;
  readonly subject?: string | null | undefined;
  readonly groups?: readonly string[] | null | undefined;
  readonly expression: string;
}

/** True for an enabled rule on servers that applies to all given servers. Each server is given as its list of groups. */
const isForAll = ({ enabled, subject, groups }: Ruling, servers: readonly (readonly string[])[]): boolean =>
  Boolean(enabled) &&
  (subject || "server") === "server" &&
  (!groups?.length || servers.every((own) => own.some((group) => groups.includes(group))));

/** The threshold of the first rule on a monitor that applies to all given servers, with the id of that rule. */
export function boundIn(
  rules: readonly Ruling[],
  monitor: string,
  servers: readonly (readonly string[])[],
): { readonly alert: string; readonly limit: number } | undefined {
  for (const rule of rules) {
    const limit = isForAll(rule, servers) ? limitIn(rule.expression, monitor) : undefined;
    if (limit !== undefined) return { alert: rule.id, limit };
  }
  return undefined;
}

/** The monitor that an alert is about: `named` if there is one, else the first monitor in the expression. */
export const monitorIn = (expression: string, named: unknown): string | undefined =>
  typeof named === "string" && named ? named : /\bmonitors\.(\w+)/.exec(expression)?.[1];
