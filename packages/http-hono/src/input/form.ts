import { InputError } from "@signalbox/core/plugin";
import { tooLarge } from "../body/body.ts";
import { parseJsonObject } from "../json/json.ts";
import { leadingTexts } from "../json/leading-texts.ts";
import type { ParsingTurns } from "../json/parsing-turns.ts";
import type { Limits } from "../settings.ts";

export const malformed = (cause?: unknown): InputError => new InputError("Malformed request body.", { cause });

/** Collects the text fields of a form under its bounds: one value is text, several are an array. */
export interface FieldCollector {
  /** Throws `InputError` when a bound is passed. */
  add(name: string, value: string): void;
  /** The fields, with the one named "json" merged over the rest. Throws `InputError` when that does not parse. */
  members(): Promise<Record<string, unknown>>;
  /** The fields so far, with the texts at the top of the one named "json" over the rest: they may name the sender. */
  readonly sent: Readonly<Record<string, unknown>>;
}

export function collectFields({ fields: maxFields, jsonBytes }: Limits, turns: ParsingTurns): FieldCollector {
  const fields = Object.create(null) as Record<string, string | string[]>;
  let count = 0;
  let size = 0;
  let texts: Readonly<Record<string, unknown>> | undefined;
  return {
    add(name, value) {
      size += name.length + value.length;
      if (size > jsonBytes) throw tooLarge();
      if (++count > maxFields) throw malformed();
      const known = fields[name];
      if (known === undefined) fields[name] = value;
      else if (Array.isArray(known)) known.push(value);
      else fields[name] = [known, value];
    },
    async members() {
      const { json, ...rest } = fields;
      if (json === undefined) return { ...fields };
      return { ...rest, ...(await parseJsonObject(firstOf(json), turns)) };
    },
    get sent() {
      const { json } = fields;
      if (json === undefined) return fields;
      // Read once: the sender is looked for at each file.
      texts ??= leadingTexts(firstOf(json));
      return { ...fields, ...texts };
    },
  };
}

const firstOf = (json: string | readonly string[]): string => (typeof json === "string" ? json : (json[0] ?? ""));
