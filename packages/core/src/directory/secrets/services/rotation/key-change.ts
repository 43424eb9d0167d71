import type { KeyedCradle } from "../../../../kernel/container.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import type { Services } from "../../../../kernel/plugins/services.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { CANARY_ID, canaryCollection } from "../../collection.ts";
import { keyFingerprint } from "../../rules/fingerprint.ts";

/** Makes another secret key and has it kept where the host keeps keys (docs/contract/secrets.md#online). */
export interface KeyChange {
  /** False = the keys are the host's alone, and it changes them. */
  readonly isPossible: boolean;
  /**
   * Has a new key kept in front of the current one, before anything is sealed with it, and goes on with both. Throws
   * `DomainError` when an earlier change cannot be ended: its former key is still needed, and would be given up here.
   */
  next(signal?: AbortSignal): Promise<void>;
}

const KEY_BYTES = 32;
/**
 * Time until which no other process may begin a change: a claim, as a transaction can await nothing but itself. A
 * process that is killed before its new key is kept leaves the claim behind for as long. It is not given up sooner: a
 * process that only stood still would keep a key afterwards that opens nothing, in place of one that is in use.
 */
const STATE_CLAIM = "secrets.key_change_until";
const CLAIM_SEC = 600;

type Deps = Pick<KeyedCradle, "clock" | "keyProvider" | "keyRing" | "random" | "secretRotation" | "state" | "transact">;

export function createKeyChange(deps: Deps): KeyChange {
  const { keyProvider, keyRing, random, secretRotation } = deps;
  return {
    isPossible: keyProvider.keep !== undefined,
    async next(signal) {
      // An earlier change that was cut off is ended first, while its former key is still there.
      await secretRotation.run(signal);
      if (await secretRotation.due()) throw unfinished();
      await claim(deps);
      // Read once more: a key that another node kept before the claim must stay.
      const [current = ""] = await keyProvider.keys();
      if (keyFingerprint(current) !== keyRing.current()) throw unfinished();
      const key = Buffer.from(random.bytes(KEY_BYTES)).toString("base64url");
      await keyProvider.keep?.([key, current]);
      await keyRing.load();
      if (keyRing.current() !== keyFingerprint(key)) throw new Error("The store of keys did not keep the new key");
    },
  };
}

/** The lock serialises nodes; the canary tells whether another one has changed the key since ours was read. */
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
 * Part of the transaction that ends a change, so that no kill behind the keeping of the key leaves a claim: the node
 * that has claimed the change keeps no other one.
 */
export async function releaseClaim({ state }: Pick<Services, "state">, tx: WriteTx): Promise<void> {
  if (await state.read(tx, STATE_CLAIM)) await state.set(tx, STATE_CLAIM, 0);
}

const unfinished = (): DomainError =>
  new DomainError("admin", "conflict", "The last change of the secret key has not ended yet; try again in a minute.");
