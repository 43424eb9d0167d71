/** All texts in a record. The names of its members, numbers and switches would fit words that nobody has written. */
export function textsIn(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value ? Object.values(value).map(textsIn).join(" ") : "";
}
