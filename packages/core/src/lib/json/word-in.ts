/** A text member of an unchecked record, such as jobs send; empty for other values. */
export function wordIn(record: Readonly<Record<string, unknown>>, member: string): string {
  const word = record[member];
  return typeof word === "string" ? word : "";
}
