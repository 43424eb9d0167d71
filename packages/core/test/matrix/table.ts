import { ROWS as desk } from "./rows/desk.ts";
import { ROWS as directory } from "./rows/directory.ts";
import { ROWS as fleet } from "./rows/fleet.ts";
import { ROWS as work } from "./rows/work.ts";

/**
 * Access to every operation, written down by hand from the contract (docs/contract/privileges.md#who-may-do-what), so
 * that the matrix compares the engine with a source of its own.
 *
 * Columns: operation; access (a privilege id, or one of the kinds below); the limit for callers of another category;
 * for one of another group. Operations that are not built yet have their row already.
 *
 * Kinds of access:
 * - anyone: needs no credential and looks at none
 * - unchecked: looks at the credentials itself (login, logout, resume, files)
 * - token: a token in the parameters stands in for a credential
 * - credential: any known caller
 * - session: a signed-in user; keys are refused
 *
 * Limits:
 * - "": none
 * - C, G: the category or group id is named in the refusal; C* and G*: all of them are asked for
 * - T: the refusal names targets; S: it names the server
 * - GL: group-limited callers may not manage monitors or alerts (code `alert`), receivers or routes
 * - F: rows are left out without a word; F*: all of them, with any limit
 * - U: for unrestricted callers only
 */
export const LIMITS = ["", "C", "C*", "G", "G*", "T", "S", "GL", "F", "F*", "U"] as const;
export type Limit = (typeof LIMITS)[number];

export interface Row {
  readonly operation: string;
  readonly access: string;
  readonly category: Limit;
  readonly group: Limit;
}

const ROWS = [directory, fleet, work, desk].join("\n");

/** Throws `Error` for a line that is not a row, and for a second row of an operation. */
export function readTable(text: string = ROWS): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [operation = "", access = "", category, group, ...rest] = line.trim().split(/\s+/);
    if (group === undefined || rest.length > 0) throw new Error(`Not a row: ${line}`);
    if (rows.has(operation)) throw new Error(`A second row for ${operation}`);
    rows.set(operation, { operation, access, category: limitOf(category), group: limitOf(group) });
  }
  return rows;
}

function limitOf(text: string | undefined): Limit {
  const limit = LIMITS.find((each) => each === (text === "-" ? "" : text));
  if (limit === undefined) throw new Error(`Not a limit: ${String(text)}`);
  return limit;
}
