import { isRecord } from "../../data/records/is-record.ts";

type Members = Readonly<Record<string, unknown>>;

/** The record of a row, and the member that it stands under. */
export interface Told {
  readonly member: string;
  /** Absent of rows that hold no record of their own, such as the names of settings. */
  readonly id: string | undefined;
  readonly value: Members;
}

/** Members that every row has. */
const COMMON: ReadonlySet<string> = new Set(["headers", "ips", "keywords", "cause"]);

/** The changed record in a row; undefined for rows about none. */
export function recordOf(row: Members): Told | undefined {
  for (const [member, value] of Object.entries(row)) {
    if (COMMON.has(member) || !isRecord(value)) continue;
    const id = value["id"] ?? value["username"];
    return { member, value, id: typeof id === "string" ? id : undefined };
  }
  return undefined;
}
