import type { Cradle } from "../../../../kernel/container.ts";
import { DuplicateError } from "../../../../kernel/errors/errors.ts";
import { everything } from "../../../../search/ast.ts";
import { CANARY_ID, canaryCollection, payloadCollection } from "../../collection.ts";
import type { SecretCanary, SecretPayload } from "../../model.ts";
import { SealError } from "../../rules/crypto.ts";

type Deps = Pick<Cradle, "keyRing" | "log" | "sealer" | "snapshot" | "transact">;

const WRONG_KEY =
  "The secret key does not match the stored secrets: start with the key that sealed them, or with that key among the previous ones.";
/** Number of records tried in a store without a canary: one damaged record must not make the right key look wrong. */
const TRIED = 5;

/** Loads the keys and throws `Error`, in one sentence, when none of them opens the stored secrets. */
export async function checkKeys(deps: Deps): Promise<void> {
  const { keyRing, snapshot, log } = deps;
  await keyRing.load();
  const stored = await snapshot((tx) => tx.collection(canaryCollection).get(CANARY_ID));
  const canary = stored ?? (await plantCanary(deps));
  requireSealer(deps, canary);
  if (canary.seal && !(await opens(deps, CANARY_ID, canary.seal))) throw new Error(WRONG_KEY);
  if (canary.fp !== keyRing.current())
    log.warn(
      {},
      "Secrets are sealed with a previous key: a rotation is due and runs now; keep that key until it is done",
    );
}

/** Throws `Error` when none of the keys sealed the store: continuing would give up everything in it. */
export function requireSealer({ keyRing }: Pick<Deps, "keyRing">, canary: SecretCanary | undefined): void {
  if (canary && keyRing.candidates(canary.fp).length === 0) throw new Error(WRONG_KEY);
}

/** Plants a canary in a new store, or in an imported one once one of its secrets has proved the keys right. */
async function plantCanary(deps: Deps): Promise<SecretCanary> {
  const { keyRing, sealer, snapshot, transact } = deps;
  const { rows } = await snapshot((tx) => tx.collection(payloadCollection).find(everything, { limit: TRIED }));
  const tries = await Promise.all(rows.map((row) => opens(deps, row.id, row)));
  if (tries.length > 0 && !tries.includes(true)) throw new Error(WRONG_KEY);
  const bare = { id: CANARY_ID, fp: keyRing.current() };
  // A new store plants the canary unsealed, to save the start a key derivation: the rotation seals it with the first secret.
  const canary = tries.length > 0 ? { ...bare, seal: await sealer.seal(CANARY_ID, []) } : bare;
  return transact(async ({ tx }) => {
    try {
      await tx.collection(canaryCollection).insert(canary);
      return canary;
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
      // Another node was faster; its canary is checked like any other.
      return (await tx.collection(canaryCollection).get(CANARY_ID)) ?? canary;
    }
  });
}

async function opens({ sealer }: Deps, id: string, record: SecretPayload): Promise<boolean> {
  try {
    await sealer.open(id, record);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
