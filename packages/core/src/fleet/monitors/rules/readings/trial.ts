import { toText } from "../../../../expressions/text-formats.ts";
import { valueIn } from "./coerce.ts";
import { aliasesOf, type CompiledMonitor } from "./evaluate.ts";

/** The parts of a definition that a trial uses; no delta, no scaling (docs/contract/monitors.md#trial). */
export type Trial = Pick<CompiledMonitor, "read" | "match" | "parse">;

export type TrialResult =
  | { readonly value: number }
  /** The source threw or yielded nothing. */
  | { readonly fault: "source" }
  | { readonly fault: "pattern" };

/** Evaluates a server's last minute as a monitor would. A null is 0, since it is no failure. */
export function runTrial({ read, match, parse }: Trial, data: Readonly<Record<string, unknown>>): TrialResult {
  let value: unknown;
  try {
    value = read({ ...aliasesOf(data), ...data });
  } catch {
    // A missing path, or an exceeded limit: reported like a missing value.
    return { fault: "source" };
  }
  if (value === undefined) return { fault: "source" };
  if (!match) return { value: parse(value) ?? 0 };
  const found = match.exec(toText(value));
  return found ? { value: parse(valueIn(found)) ?? 0 } : { fault: "pattern" };
}
