import { membersOf } from "../../../lib/json/is-object.ts";

type Data = Readonly<Record<string, unknown>>;

/** Data cut to a size, and that size. */
export interface Fitted<T> {
  readonly value: T;
  /** Characters as JSON. */
  readonly size: number;
}

export const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/**
 * Cuts minute data to a size. The tails of the process and connection lists go first, which `truncated` marks.
 * Undefined when the rest is still too large.
 */
export function fitData(data: Data, limit: number): Fitted<Data> | undefined {
  const size = sizeOf(data);
  if (size <= limit) return { value: data, size };
  const { conns, processes, ...rest } = data;
  const members = membersOf(processes);
  const { list } = members;
  const bare = { ...rest, processes: { ...members, list: [] }, conns: [], truncated: true };
  const room = limit - sizeOf(bare);
  if (room < 0) return undefined;
  const keptProcesses = fitList(list, room / 2);
  const keptConns = fitList(conns, room - keptProcesses.size);
  return {
    value: { ...bare, processes: { ...members, list: keptProcesses.value }, conns: keptConns.value },
    size: limit - room + keptProcesses.size + keptConns.size,
  };
}

function fitList(list: unknown, room: number): Fitted<readonly unknown[]> {
  const kept: unknown[] = [];
  let size = 0;
  for (const item of Array.isArray(list) ? list : []) {
    const next = size + sizeOf(item) + 1;
    if (next > room) break;
    size = next;
    kept.push(item);
  }
  return { value: kept, size };
}

/** The newest samples that fit. */
export function fitSamples<T>(samples: readonly T[], room: number): Fitted<readonly T[]> {
  let size = 2;
  let first = samples.length;
  while (first > 0) {
    const next = size + sizeOf(samples[first - 1]) + 1;
    if (next > room) break;
    size = next;
    first -= 1;
  }
  return { value: samples.slice(first), size };
}
