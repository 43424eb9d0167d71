import { isRecord } from "../../data/records/is-record.ts";

type Members = Readonly<Record<string, unknown>>;

/** The record that a row contains, and the row's member that contains it. */
export interface Told {
  readonly member: string;
  /** Undefined if the row's value is not a record with an id, such as the names of settings. */
  readonly id: string | undefined;
  readonly value: Members;
}

/** Members that every row has. */
const COMMON: ReadonlySet<string> = new Set(["headers", "ips", "keywords", "cause"]);

/** Returns the changed record in a row, or undefined if the row contains none. */
export function recordOf(row: Members): Told | undefined {
  for (const [member, value] of Object.entries(row)) {
    if (COMMON.has(member) || !isRecord(value)) continue;
    const id = value["id"] ?? value["username"];
    return { member, value, id: typeof id === "string" ? id : undefined };
  }
  return undefined;
}

/**
 * True for a whole record, or for values of something without an id. A row that only names its record, as one about a comment or a
 * login does, tells nothing about its other members.
 */
export const isState = ({ id, value }: Told): boolean => id === undefined || Object.hasOwn(value, "modified");

/** Pages of records, by the member of a row that contains one. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ...["tag", "ticket", "event", "secret", "channel", "plugin", "bucket", "group", "server", "check", "heartbeat"].map(
    (member) => [member, `/${member}s`] as const,
  ),
  ["category", "/categories"],
  ["web_hook", "/web-hooks"],
  ["user", "/people"],
  ["role", "/people/roles"],
  ["api_key", "/people/keys"],
  ["route", "/notices/routes"],
  ["receiver", "/notices/receivers"],
  ["rota", "/notices/rotas"],
]);

/** The page of the record in a row; undefined if it has none, or was deleted by the action of the row. */
export function pathOf(row: Members): string | undefined {
  const { member = "", id } = recordOf(row) ?? {};
  const action = String(row["action"]);
  // A rule of alerts and a firing are told apart by the action alone.
  const isRule = /^alert_(?:create|update)$/.test(action);
  const page = member === "alert" ? (isRule ? "/alert-rules" : "/alerts") : PAGES.get(member);
  return page && id && !/_delete(?:_|$)/.test(action) ? `${page}/${encodeURIComponent(id)}` : undefined;
}
