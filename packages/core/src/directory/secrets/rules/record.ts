import { isReservedWord } from "../../../wire/fields/reserved.ts";
import { type NewStamp, newStamps } from "../../../wire/fields/stamps.ts";
import type { CreateSecret, Secret, SecretField, SecretTarget, UpdateSecret } from "../model.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_FIELDS = 1000;
/** Characters of a name that errors show; an invalid name may have any length. */
const SHOWN = 256;

/** Describes the fault of the variables, in the contract's words (docs/contract/secrets.md#variables); undefined = none. */
export function faultOfFields(fields: readonly SecretField[], maxValueSize: number): string | undefined {
  for (const [index, { name, value }] of fields.entries()) {
    const shown = name.slice(0, SHOWN);
    if (!NAME.test(name) || isReservedWord(name)) return `Invalid secret variable name: ${shown}`;
    if (value.includes("\0")) return `Invalid secret variable value: ${shown}`;
    if (index >= MAX_FIELDS || Buffer.byteLength(value) > maxValueSize) return `Secret variable is too large: ${shown}`;
  }
  return undefined;
}

/** Each name once, at its first position. */
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

/** The members that an update changes; `names` always follows from the variables. */
export function changesOf({ id: _id, fields, ...sent }: UpdateSecret): Partial<Secret> {
  return { ...(sent as Partial<Secret>), ...(fields ? { names: namesOf(fields) } : {}) };
}

/** True when the values of a secret are masked in texts. */
export const isMasked = ({ mask }: Pick<Secret, "mask">): boolean => Boolean(mask ?? true);

export const isAssigned = (secret: Secret, type: SecretTarget, id: string): boolean =>
  Boolean(secret.enabled) && (secret[type] ?? []).includes(id);

/** Removes line breaks from a title, so that each use is one line of the log (docs/contract/secrets.md#log-of-uses). */
export const onOneLine = (text: string): string => text.replace(/[\r\n\v\f\u0085\u2028\u2029]/g, " ");
