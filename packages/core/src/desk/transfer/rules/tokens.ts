import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { TokenCaller, TransferToken } from "../model.ts";

/** Seconds that a token is valid. */
const LIFE = 60;
const FORM = /^[0-9a-f]{64}$/;

/** The record of a token. The token itself is not stored. */
export function tokenRecord(
  token: string,
  { caller, order, now }: { caller: TokenCaller; order: TransferToken["order"]; now: number },
): TransferToken {
  const { kind, id, title, privileges, categories, groups } = caller;
  return {
    id: sha256Hex(token),
    caller: { kind, id, title, privileges: { ...privileges }, categories: [...categories], groups: [...groups] },
    order,
    expires: now + LIFE,
  };
}

/** Id of a token's record; undefined for a malformed token. */
export const tokenId = (token: unknown): string | undefined =>
  typeof token === "string" && FORM.test(token) ? sha256Hex(token) : undefined;

export const isAlive = ({ expires }: Pick<TransferToken, "expires">, now: number): boolean => now < expires;
