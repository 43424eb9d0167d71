import { isObject } from "../../../../lib/json/is-object.ts";
import { parsedJson } from "../../../../lib/json/parsed-json.ts";

/** The result that an action plugin reports in the last line of its output. */
export interface ActionReport {
  readonly code?: number | string;
  readonly description?: string;
  readonly details?: string;
}

/** The parsed output: its report, or that the last line is broken JSON. Without a report the exit decides. */
export interface ActionOutput {
  readonly report?: ActionReport;
  readonly isBroken: boolean;
  /** The output without the report. */
  readonly text: string;
}

/**
 * Parses the output. The last line is a report when it is an object with the member `xy`
 * (docs/contract/plugins.md#action-plugins).
 */
export function readActionOutput(stdout: string): ActionOutput {
  const text = stdout.trimEnd();
  const start = text.lastIndexOf("\n") + 1;
  const line = text.slice(start).trim();
  if (!line.startsWith("{")) return { isBroken: false, text };
  const parsed = parsedJson(line);
  if (parsed === undefined) return { isBroken: true, text };
  if (!isObject(parsed) || !parsed["xy"]) return { isBroken: false, text };
  return { isBroken: false, text: text.slice(0, start).trimEnd(), report: reportOf(parsed) };
}

function reportOf({ code, description, details }: Readonly<Record<string, unknown>>): ActionReport {
  return {
    ...(isCode(code) ? { code } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof details === "string" ? { details } : {}),
  };
}

const isCode = (code: unknown): code is number | string =>
  (typeof code === "number" && Number.isFinite(code)) || (typeof code === "string" && code !== "");
