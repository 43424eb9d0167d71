import type { Definitions } from "../../../../kernel/definitions/definitions.ts";
import { equalSecrets, equalShortSecrets, sha256Hex } from "../../../../lib/secrecy/hash.ts";
import type { ApiKey } from "../../../api-keys/model.ts";
import { apiKeyRecords } from "../../../api-keys/records.ts";
import { hashApiKey, isKeyMask, maskApiKey } from "../../../api-keys/rules.ts";

/** Bound of two caches: hash of a plain key → the record that it opens, and hashes of plain keys that open none. */
const HINTS = 10_000;
/** Number of plain keys kept in memory. */
const RECENT = 4;
/** Characters. A longer key opens nothing, because hashing it would block the event loop. */
const MAX_LENGTH = 4096;
/** Replaces a record when none has the mask of a key, so that unknown keys take as long as known ones. */
const NO_RECORD = { id: "kxxxxxxxxxxxxxxx", key: "0".repeat(64) } as const;

/**
 * Finds the record that a plain key opens. Hashes are salted per record, so records are looked up by the mask, which is derived
 * from the plain key: known or not, a key costs about one hash for its look-up and one per record with its mask. The last few
 * keys that were sent cost none: hashing took a thirtieth of a whole request over HTTP.
 */
export function createKeyFinder(definitions: Definitions): (plain: string) => ApiKey | undefined {
  const hints = new Map<string, ApiKey>();
  const recent = createRecentKeys();
  const search = createSearch(definitions);
  // Changes replace records, so a key still matches as long as its record is the same object.
  const isCurrent = (record: ApiKey): boolean => definitions.get(apiKeyRecords, record.id) === record;
  const lookUp = (plain: string): ApiKey | undefined => {
    const digest = sha256Hex(plain);
    const hint = hints.get(digest);
    if (hint && isCurrent(hint)) return hint;
    const found = search(plain, digest);
    if (hints.size >= HINTS) hints.clear();
    if (found) hints.set(digest, found);
    return found;
  };
  return (plain) => {
    const known = recent.find(plain);
    if (known && isCurrent(known)) return known;
    if (plain.length > MAX_LENGTH) return undefined;
    const found = lookUp(plain);
    if (found) recent.add(plain, found);
    return found;
  };
}

interface KeyIndex {
  readonly revision: number;
  readonly byMask: ReadonlyMap<string, readonly ApiKey[]>;
  /** Imported records with a different mask or none; every one of them has to be tried. */
  readonly unmasked: readonly ApiKey[];
  /** Digests of keys that open none of these records. */
  readonly failed: Set<string>;
}

function createSearch(definitions: Definitions): (plain: string, digest: string) => ApiKey | undefined {
  let index: KeyIndex | undefined;
  const current = (): KeyIndex => {
    const revision = definitions.revision(apiKeyRecords);
    if (index?.revision !== revision) index = indexOf(definitions.all(apiKeyRecords), revision);
    return index;
  };
  return (plain, digest) => {
    const { byMask, unmasked, failed } = current();
    if (failed.has(digest)) return undefined;
    const candidates = byMask.get(maskApiKey(plain)) ?? [NO_RECORD];
    let found: ApiKey | undefined;
    // Tries all records, so that the time does not reveal the position of a key.
    for (const record of [...candidates, ...unmasked]) if (matches(record, plain)) found = record as ApiKey;
    if (failed.size >= HINTS) failed.clear();
    if (!found) failed.add(digest);
    return found;
  };
}

function indexOf(records: readonly ApiKey[], revision: number): KeyIndex {
  const byMask = new Map<string, ApiKey[]>();
  const unmasked: ApiKey[] = [];
  for (const record of records) {
    const { mask } = record;
    if (!isKeyMask(mask)) unmasked.push(record);
    else if (!byMask.get(mask)?.push(record)) byMask.set(mask, [record]);
  }
  return { revision, byMask, unmasked, failed: new Set() };
}

const matches = ({ id, key }: Pick<ApiKey, "id" | "key">, plain: string): boolean =>
  equalSecrets(hashApiKey(plain, id), key);

interface RecentKeys {
  find(plain: string): ApiKey | undefined;
  add(plain: string, record: ApiKey): void;
}

/** Keeps the last few keys. Compares all of them, each in constant time, so that the time does not reveal which one matched. */
function createRecentKeys(): RecentKeys {
  const entries: { readonly plain: string; readonly record: ApiKey }[] = [];
  let oldest = 0;
  return {
    find(plain) {
      let found: ApiKey | undefined;
      for (const entry of entries) if (equalShortSecrets(entry.plain, plain)) found = entry.record;
      return found;
    },
    add(plain, record) {
      const same = entries.findIndex((entry) => entry.record.id === record.id);
      const place = same === -1 ? oldest : same;
      entries[place] = { plain, record };
      if (same === -1) oldest = (oldest + 1) % RECENT;
    },
  };
}
