import type { StateName } from "../../parts/basic.tsx";

export interface Firing {
  readonly alert: string;
  readonly server: string;
  readonly groups: readonly string[];
  readonly active: boolean;
  readonly acknowledged?: unknown;
  readonly untold?: unknown;
  readonly stale?: boolean | undefined;
}

export interface Quiet {
  readonly in_force: boolean;
  readonly servers: readonly string[];
  readonly groups: readonly string[];
  readonly alerts: readonly string[];
  readonly tags: readonly string[];
}

/** Each list of a silence that is not empty must name the alert's case. */
export function isAbout(silence: Quiet, { alert, server, groups }: Firing, tags: readonly string[]): boolean {
  const fits = (named: readonly string[], ...own: readonly string[]): boolean =>
    named.length === 0 || own.some((each) => named.includes(each));
  return (
    fits(silence.servers, server) &&
    fits(silence.groups, ...groups) &&
    fits(silence.alerts, alert) &&
    fits(silence.tags, ...tags)
  );
}

/** How an invocation stands: over, taken over by somebody, kept quiet, or calling. */
export function alertState(invocation: Firing, silences: readonly Quiet[], tags: readonly string[] = []): StateName {
  if (!invocation.active) return invocation.stale ? "gone" : "ok";
  if (invocation.acknowledged) return "ack";
  const isQuiet = silences.some((silence) => silence.in_force && isAbout(silence, invocation, tags));
  return isQuiet || invocation.untold ? "hush" : "crit";
}

interface Heard {
  readonly actions?: readonly { readonly type: string }[] | undefined;
  readonly suppressed?: readonly unknown[] | undefined;
  readonly untold?: unknown;
  readonly acknowledged?: unknown;
}

/** Nobody was addressed, and nothing was kept back either. A snapshot tells nobody. */
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

/** The bound that an expression compares a monitor with: the line in its chart. */
export function limitIn(expression: string, monitor: string): number | undefined {
  const name = monitor.replace(/[^\w]/g, "");
  const after = new RegExp(`monitors\\.${name}\\s*[<>]=?\\s*(-?\\d+(?:\\.\\d+)?)(?!\\s*[\\w.*/+-])`).exec(expression);
  const before = new RegExp(`(-?\\d+(?:\\.\\d+)?)\\s*[<>]=?\\s*monitors\\.${name}\\b`).exec(expression);
  const found = after?.[1] ?? before?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The monitor that an alert is about: the one that is named, else the first that the expression reads. */
export const monitorIn = (expression: string, named: unknown): string | undefined =>
  typeof named === "string" && named ? named : /\bmonitors\.(\w+)/.exec(expression)?.[1];
