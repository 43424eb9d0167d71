import { createContext, Script } from "node:vm";
import { isTimeout, parsePattern, withProcessor } from "./regex.ts";

/** The lines in which the pattern is found. Throws `Error` when looking for it takes too long. */
export type LineFilter = (lines: readonly string[]) => string[];

/**
 * Processor time for a bunch of lines, during which others wait. It is counted in steps of up to 4 ms, so a limit of 8
 * was half spent by one step, and on a busy machine searches for plain words were given up.
 */
const BUNCH_MS = 20;

const script = new Script("lines.filter((line) => regex.test(line))");

/**
 * Compiles a pattern of a user for one search through much text. A bunch of lines is one interruptible script, since
 * beginning one costs more than looking at a hundred lines. Throws as `compileRegex` does.
 */
export function compileLineFilter(pattern: string, { ignoreCase = false } = {}): LineFilter {
  const regex = parsePattern(pattern, ignoreCase ? "i" : "");
  const scope: { regex: RegExp; lines: readonly string[] } = { regex, lines: [] };
  const context = createContext(scope);
  return (lines) => {
    scope.lines = lines;
    try {
      const found = withProcessor(BUNCH_MS, (timeout) => script.runInContext(context, { timeout }) as string[]);
      // An array of this realm.
      return [...found];
    } catch (error) {
      if (isTimeout(error)) throw new Error("Regular expression takes too long", { cause: error });
      throw error;
    } finally {
      scope.lines = [];
    }
  };
}
