import { isReservedWord } from "../../../wire/fields/reserved.ts";
import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import type { CreateSecret, Secret, SecretField, SecretTarget, UpdateSecret } from "../model.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_FIELDS = 1000;
/** Names are shown in errors; a text that is no name can be of any length. */
const SHOWN = 256;

/**
 * The fault of the variables, in the contract's words (docs/contract/secrets.md#variables); undefined = nothing.
 */
export function faultOfFields(fields: readonly SecretField[], maxValueSize: number): string | undefined {
  for (const [index, { name, value }] of fields.entries()) {
    const shown = name.slice(0, SHOWN);
    if (!NAME.test(name) || isReservedWord(name)) return `Invalid secret variable name: ${shown}`;
    if (value.includes("\0")) return `Invalid secret variable value: ${shown}`;
    if (index >= MAX_FIELDS || Buffer.byteLength(value) > maxValueSize) return `Secret variable is too large: ${shown}`;
  }
  return undefined;
}

/** Each name once, in its first place. */
export const namesOf = (fields: readonly SecretField[]): string[] => [...new Set(fields.map(({ name }) => name))];

export function newSecret(input: CreateSecret, { id, username, now }: NewStamp): Secret {
  return {
    id,
    title: input.title,
    enabled: input.enabled ?? true,
    icon: input.icon ?? "",
    notes: input.notes ?? "",
    names: namesOf(input.fields ?? []),
    events: input.events ?? [],
    categories: input.categories ?? [],
    plugins: input.plugins ?? [],
    web_hooks: input.web_hooks ?? [],
    ...((input.checks ?? null) === null ? {} : { checks: input.checks }),
    ...((input.mask ?? null) === null ? {} : { mask: input.mask }),
    ...newStamps(username, now),
  };
}

/** The members that an update changes; names follow the variables alone. */
export function changesOf({ id: _id, fields, ...sent }: UpdateSecret): Partial<Secret> {
  return { ...(sent as Partial<Secret>), ...(fields ? { names: namesOf(fields) } : {}) };
}

/** Whether the values of a secret are masked in texts. */
export const isMasked = ({ mask }: Pick<Secret, "mask">): boolean => Boolean(mask ?? true);

export const isAssigned = (secret: Secret, type: SecretTarget, id: string): boolean =>
  Boolean(secret.enabled) && (secret[type] ?? []).includes(id);

/** A title without line breaks, so that one use is one line of the log (docs/contract/secrets.md#log-of-uses). */
export const onOneLine = (text: string): string => text.replace(/[\r\n\v\f\u0085\u2028\u2029]/g, " ");
