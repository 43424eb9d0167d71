import type { Clock } from "../../../../ports/clock.ts";

/** Cache of derived keys by name; overwrites a key when it evicts it. */
export interface KeyCache {
  /** Returns the key itself, not a copy: it may be overwritten as soon as the caller awaits anything. */
  get(name: string): Buffer | undefined;
  /** Stores the key and takes ownership of it. An owner has one key: an earlier one is dropped. */
  put(name: string, owner: string, key: Buffer): void;
  forget(owner: string): void;
  /** Drops expired keys. */
  sweep(): void;
  clear(): void;
  size(): number;
}

interface Entry {
  readonly owner: string;
  readonly key: Buffer;
  readonly made: number;
  used: number;
}

const MAX_ENTRIES = 1000;
const IDLE_MS = 10 * 60_000;
const LIFE_MS = 60 * 60_000;

const isOver = ({ made, used }: Entry, now: number): boolean => now - used >= IDLE_MS || now - made >= LIFE_MS;

/** Evicts the least recently used key first; keys expire after ten minutes of idleness or an hour of life. */
export function createKeyCache({ clock }: { readonly clock: Clock }): KeyCache {
  const entries = new Map<string, Entry>();
  const owners = new Map<string, string>();
  const drop = (name: string): undefined => {
    const entry = entries.get(name);
    if (!entry) return;
    entry.key.fill(0);
    entries.delete(name);
    if (owners.get(entry.owner) === name) owners.delete(entry.owner);
  };
  const forget = (owner: string): undefined => drop(owners.get(owner) ?? "");
  return {
    get(name) {
      const [entry, now] = [entries.get(name), clock.monotonicMs()];
      if (!entry || isOver(entry, now)) return drop(name);
      entry.used = now;
      entries.delete(name);
      entries.set(name, entry);
      return entry.key;
    },
    put(name, owner, key) {
      forget(owner);
      drop(name);
      if (entries.size >= MAX_ENTRIES) drop(entries.keys().next().value ?? "");
      const now = clock.monotonicMs();
      entries.set(name, { owner, key, made: now, used: now });
      owners.set(owner, name);
    },
    forget,
    sweep() {
      const now = clock.monotonicMs();
      for (const [name, entry] of entries) if (isOver(entry, now)) drop(name);
    },
    clear() {
      for (const name of entries.keys()) drop(name);
    },
    size: () => entries.size,
  };
}
