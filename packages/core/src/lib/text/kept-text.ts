import { freezeDeep } from "../json/freeze-deep.ts";

/** Made when they are first asked for, "" until then; each goes with its record. */
const texts = new WeakMap<object, string>();

/** Freezes a record, so that its JSON text can be kept. */
export function freezeKept<T extends object>(record: T): T {
  texts.set(freezeDeep(record), "");
  return record;
}

/** The JSON text of a record that was frozen for it, written once; undefined for all else. */
export function keptText(record: unknown): string | undefined {
  const known = texts.get(record as object);
  if (known !== "") return known;
  const text = JSON.stringify(record);
  texts.set(record as object, text);
  return text;
}
