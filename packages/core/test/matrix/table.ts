import { ROWS as desk } from "./rows/desk.ts";
import { ROWS as directory } from "./rows/directory.ts";
import { ROWS as fleet } from "./rows/fleet.ts";
import { ROWS as work } from "./rows/work.ts";

/**
 * Access to every operation, transcribed from the contract (docs/contract/privileges.md#who-may-do-what), so that the matrix
 * compares the engine with an independent source.
 *
 * Columns: operation; access (a privilege id, or one of the kinds below); the limit for callers of another category; for one of
 * another group. Operations that do not exist yet already have a row.
 *
 * Kinds of access:
 * - anyone: needs no credential and ignores any
 * - unchecked: checks the credentials itself (login, logout, resume, files)
 * - token: a token in the parameters replaces a credential
 * - credential: any known caller
 * - session: a signed-in user; keys are refused
 *
 * Limits:
 * - "": none
 * - C, G: the refusal names the category or group id; C* and G*: the operation needs access to all of them
 * - T: the refusal names targets; S: it names the server
 * - GL: group-limited callers may not manage monitors or alerts (code `alert`), receivers or routes
 * - F: rows are silently left out; F*: all rows, for callers with any limit
 * - U: only for unrestricted callers
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

/** Throws `Error` for a line that is not a row, and for a second row of the same operation. */
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
