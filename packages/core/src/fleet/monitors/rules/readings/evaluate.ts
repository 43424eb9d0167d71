import type { CompiledRegex } from "../../../../expressions/index.ts";
import { toText } from "../../../../expressions/text-formats.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import type { Monitor } from "../../model.ts";
import { type Parse, valueIn } from "./coerce.ts";
import { deltaOf } from "./delta.ts";

type Data = Readonly<Record<string, unknown>>;

/** A compiled definition. */
export interface CompiledMonitor {
  readonly monitor: Monitor;
  /** Throws errors of the expression. */
  readonly read: (data: Data) => unknown;
  /** Undefined = the definition has no pattern. */
  readonly match: Pick<CompiledRegex, "exec"> | undefined;
  readonly parse: Parse;
  /** True = deltas and averages are floored. */
  readonly whole: boolean;
}

/** Values of the previous minute, for computing deltas. */
export interface PreviousMinute {
  /** Unix seconds. */
  readonly date: number;
  readonly monitors: Readonly<Record<string, unknown>>;
}

export interface MinuteInput {
  readonly data: Data;
  /** Unix seconds, by this node's clock. */
  readonly date: number;
  readonly groups: readonly string[];
  readonly previous: PreviousMinute | undefined;
  /** True once the time allowed for this server's minute is used up. */
  readonly isOver: () => boolean;
}

/** Values of one minute, and the context for alert expressions. */
export interface MinuteReadings {
  readonly monitors: Readonly<Record<string, number>>;
  readonly deltas: Readonly<Record<string, number>>;
  /** Ids of monitors whose source yielded nothing; their value is 0. */
  readonly missing: readonly string[];
  readonly context: Data;
}

/** True when a server with these groups is in the scope; an empty scope includes every server. */
export const isInScope = (scope: readonly string[] | null | undefined, groups: readonly string[]): boolean =>
  !scope || scope.length === 0 || scope.some((id) => groups.includes(id));

/**
 * Evaluates the monitors of a server in order (docs/contract/monitors.md#evaluation); later sources can read the values
 * of earlier ones.
 */
export function evaluateMonitors(compiled: readonly CompiledMonitor[], input: MinuteInput): MinuteReadings {
  const monitors: Record<string, number> = {};
  const deltas: Record<string, number> = {};
  const missing: string[] = [];
  const context: Data = { ...aliasesOf(input.data), ...input.data, monitors, deltas, missing };
  for (const each of compiled) {
    const { monitor } = each;
    if (!monitor.enabled || !isInScope(monitor.groups, input.groups)) continue;
    const reading = input.isOver() ? undefined : readMonitor(each, context);
    const value = reading ?? 0;
    if (reading === undefined) missing.push(monitor.id);
    monitors[monitor.id] = value;
    if (monitor.delta) deltas[monitor.id] = deltaSince(each, value, input);
  }
  return { monitors, deltas, missing, context };
}

/**
 * Evaluates one monitor on one sample; undefined when the source throws or yields nothing, or the pattern does not
 * match.
 */
function readMonitor({ monitor, read, match, parse }: CompiledMonitor, context: Data): number | undefined {
  let value: unknown;
  try {
    value = read(context);
  } catch {
    // A missing path, or an exceeded limit: by the contract the value is 0, and the id is listed as missing.
    return undefined;
  }
  const isAbsent = value === undefined || value === null;
  if (match) {
    const found = match.exec(toText(value));
    if (!found || isAbsent) return undefined;
    value = valueIn(found);
  } else if (isAbsent) return undefined;
  return scale(parse(value) ?? 0, monitor);
}

function scale(value: number, { multiply, divide }: Monitor): number {
  const scaled = multiply ? value * multiply : divide ? value / divide : value;
  return Number.isFinite(scaled) ? scaled : 0;
}

function deltaSince({ monitor, whole }: CompiledMonitor, value: number, { date, previous }: MinuteInput): number {
  const old = previous?.monitors[monitor.id];
  return deltaOf(monitor, {
    value,
    old: typeof old === "number" ? old : undefined,
    oldDate: previous?.date,
    date,
    whole,
  });
}

/** Aliases of members, for names that the agent did not send itself (docs/contract/expressions.md#minute-data). */
export function aliasesOf(data: Data): Data {
  const { memory, mounts, stats } = data;
  return { mem: memory, disk: mounts, net: isObject(stats) ? stats["network"] : undefined };
}
