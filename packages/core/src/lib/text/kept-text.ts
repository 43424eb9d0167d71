import { freezeDeep } from "../json/freeze-deep.ts";

/** Serialised at the first use, "" until then; each entry is freed with its record. */
const texts = new WeakMap<object, string>();

/** Freezes a record, so that its JSON text can be cached. */
export function freezeKept<T extends object>(record: T): T {
  texts.set(freezeDeep(record), "");
  return record;
}

/** The JSON text of a record frozen by `freezeKept`, serialised once; undefined for all other values. */
export function keptText(record: unknown): string | undefined {
  const known = texts.get(record as object);
  if (known !== "") return known;
  const text = JSON.stringify(record);
  texts.set(record as object, text);
  return text;
}
