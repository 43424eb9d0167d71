import type { CompiledRegex } from "../../../../expressions/index.ts";
import { toText } from "../../../../expressions/text-formats.ts";
import type { QuickColumns, QuickSample } from "../../model.ts";
import { floorTo, isWhole, valueIn } from "./coerce.ts";
import { type DeltaRule, deltaOf } from "./delta.ts";

type Data = Readonly<Record<string, unknown>>;

/** A compiled quick monitor of the configuration (docs/contract/monitors.md#quick-monitors). */
export interface CompiledQuick {
  readonly definition: DeltaRule & { readonly id: string; readonly type: string; readonly delta?: boolean | undefined };
  /** Throws errors of the expression. */
  readonly read: (data: Data) => unknown;
  readonly match: Pick<CompiledRegex, "exec"> | undefined;
}

/** Evaluates the quick monitors on one second of a server; a reading that fails is 0. */
export function quickSample(compiled: readonly CompiledQuick[], data: Data, date: number): QuickSample {
  const values = compiled.map((each): [string, number] => [each.definition.id, readQuick(each, data)]);
  return Object.fromEntries([...values, ["date", date]]) as QuickSample;
}

function readQuick({ definition, read, match }: CompiledQuick, data: Data): number {
  let value: unknown;
  try {
    value = read(data);
  } catch {
    return 0;
  }
  if (match) {
    const found = match.exec(toText(value));
    value = found ? valueIn(found) : 0;
  }
  const number = typeof value === "number" ? value : Number.parseFloat(toText(value));
  const floored = definition.type === "float" ? floorTo(number, 2) : Math.floor(number);
  return Number.isFinite(floored) && floored !== 0 ? floored : 0;
}

/** Appends a sample. Two samples of the same second are both kept; a late one is dropped. Undefined = dropped. */
export function appendSample(
  samples: readonly QuickSample[],
  sample: QuickSample,
  max: number,
): readonly QuickSample[] | undefined {
  const last = samples.at(-1);
  if (last && last.date > sample.date) return undefined;
  const next = last?.date === sample.date ? { ...sample, date: sample.date + 1 } : sample;
  return samples.slice(Math.max(0, samples.length + 1 - max)).concat(next);
}

export interface QuickValue {
  readonly id: string;
  readonly value: number;
  /** Unix seconds. */
  readonly date: number;
}

/** The newest value of each definition, in their order; for a counter the rate between the two newest samples. */
export function quickValues(
  definitions: readonly CompiledQuick["definition"][],
  samples: readonly QuickSample[],
): QuickValue[] {
  const newest = samples.at(-1);
  if (!newest) return [];
  const before = samples.at(-2);
  return definitions.map((definition) => {
    const value = newest[definition.id] ?? 0;
    const { date } = newest;
    if (!definition.delta) return { id: definition.id, value, date };
    const old = { old: before?.[definition.id], oldDate: before?.date };
    return {
      id: definition.id,
      value: deltaOf(definition, { value, ...old, date, whole: isWhole(definition.type) }),
      date,
    };
  });
}

/**
 * Values of the newest second, as one column per quick monitor, for the wanted monitors or all; null for a server
 * without samples.
 */
export function quickColumns(
  definitions: readonly CompiledQuick["definition"][],
  rings: readonly (readonly [string, readonly QuickSample[]])[],
  wanted?: readonly string[],
): QuickColumns {
  const shown = wanted ? definitions.filter(({ id }) => wanted.includes(id)) : definitions;
  const rows = rings.map(([, samples]) => quickValues(shown, samples));
  return {
    servers: rings.map(([server]) => server),
    monitors: Object.fromEntries(shown.map(({ id }, at) => [id, rows.map((values) => values[at]?.value ?? null)])),
  };
}
