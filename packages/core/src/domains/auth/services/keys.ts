import type { Definitions } from "../../../kernel/definitions.ts";
import { InputError, RateError, SessionError } from "../../../kernel/errors.ts";
import { equalSecrets, equalShortSecrets, sha256Hex } from "../../../lib/hash.ts";
import type { Clock } from "../../../ports/clock.ts";
import { apiKeyCollection } from "../../api-keys/collection.ts";
import type { ApiKey } from "../../api-keys/model.ts";
import { hashApiKey } from "../../api-keys/rules.ts";
import { countRequest, isOverRate, type RateWindow } from "../rules/rate.ts";
import type { KeyUses } from "./key-uses.ts";

/** Hash of a plain key → the record that it was found to open. */
const HINTS = 10_000;
const WINDOWS = 100_000;
/** Plain keys that stay in memory. */
const RECENT = 4;

interface Deps {
  readonly definitions: Definitions;
  readonly clock: Clock;
  readonly keyUses: KeyUses;
}

/**
 * The record that a plain key opens, its request counted. Never waits: keys are most of the traffic.
 * Throws `SessionError` for an unknown key, `InputError` for one that is out of use, `RateError` for one over its rate.
 */
export function createKeyCheck({ definitions, clock, keyUses }: Deps): (plain: string) => ApiKey {
  const findKey = createKeyFinder(definitions);
  const countRate = createRateCount();
  return (plain) => {
    const record = findKey(plain);
    if (!record) throw new SessionError("Invalid API Key");
    const now = clock.now();
    if (!record.active) throw new InputError("API Key is disabled");
    if (record.expires && now >= record.expires) throw new InputError("API Key is expired");
    countRate(record, now);
    keyUses.note(record.id, now);
    return record;
  };
}

/**
 * Salted per record, so an unknown key costs one hash for every record; a known one costs one, and none when it is among
 * the last few that were sent: hashing was a thirtieth of a whole request over HTTP.
 */
function createKeyFinder(definitions: Definitions): (plain: string) => ApiKey | undefined {
  const hints = new Map<string, ApiKey>();
  const recent = createRecentKeys();
  // Records are replaced by every change, so the very record that matched a key before still does.
  const isCurrent = (record: ApiKey): boolean => definitions.get(apiKeyCollection, record.id) === record;
  const search = (plain: string): ApiKey | undefined => {
    let found: ApiKey | undefined;
    // To the end, so that the time does not tell where a key stands.
    for (const record of definitions.all(apiKeyCollection)) if (matches(record, plain)) found = record;
    return found;
  };
  const lookUp = (plain: string): ApiKey | undefined => {
    const lookup = sha256Hex(plain);
    const hint = hints.get(lookup);
    if (hint && isCurrent(hint)) return hint;
    const found = search(plain);
    if (hints.size >= HINTS) hints.clear();
    if (found) hints.set(lookup, found);
    return found;
  };
  return (plain) => {
    const known = recent.find(plain);
    if (known && isCurrent(known)) return known;
    const found = lookUp(plain);
    if (found) recent.add(plain, found);
    return found;
  };
}

interface RecentKeys {
  find(plain: string): ApiKey | undefined;
  add(plain: string, record: ApiKey): void;
}

/** All of them are compared, in constant time each, so that the time does not tell which one it was. */
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

/** Counts a request; throws when its key is over its rate. The windows of deleted keys go with the first full map. */
function createRateCount(): (record: ApiKey, now: number) => void {
  const windows = new Map<string, RateWindow>();
  return (record, now) => {
    if (!record.max_per_sec) return;
    const window = countRequest(windows.get(record.id), now);
    if (windows.size >= WINDOWS) windows.clear();
    windows.set(record.id, window);
    if (isOverRate(window, record.max_per_sec))
      throw new RateError(`API Key has exceeded rate limit (${record.max_per_sec}/sec)`);
  };
}

const matches = (record: ApiKey, plain: string): boolean => equalSecrets(hashApiKey(plain, record.id), record.key);
