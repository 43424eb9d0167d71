import { type Unit, unitText } from "../../parts/plot/unit.ts";

interface Process {
  readonly command: string;
}

export interface Moment {
  readonly monitors?: Readonly<Record<string, number>>;
  readonly processes?: { readonly list?: readonly Process[] };
}

export interface Change {
  readonly id: string;
  readonly first: number | undefined;
  readonly second: number | undefined;
}

/** Readings that differ, in the order of the monitors. */
export function changedReadings(first: Moment, second: Moment, monitors: readonly string[]): Change[] {
  return monitors
    .map((id) => ({ id, first: first.monitors?.[id], second: second.monitors?.[id] }))
    .filter((change) => change.first !== change.second);
}

/** The change with its sign. Between two percentages it is in percentage points, which `points` names: "+4 %" would be a share. */
export function changeText(from: number, to: number, unit: Unit, points: string): string {
  const suffix = unit.suffix?.trim() === "%" ? points : unit.suffix;
  return `${to > from ? "+" : "−"}${unitText(Math.abs(to - from), { ...unit, suffix })}`;
}

export interface Counted {
  readonly command: string;
  readonly count: number;
}

const countsOf = ({ processes }: Moment): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { command } of processes?.list ?? []) counts.set(command, (counts.get(command) ?? 0) + 1);
  return counts;
};

/** Commands with more processes at the second moment than at the first. */
export function appeared(first: Moment, second: Moment): Counted[] {
  const before = countsOf(first);
  return [...countsOf(second)]
    .map(([command, count]) => ({ command, count: count - (before.get(command) ?? 0) }))
    .filter(({ count }) => count > 0);
}
