/** A text member of a record that nobody has checked, as jobs push them; anything but a text names nothing. */
export function wordIn(record: Readonly<Record<string, unknown>>, member: string): string {
  const word = record[member];
  return typeof word === "string" ? word : "";
}
