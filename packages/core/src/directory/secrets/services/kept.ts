import type { Cradle } from "../../../kernel/container.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { payloadCollection } from "../collection.ts";
import type { SealedPayload } from "./sealer.ts";

/** Values of a record of another domain, sealed like secrets and never shown. */
export interface KeptSecrets {
  /** Before a transaction: a key is derived on a thread. The id of the answer finds the values again. */
  seal(values: Readonly<Record<string, string>>): Promise<SealedPayload>;
  put(tx: WriteTx, payload: SealedPayload): Promise<void>;
  /** Throws `SealError` when no key opens them; no values for an unknown id. */
  values(id: string): Promise<Readonly<Record<string, string>>>;
  drop(tx: WriteTx, id: string): Promise<void>;
}

/** First part of ids; ids of secrets have no slash, so none begins so. Changes of the key re-seal these values, too. */
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
