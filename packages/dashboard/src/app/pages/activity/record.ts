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
