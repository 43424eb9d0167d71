import type { NodeRow } from "../model.ts";

/** A running sub-job. */
export interface RunningPart {
  readonly node: string;
  /** 0 to 1. */
  readonly progress: number;
  /** Percent of one core, and bytes. */
  readonly cpu: number | undefined;
  readonly mem: number | undefined;
}

/** Mean progress of the nodes that have begun: the share of their jobs that is done (docs/contract/workflows.md#tick). */
export function progressOf(rows: ReadonlyMap<string, NodeRow>, running: readonly RunningPart[]): number {
  const begun = [...rows].filter(([, { launched }]) => launched > 0);
  if (begun.length === 0) return 0;
  const under = new Map<string, number>();
  for (const { node, progress } of running) under.set(node, (under.get(node) ?? 0) + progress);
  const shares = begun.map(([node, { launched, ended }]) => Math.min(1, (ended + (under.get(node) ?? 0)) / launched));
  return shares.reduce((sum, share) => sum + share, 0) / begun.length;
}

interface Usage {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly total: number;
  readonly count: number;
}

/** Adds the current sum over all sub-jobs to the readings of a workflow; unchanged when no sub-job has a reading. */
export function addUsage(before: Usage | undefined, readings: readonly (number | undefined)[]) {
  const known = readings.filter((reading) => reading !== undefined);
  if (known.length === 0) return before;
  const current = known.reduce((sum, reading) => sum + reading, 0);
  const { min = current, max = current, total = 0, count = 0 } = before ?? {};
  return {
    min: Math.min(min, current),
    max: Math.max(max, current),
    total: total + current,
    count: count + 1,
    current,
  };
}
