import { sha256Hex } from "../../lib/secrecy/hash.ts";
import type { ApiKey, ShownApiKey } from "./model.ts";

/** Lower-case hex SHA-256 of plain key + record id (docs/contract/credentials.md#api-keys). */
export const hashApiKey = (plain: string, id: string): string => sha256Hex(plain + id);

export const maskApiKey = (plain: string): string => `${plain.slice(0, 4)}********${plain.slice(-4)}`;

const MASK = /^.{1,4}\*{8}.{1,4}$/su;

/** True for a mask of the form that `maskApiKey` makes. */
export const isKeyMask = (mask: unknown): mask is string => typeof mask === "string" && MASK.test(mask);

/** The record without its hash, for everything except the answers of the operations on keys. */
export function publicApiKey({ key: _hash, ...rest }: ApiKey): Readonly<Record<string, unknown>> {
  return rest;
}

/** Adds the time of its last use to a key that was used (docs/contract/credentials.md#resolution). */
export function withLastUse(key: ApiKey, uses: ReadonlyMap<string, number>): ShownApiKey {
  const time = uses.get(key.id);
  return time === undefined ? key : { ...key, last_used: time };
}

/**
 * Describes what is wrong with a number of a changed key: it is below zero, or a step had no number to add to. Undefined =
 * nothing.
 */
export function faultOfNumbers(key: ApiKey): string | undefined {
  for (const member of ["expires", "max_per_sec"] as const) {
    const value: unknown = key[member] ?? 0;
    if (typeof value !== "number") return `Parameter is not type number: ${member}`;
    if (value < 0) return `Malformed parameter: ${member}`;
  }
  return undefined;
}

/** Drops members that a caller may not set: the key itself, its mask and its last use. */
export function withoutServerMembers<T extends object>(input: T): T {
  const { key: _key, mask: _mask, last_used: _used, ...rest } = input as T & Record<string, unknown>;
  return rest as unknown as T;
}
