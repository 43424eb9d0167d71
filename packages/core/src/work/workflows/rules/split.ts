import type { ControllerData, Payload } from "../model.ts";

type Evaluate = (expression: string, more: Readonly<Record<string, unknown>>) => unknown;

/** Items that are filtered between two yields. */
const FILTERED_IN_A_SLICE = 100;

/**
 * Replacements for members of the input, one set per job of a split; empty when its expressions yield no list
 * (docs/contract/workflows.md#split). Yields regularly to other work.
 */
export function* splitItems(data: ControllerData, evaluate: Evaluate): Generator<undefined, readonly Payload[]> {
  const expression = String(data.split ?? "").trim();
  try {
    const items = listOf(evaluate(expression, {}));
    const kept = data.filter ? yield* filtered(items, String(data.filter), evaluate) : items;
    return chunked(kept, Number(data.chunk ?? 1)).map((group) => inputOf(expression, group));
  } catch {
    return [];
  }
}

function* filtered(items: readonly unknown[], filter: string, evaluate: Evaluate): Generator<undefined, unknown[]> {
  const kept: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (evaluate(filter, { item, index })) kept.push(item);
    if (index % FILTERED_IN_A_SLICE === FILTERED_IN_A_SLICE - 1) yield;
  }
  return kept;
}

/** A list, or the lines of a text; empty for any other value. */
function listOf(value: unknown): readonly unknown[] {
  const found = typeof value === "string" ? value.trim().split(/\r?\n/) : value;
  return Array.isArray(found) && !(typeof value === "string" && value.trim() === "") ? found : [];
}

interface Group {
  readonly items: readonly unknown[];
  readonly isChunk: boolean;
}

/** Consecutive groups of the given size, the last one shorter; groups of one without a size. */
function chunked(items: readonly unknown[], size: number): Group[] {
  const step = size > 1 ? Math.floor(size) : 1;
  const isChunk = step > 1;
  return Array.from({ length: Math.ceil(items.length / step) }, (_, index) => ({
    items: items.slice(index * step, (index + 1) * step),
    isChunk,
  }));
}

/** Input of one job of a split: files become input files, other items data. */
function inputOf(expression: string, { items, isChunk }: Group): Payload {
  if (expression === "files") return { files: items };
  return { data: isChunk ? { items } : { item: items[0] } };
}
