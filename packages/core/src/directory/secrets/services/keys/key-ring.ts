import type { Config } from "../../../../kernel/config/config.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { KeyProvider } from "../../../../ports/secrets/key-provider.ts";
import { keyFingerprint } from "../../rules/fingerprint.ts";
import { createDerivations, deriveKey, type KeyCosts } from "./derive.ts";
import { createKeyCache } from "./key-cache.ts";

/** The keys that seal secrets and, for a short time, the keys derived from them (docs/contract/secrets.md#before-opening). */
export interface KeyRing {
  /** Reads the keys from the provider. Throws `Error` when it has no key or one that is too short. */
  load(): Promise<void>;
  /** Reads the keys again if another process may have changed them, at most once a second. */
  refresh(): Promise<void>;
  /** Fingerprint of the key that seals new records. */
  current(): string;
  /** Fingerprints of the keys that may have sealed a record, likeliest first; all keys when the record has no fingerprint. */
  candidates(fingerprint: string | undefined): readonly string[];
  /**
   * Derives a key, or takes it from the cache, and runs `work` with it at once; `work` must not keep the key. Equal calls share
   * one derivation. Throws `Error` when too many calls wait.
   */
  withKey<T>(which: DerivedKey, work: (key: Buffer) => T): Promise<T>;
  /** Drops the keys derived for a secret. */
  forget(secret: string): void;
  /** Drops expired derived keys; all of them when the configuration now disables the cache. */
  sweep(): void;
  /** Overwrites and drops all derived keys. */
  wipe(): void;
  /** Wipes, and caches nothing from now on. */
  close(): void;
  /** Number of cached derived keys. */
  held(): number;
}

export interface DerivedKey {
  readonly fingerprint: string;
  readonly salt: Buffer;
  /** Id of the secret. */
  readonly secret: string;
}

const MIN_KEY_LENGTH = 16;

const REFRESH_MS = 1000;

interface Deps {
  readonly keyProvider: KeyProvider;
  readonly clock: Clock;
  readonly config: Pick<Config, "secrets">;
  readonly keyCosts: KeyCosts;
  /** Called with all keys, the current one first, when the current one has changed. */
  readonly changed?: (keys: readonly string[]) => void;
}

export function createKeyRing(deps: Deps): KeyRing {
  const { keyProvider, clock, changed } = deps;
  /** Passphrases by fingerprint, the current one first. */
  let keys: ReadonlyMap<string, string> = new Map();
  let asked = 0;
  const current = (): string => [...keys.keys()][0] ?? "";
  async function load(): Promise<void> {
    const former = current();
    asked = clock.monotonicMs();
    keys = checkKeys(await keyProvider.keys());
    if (current() !== former) changed?.([...keys.values()]);
  }
  return {
    load,
    async refresh() {
      if (keyProvider.keep && clock.monotonicMs() - asked >= REFRESH_MS) await load();
    },
    current,
    candidates: (fingerprint) => [...keys.keys()].filter((key) => fingerprint === undefined || key === fingerprint),
    ...createDerivedKeys(deps, (fingerprint) => keys.get(fingerprint)),
  };
}

type DerivedKeys = Pick<KeyRing, "close" | "forget" | "held" | "sweep" | "wipe" | "withKey">;

function createDerivedKeys(
  { clock, config, keyCosts }: Deps,
  passphraseOf: (fingerprint: string) => string | undefined,
): DerivedKeys {
  const inTurn = createDerivations();
  const cache = createKeyCache({ clock });
  let isOpen = true;
  const isCaching = (): boolean => isOpen && config.secrets.cache_derived_keys;
  /** Incremented by every wipe; a key whose derivation began before a wipe is not cached. */
  let generation = 0;
  const sharing = shareDerivations(async (name, { fingerprint, salt, secret }) => {
    const began = generation;
    const passphrase = passphraseOf(fingerprint);
    if (passphrase === undefined) throw new Error("The key ring has no such key");
    const key = await inTurn(() => deriveKey(passphrase, salt, keyCosts));
    if (isCaching() && began === generation) cache.put(name, secret, Buffer.from(key));
    return key;
  });
  function wipe(): void {
    generation += 1;
    cache.clear();
  }
  return {
    async withKey(which, work) {
      const name = `${which.fingerprint}:${which.salt.toString("base64")}`;
      const cached = cache.get(name);
      return cached ? work(cached) : sharing.use(name, which, work);
    },
    forget: cache.forget,
    sweep: () => (isCaching() ? cache.sweep() : wipe()),
    wipe,
    close() {
      isOpen = false;
      wipe();
    },
    held: cache.size,
  };
}

interface Derivation {
  readonly key: Promise<Buffer>;
  users: number;
}

/** Lets equal calls share one derivation; the last user overwrites the key. */
function shareDerivations(derive: (name: string, which: DerivedKey) => Promise<Buffer>) {
  const running = new Map<string, Derivation>();

  function join(name: string, which: DerivedKey): Derivation {
    // Nobody joins after the derivation ends, so the number of users is final by then.
    const derivation = running.get(name) ?? { key: derive(name, which).finally(() => running.delete(name)), users: 0 };
    running.set(name, derivation);
    derivation.users += 1;
    return derivation;
  }

  return {
    async use<T>(name: string, which: DerivedKey, work: (key: Buffer) => T): Promise<T> {
      const derivation = join(name, which);
      const key = await derivation.key;
      try {
        return work(key);
      } finally {
        derivation.users -= 1;
        if (derivation.users === 0) key.fill(0);
      }
    },
  };
}

function checkKeys(given: readonly string[]): ReadonlyMap<string, string> {
  if (!Array.isArray(given) || given.length === 0) throw new Error("The key provider gave no key");
  const keys = new Map<string, string>();
  for (const key of given) {
    if (typeof key !== "string" || key.length < MIN_KEY_LENGTH)
      throw new Error(`A key that seals secrets must have at least ${MIN_KEY_LENGTH} characters`);
    const fingerprint = keyFingerprint(key);
    if (keys.has(fingerprint) && keys.get(fingerprint) !== key) throw new Error("Two keys have the same fingerprint");
    keys.set(fingerprint, key);
  }
  return keys;
}
