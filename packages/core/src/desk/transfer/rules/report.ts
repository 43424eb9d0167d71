import type { Fault } from "../import/tally.ts";

export interface ImportOutcome {
  readonly filename: string;
  /** Name of the format, for people: "XYBK backup". */
  readonly format: string;
  /** Last line whose records are stored. */
  readonly line: number;
  /** The reason why the import ended before the end of the file; undefined = it did not. */
  readonly broken?: string | undefined;
  readonly taken: ReadonlyMap<string, number>;
  readonly skipped: ReadonlyMap<string, number>;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly notes: readonly string[];
}

/** Report of an import, for people (docs/contract/transfer.md#report). */
export function reportOf(outcome: ImportOutcome): string {
  const { filename, format, line, broken, taken, skipped, faults, faultCount, notes } = outcome;
  const end =
    broken === undefined
      ? `All ${line} lines were read.`
      : `**Not complete**: ${broken} Everything up to line ${line} is stored; nothing was removed.`;
  return [
    `## Import of ${inline(filename)}`,
    `Format: ${format}. ${end}`,
    table("Taken in", taken),
    table("Left out, as nothing here corresponds to it", skipped),
    faultCount === 0 ? "" : faultList(faults, faultCount),
    ...notes,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function table(title: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "";
  return `${title}:\n\n${[...counts].map(([what, count]) => `- ${inline(what)}: ${count}`).join("\n")}`;
}

function faultList(faults: readonly Fault[], count: number): string {
  const first = faults.length < count ? `, the first ${faults.length} of them` : "";
  return `Errors (${count})${first}:\n\n${faults.map(({ line, reason }) => `- line ${line}: ${inline(reason)}`).join("\n")}`;
}

/** Escapes text from a file so that it cannot affect the formatting of a report shown as Markdown. */
const inline = (text: string): string => text.replace(/[\\`*_[\]<>#|]/g, (sign) => `\\${sign}`).replace(/\s+/g, " ");
