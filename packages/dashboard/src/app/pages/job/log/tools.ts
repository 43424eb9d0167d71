import { effect } from "@preact/signals";
import { place, setQuery } from "../../../router/router.ts";
import type { LogBuffer } from "./buffer.ts";
import { createFinder, type Finder } from "./finder.ts";
import type { JobLog } from "./job-log.ts";
import type { Picked } from "./screen/paint.ts";
import { LogScreen } from "./screen/screen.ts";
import { neighbour } from "./search.ts";

/** What the toolbar and the keyboard shortcuts can do with a log. */
export interface LogTools {
  readonly screen: LogScreen;
  readonly finder: Finder;
  readonly buffer: () => LogBuffer;
  /** Puts a line into the address; with `isTo` as the end of a range. */
  pick(line: number, isTo: boolean): void;
  /** Goes to the next or previous match. */
  step(direction: 1 | -1): void;
  /** Goes to the next or previous error or warning. */
  stepMark(direction: 1 | -1): void;
  /**
   * Puts the current line into the address: the current match, else the last visited mark if visible, else the top
   * line. With `isTo` as the end of a range.
   */
  pickHere(isTo: boolean): void;
  stop(): void;
}

/** Parses `#L120` or `#L120-L140`, where lines count from 1. */
function pickedOf(hash: string): Picked | undefined {
  const [, first, last = first] = /^L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash) ?? [];
  if (first === undefined) return undefined;
  const [from, to] = [Number(first) - 1, Number(last) - 1];
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

function pick(line: number, isTo: boolean): void {
  const before = pickedOf(place.peek().hash);
  const from = isTo && before ? before.from + 1 : line + 1;
  location.hash = from === line + 1 ? `L${from}` : `L${from}-L${line + 1}`;
}

/**
 * Connects the log, the search and the screen. Follows the end of a live log; a failed job's log starts at its first
 * error. A line in the address takes precedence over both.
 */
export function createTools(log: JobLog, { isLive, hasFailed }: { isLive: boolean; hasFailed: boolean }): LogTools {
  const screen = new LogScreen();
  const finder = createFinder();
  const start = pickedOf(place.peek().hash);
  if (start) screen.toLine(start.from);
  else screen.isFollowing.value = isLive;
  let hasBegun = start !== undefined || isLive;
  const onText = effect(() => {
    log.version.value;
    const buffer = log.buffer.value;
    screen.show(buffer);
    if (finder.needle.peek()) finder.goOn();
    if (hasBegun || log.isLoading.value) return;
    hasBegun = true;
    const [error] = buffer.marked.err;
    if (hasFailed && error !== undefined) screen.toLine(error);
  });
  const onAddress = followAddress(log, screen, finder);
  const onMarks = effect(() => {
    screen.mark(finder.needle.value, pickedOf(place.value.hash), finder.current.value);
  });
  return {
    screen,
    finder,
    pick,
    buffer: () => log.buffer.peek(),
    ...markTools(log, screen, finder),
    step(direction) {
      const line = finder.step(direction, screen.topLine());
      if (line !== undefined) screen.toLine(line);
    },
    stop() {
      for (const end of [onText, onAddress, onMarks]) end();
      finder.stop();
    },
  };
}

/** Keyboard access to errors and warnings, and to links to lines. */
function markTools(log: JobLog, screen: LogScreen, finder: Finder): Pick<LogTools, "stepMark" | "pickHere"> {
  let visited = -1;
  return {
    stepMark(direction) {
      const { err, warn } = log.buffer.peek().marked;
      const marked = [...err, ...warn].sort((left, right) => left - right);
      const line = neighbour(marked, screen.shows(visited) ? visited : screen.topLine() - 1, direction);
      if (line === undefined) return;
      visited = line;
      screen.toLine(line);
    },
    pickHere(isTo) {
      const found = finder.current.peek();
      pick(found >= 0 ? found : screen.shows(visited) ? visited : screen.topLine(), isTo);
    },
  };
}

export const toggle = (name: "wrap" | "full"): void =>
  setQuery({ [name]: place.peek().query[name] === "1" ? undefined : "1" });

/** Keeps wrapping, search and selection in sync with the address. Returns a function that stops it. */
function followAddress(log: JobLog, screen: LogScreen, finder: Finder): () => void {
  let wanted = "";
  return effect(() => {
    const { query, hash } = place.value;
    const buffer = log.buffer.value;
    screen.wrap(query["wrap"] === "1");
    finder.search(query["q"] ?? "", buffer);
    const picked = pickedOf(hash);
    if (picked && wanted !== hash) screen.toLine(picked.from);
    wanted = hash;
  });
}
