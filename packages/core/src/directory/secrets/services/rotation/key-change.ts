import type { KeyedCradle } from "../../../../kernel/container.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import type { Services } from "../../../../kernel/plugins/services.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { CANARY_ID, canaryCollection } from "../../collection.ts";
import { keyFingerprint } from "../../rules/fingerprint.ts";

/** Makes a new secret key and stores it where the host keeps its keys (docs/contract/secrets.md#online). */
export interface KeyChange {
  /** False = only the host can change the keys. */
  readonly isPossible: boolean;
  /**
   * Stores a new key in front of the current one, before anything is sealed with it, and continues with both. Throws
   * `DomainError` when an earlier change cannot be finished: its former key is still needed, and this change would give it up.
   */
  next(signal?: AbortSignal): Promise<void>;
}

const KEY_BYTES = 32;
/**
 * State key with the time until which no other process may begin a change. This is a claim with a timeout, because a transaction
 * cannot stay open while the key is stored. A process that is killed before its new key is stored leaves the claim until then.
 * The claim must not end sooner: a process that was only stalled would afterwards store a key that opens nothing, in place of one
 * in use.
 */
const STATE_CLAIM = "secrets.key_change_until";
const CLAIM_SEC = 600;

type Deps = Pick<KeyedCradle, "clock" | "keyProvider" | "keyRing" | "random" | "secretRotation" | "state" | "transact">;

export function createKeyChange(deps: Deps): KeyChange {
  const { keyProvider, keyRing, random, secretRotation } = deps;
  return {
    isPossible: keyProvider.keep !== undefined,
    async next(signal) {
      // First finishes an earlier change that was interrupted, while its former key is still there.
      await secretRotation.run(signal);
      if (await secretRotation.due()) throw unfinished();
      await claim(deps);
      // Reads the keys again: one that another node stored before the claim must stay.
      const [current = ""] = await keyProvider.keys();
      if (keyFingerprint(current) !== keyRing.current()) throw unfinished();
      const key = Buffer.from(random.bytes(KEY_BYTES)).toString("base64url");
      await keyProvider.keep?.([key, current]);
      await keyRing.load();
      if (keyRing.current() !== keyFingerprint(key)) throw new Error("The store of keys did not keep the new key");
    },
  };
}

/**
 * Claims the change. The lock serialises nodes; the canary shows whether another node has changed the key since this one read it.
 */
const claim = ({ clock, keyRing, state, transact }: Deps): Promise<void> =>
  transact(async ({ tx }) => {
    await tx.lock("secret_key");
    const canary = await tx.collection(canaryCollection).get(CANARY_ID);
    const until = await state.read(tx, STATE_CLAIM);
    const isClaimed = typeof until === "number" && until > clock.now();
    if (isClaimed || canary?.fp !== keyRing.current()) throw unfinished();
    await state.set(tx, STATE_CLAIM, Math.floor(clock.now()) + CLAIM_SEC);
  });

/**
 * Releases the claim in the transaction that ends a change, so that a kill after the new key was stored leaves no claim: the node
 * that claimed the change stores no other key.
 */
export async function releaseClaim({ state }: Pick<Services, "state">, tx: WriteTx): Promise<void> {
  if (await state.read(tx, STATE_CLAIM)) await state.set(tx, STATE_CLAIM, 0);
}

const unfinished = (): DomainError =>
  new DomainError("admin", "conflict", "The last change of the secret key has not ended yet; try again in a minute.");
