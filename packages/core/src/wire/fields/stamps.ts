import * as z from "zod";

/** Server-owned members of every listed record (docs/contract/records.md#stamps). */
export interface Stamps {
  readonly username: string;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds. */
  readonly modified: number;
  readonly revision: number;
}

/** Id, author and time of a new record. */
export interface NewStamp {
  readonly id: string;
  readonly username: string;
  /** Unix seconds. */
  readonly now: number;
}

/** The stamps in the schema of a record. */
export const stampFields = {
  username: z.string(),
  /** Unix seconds. */
  created: z.int(),
  /** Unix seconds. */
  modified: z.int(),
  /** Absent on records imported from old installations. */
  revision: z.int().optional(),
};

const OWNED: ReadonlySet<string> = new Set(["id", "username", "created", "modified", "revision", "if_revision"]);

export function newStamps(username: string, now: number): Stamps {
  return { username, created: now, modified: now, revision: 1 };
}

/**
 * Sparse update (docs/contract/records.md#updates): each sent member replaces the stored one as a whole, server-owned members are
 * ignored, and text such as "+5" adds to a stored number.
 */
export function mergeSparse<T extends object>(stored: T, sent: Readonly<Record<string, unknown>>): T {
  const merged = { ...stored } as Record<string, unknown>;
  for (const [key, value] of Object.entries(sent)) if (!OWNED.has(key)) merged[key] = step(merged[key], value);
  return merged as T;
}

function step(stored: unknown, sent: unknown): unknown {
  if (typeof stored !== "number" || typeof sent !== "string" || !/^[+-][\d.]+$/.test(sent)) return sent;
  const change = Number(sent);
  return Number.isFinite(change) ? stored + change : sent;
}

/** `mergeSparse`, and updates `modified` and increments `revision`; an absent revision becomes 1. */
export function updateRecord<T extends object>(stored: T, sent: Readonly<Record<string, unknown>>, now: number): T {
  const { revision } = stored as { revision?: unknown };
  return {
    ...mergeSparse(stored, sent),
    modified: now,
    revision: typeof revision === "number" ? revision + 1 : 1,
  };
}
