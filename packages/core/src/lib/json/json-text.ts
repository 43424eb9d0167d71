import { isObject } from "./is-object.ts";

/** A value of which only the JSON text is known, and which is serialised as that text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** JSON text of a value, the same for any order of its members. */
export const orderedText = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  );

/** Most levels of an external value that a record may keep. */
const MAX_DEPTH = 64;

/** JSON of a value; undefined when JSON cannot represent it or it is nested too deeply. */
export function jsonOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? undefined : JSON.stringify(value);
  return isShallow(value, MAX_DEPTH) ? JSON.stringify(value) : undefined;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
