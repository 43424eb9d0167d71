import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { LogBuffer } from "./buffer.ts";
import { LogSearch, type Needle, needleOf, neighbour, placeIn } from "./search.ts";

/** Time limit for one turn of a search. */
const TURN_MS = 8;

/** The viewer's search in a log, and its matches. */
export interface Finder {
  readonly needle: ReadonlySignal<Needle>;
  /** Why the pattern is invalid. */
  readonly fault: ReadonlySignal<string | undefined>;
  /** Number of matching lines, and which of them is the current one, from 1; 0 = none yet. */
  readonly count: ReadonlySignal<number>;
  readonly place: ReadonlySignal<number>;
  /** Line of the current match; −1 = none. */
  readonly current: ReadonlySignal<number>;
  readonly lines: () => readonly number[];
  search(query: string, buffer: LogBuffer): void;
  /** Continues the search when more lines have arrived. */
  goOn(): void;
  /** Makes the next match the current one, and returns its line. Without a current match, starts at line `from`. */
  step(direction: 1 | -1, from: number): number | undefined;
  stop(): void;
}

/** Parses the query. Returns the pattern, or why it is invalid. */
function readNeedle(query: string): [Needle, string | undefined] {
  try {
    return [needleOf(query), undefined];
  } catch (error) {
    return [undefined, (error as Error).message];
  }
}

/** Position of a line in a sorted list, from 1; 0 = not in it. */
function ordinal(lines: readonly number[], line: number): number {
  const at = placeIn(lines, line);
  return lines[at] === line ? at + 1 : 0;
}

export function createFinder(): Finder {
  const needle = signal<Needle>(undefined);
  const fault = signal<string | undefined>(undefined);
  const count = signal(0);
  const current = signal(-1);
  let search: LogSearch | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const found = (): readonly number[] => search?.found ?? [];

  function turn(): void {
    timer = undefined;
    if (!search) return;
    const end = performance.now() + TURN_MS;
    search.step(() => performance.now() > end);
    count.value = search.found.length;
    if (!search.isDone) timer = setTimeout(turn);
  }

  return {
    ...{ needle, fault, count, current, lines: found },
    place: computed(() => ordinal(count.value > 0 ? found() : [], current.value)),
    search(query, buffer) {
      clearTimeout(timer);
      search = undefined;
      current.value = -1;
      count.value = 0;
      [needle.value, fault.value] = readNeedle(query);
      if (needle.value) search = new LogSearch(buffer, needle.value);
      turn();
    },
    goOn: () => {
      timer ??= setTimeout(turn);
    },
    step(direction, from) {
      const line = neighbour(found(), current.peek() === -1 ? from - direction : current.peek(), direction);
      if (line !== undefined) current.value = line;
      return line;
    },
    stop: () => clearTimeout(timer),
  };
}
