import { isObject } from "../../../../lib/json/is-object.ts";
import { parsedJson } from "../../../../lib/json/parsed-json.ts";

/** Bound of the nesting depth of objects and lists in an answer. */
const MAX_DEPTH = 64;

export interface TriggerOutput {
  /** The last line of the output, parsed; null when that fails. */
  readonly data: unknown;
  /** Describes the fault of the output without quoting it. */
  readonly fault?: string;
}

/**
 * Reads the output of a scheduler plugin: its last line is JSON with one answer for each of `count` items
 * (docs/contract/plugins.md#scheduler-plugins).
 */
export function readTriggerOutput(stdout: string, count: number): TriggerOutput {
  const data = parseLastLine(stdout);
  if (data === undefined) return fault("output is not JSON.");
  if (isDeeper(data, MAX_DEPTH)) return fault("output is nested too deeply.");
  return { data, ...faultOf(data, count) };
}

const fault = (text: string) => ({ data: null, fault: `Scheduler Plugin ${text}` });

function faultOf(data: unknown, count: number): { fault?: string } {
  const { xy, items } = isObject(data) ? data : ({} as Record<string, unknown>);
  if (!xy) return { fault: "Scheduler Plugin output lacks the member xy." };
  if (!Array.isArray(items) || items.length === 0) return { fault: "Scheduler Plugin output has no items." };
  if (items.length !== count)
    return { fault: `Scheduler Plugin output has ${items.length} items where ${count} are expected.` };
  const isFit = (items as readonly unknown[]).every((item) => typeof item === "boolean" || isObject(item));
  return isFit ? {} : { fault: "Scheduler Plugin output has an item that is neither a boolean nor an object." };
}

function parseLastLine(stdout: string): unknown {
  const text = stdout.trimEnd();
  return parsedJson(text.slice(text.lastIndexOf("\n") + 1));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
