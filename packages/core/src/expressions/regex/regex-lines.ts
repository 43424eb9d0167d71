import { createContext, Script } from "node:vm";
import { isTimeout, parsePattern, withProcessor } from "./regex.ts";

/** Returns the lines that contain the pattern. Throws `Error` when the search takes too long. */
export type LineFilter = (lines: readonly string[]) => string[];

/**
 * Milliseconds of processor time for a batch of lines, during which the event loop is blocked. The time is measured in steps of
 * up to 4 ms: one step used half of a limit of 8, and on a busy machine searches for plain words timed out.
 */
const BUNCH_MS = 20;

const script = new Script("lines.filter((line) => regex.test(line))");

/**
 * Compiles a user's pattern for one search through much text. A batch of lines is one interruptible script, since starting one
 * costs more than checking a hundred lines. Throws as `compileRegex` does.
 */
export function compileLineFilter(pattern: string, { ignoreCase = false } = {}): LineFilter {
  const regex = parsePattern(pattern, ignoreCase ? "i" : "");
  const scope: { regex: RegExp; lines: readonly string[] } = { regex, lines: [] };
  const context = createContext(scope);
  return (lines) => {
    scope.lines = lines;
    try {
      const found = withProcessor(BUNCH_MS, (timeout) => script.runInContext(context, { timeout }) as string[]);
      // Copies the result into an array of this realm.
      return [...found];
    } catch (error) {
      if (isTimeout(error)) throw new Error("Regular expression takes too long", { cause: error });
      throw error;
    } finally {
      scope.lines = [];
    }
  };
}
