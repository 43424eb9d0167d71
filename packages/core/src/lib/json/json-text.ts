import { isObject } from "./is-object.ts";

/** A value whose JSON text alone is known, and is written as it stands. */
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
