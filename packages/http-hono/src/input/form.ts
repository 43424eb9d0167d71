import { InputError } from "@signalbox/core/plugin";
import { tooLarge } from "../body/body.ts";
import { parseJsonObject } from "../json/json.ts";
import { leadingTexts } from "../json/leading-texts.ts";
import type { ParsingTurns } from "../json/parsing-turns.ts";
import type { Limits } from "../settings.ts";

export const malformed = (cause?: unknown): InputError => new InputError("Malformed request body.", { cause });

/** Collects the text fields of a form within its bounds: one value becomes text, several become an array. */
export interface FieldCollector {
  /** Throws `InputError` when a bound is exceeded. */
  add(name: string, value: string): void;
  /** The fields, with the members of the field "json" taking precedence. Throws `InputError` when that field does not parse. */
  members(): Promise<Record<string, unknown>>;
  /** The fields so far, with the top-level texts of the field "json" taking precedence: they may identify the sender. */
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
      // Read only once, although the sender is looked for at each file.
      texts ??= leadingTexts(firstOf(json));
      return { ...fields, ...texts };
    },
  };
}

const firstOf = (json: string | readonly string[]): string => (typeof json === "string" ? json : (json[0] ?? ""));
