import type { Cradle } from "../../../kernel/container.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { payloadCollection } from "../collection.ts";
import type { SealedPayload } from "./sealer.ts";

/** Sealed values of a record of another domain. Like secrets they are sealed, but they are never shown. */
export interface KeptSecrets {
  /** Seals values. Call it before a transaction, because a key is derived on a thread. The returned id finds the values again. */
  seal(values: Readonly<Record<string, string>>): Promise<SealedPayload>;
  put(tx: WriteTx, payload: SealedPayload): Promise<void>;
  /** Throws `SealError` when no key opens them; returns no values for an unknown id. */
  values(id: string): Promise<Readonly<Record<string, string>>>;
  drop(tx: WriteTx, id: string): Promise<void>;
}

/**
 * First part of the ids. Ids of secrets contain no slash, so none starts like this. Changes of the key also re-seal these values.
 */
export const KEPT = "kept";
const PREFIX = `${KEPT}/`;

export function createKeptSecrets({ ids, sealer, snapshot }: Pick<Cradle, "ids" | "sealer" | "snapshot">): KeptSecrets {
  return {
    seal: (values) =>
      sealer.seal(
        `${PREFIX}${ids.short("kv")}`,
        Object.entries(values).map(([name, value]) => ({ name, value })),
      ),
    put: async (tx, payload) => void (await tx.collection(payloadCollection).insert(payload)),
    async values(id) {
      const payload = id.startsWith(PREFIX)
        ? await snapshot((tx) => tx.collection(payloadCollection).get(id))
        : undefined;
      const fields = payload ? await sealer.open(id, payload) : [];
      return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    },
    async drop(tx, id) {
      const payloads = tx.collection(payloadCollection);
      if (id.startsWith(PREFIX) && (await payloads.get(id))) await payloads.delete(id);
    },
  };
}
