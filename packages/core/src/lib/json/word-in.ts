/** A text member of an unchecked record, as jobs push them; empty for other values. */
export function wordIn(record: Readonly<Record<string, unknown>>, member: string): string {
  const word = record[member];
  return typeof word === "string" ? word : "";
}
