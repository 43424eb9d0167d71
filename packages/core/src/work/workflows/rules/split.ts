import type { ControllerData, Payload } from "../model.ts";

type Evaluate = (expression: string, more: Readonly<Record<string, unknown>>) => unknown;

/**
 * Inputs of the jobs that a split starts; none where its expressions say nothing of use
 * (docs/contract/workflows.md#split).
 */
export function splitItems(data: ControllerData, input: Payload, evaluate: Evaluate): readonly Payload[] {
  const expression = String(data.split ?? "").trim();
  try {
    const items = listOf(evaluate(expression, {}));
    const kept = data.filter ? items.filter((item, index) => evaluate(String(data.filter), { item, index })) : items;
    return chunked(kept, Number(data.chunk ?? 1)).map((group) => inputOf(expression, input, group));
  } catch {
    return [];
  }
}

/** Lines of a text; anything but a list is nothing. */
function listOf(value: unknown): readonly unknown[] {
  const found = typeof value === "string" ? value.trim().split(/\r?\n/) : value;
  return Array.isArray(found) && !(typeof value === "string" && value.trim() === "") ? found : [];
}

interface Group {
  readonly items: readonly unknown[];
  readonly isChunk: boolean;
}

/** Groups of so many items one after another, the last one shorter; one by one without a size. */
function chunked(items: readonly unknown[], size: number): Group[] {
  const step = size > 1 ? Math.floor(size) : 1;
  const isChunk = step > 1;
  return Array.from({ length: Math.ceil(items.length / step) }, (_, index) => ({
    items: items.slice(index * step, (index + 1) * step),
    isChunk,
  }));
}

/** Of files each job gets its own as input files; of anything else, as data. */
function inputOf(expression: string, { data, files }: Payload, { items, isChunk }: Group): Payload {
  if (expression === "files") return { ...(data ? { data } : {}), files: items };
  return { data: isChunk ? { items } : { item: items[0] }, ...(files ? { files } : {}) };
}
