import { numbersOf, stepOf, type Trigger } from "./words.ts";

/** Fields of a pattern in cron's order, with their bounds. */
const FIELDS = [
  ["minutes", 0, 59],
  ["hours", 0, 23],
  ["days", 1, 31],
  ["months", 1, 12],
  ["weekdays", 0, 7],
] as const;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Parses one piece of a part: a number, a range or a star, with or without a step. */
function readPiece(piece: string, least: number, most: number): Span | undefined {
  const [, all, first, last, step] = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(piece) ?? [];
  if (all === undefined && first === undefined) return undefined;
  const end = last ?? (step === undefined ? first : undefined);
  const span = { from: Number(first ?? least), to: Number(end ?? most), step: Number(step ?? 1) };
  const isInside = span.from >= least && span.to <= most && span.from <= span.to && span.step > 0;
  return isInside ? span : undefined;
}

/** Values of one part, whose pieces are separated by commas; empty for all, undefined for a malformed part. */
function readPart(text: string, least: number, most: number): readonly number[] | undefined {
  if (text === "*") return [];
  const spans = text.split(",").map((piece) => readPiece(piece, least, most));
  const values = spans.flatMap((span) => (span ? valuesOf(span) : []));
  return spans.includes(undefined) ? undefined : [...new Set(values)].sort((left, right) => left - right);
}

const valuesOf = ({ from, to, step }: Span): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

/** Lists of a pattern from cron text; undefined for malformed text. Sunday is 0 or 7. */
export function fromCron(text: string): Readonly<Record<string, readonly number[]>> | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) return undefined;
  const lists = FIELDS.map(([name, least, most], at) => [name, readPart(parts[at] ?? "", least, most)] as const);
  if (lists.some(([, values]) => values === undefined)) return undefined;
  const read = Object.fromEntries(lists) as Record<string, readonly number[]>;
  const weekdays = new Set((read["weekdays"] ?? []).map((day) => day % 7));
  return { ...read, weekdays: [...weekdays].sort((left, right) => left - right) };
}

function writePart(values: readonly number[], least: number, most: number): string {
  if (values.length === 0) return "*";
  const step = least === 0 ? stepOf(values, most + 1) : undefined;
  if (step !== undefined && step > 1 && values[0] === 0) return `*/${step}`;
  const isRow = values.length > 2 && values.every((value, at) => value === (values[0] ?? 0) + at);
  return isRow ? `${values[0]}-${values.at(-1)}` : values.join(",");
}

/** A pattern as cron text; undefined for what cron cannot express: years, days from the end of the month. */
export function toCron(trigger: Trigger): string | undefined {
  if (numbersOf(trigger["years"]).length > 0 || numbersOf(trigger["days"]).some((day) => day < 0)) return undefined;
  return FIELDS.map(([name, least, most]) => writePart(numbersOf(trigger[name]), least, most)).join(" ");
}
