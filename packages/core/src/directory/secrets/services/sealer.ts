import type { Random } from "../../../ports/random.ts";
import type { SecretField, SecretPayload } from "../model.ts";
import { IV_BYTES, open, readSealed, SALT_BYTES, SealError, seal } from "../rules/crypto.ts";
import type { KeyRing } from "./keys/key-ring.ts";

/** A record that this engine sealed always has a fingerprint. */
export type SealedPayload = SecretPayload & { readonly fp: string };

/** Seals variables into records that only the key ring opens, and opens them. */
export interface Sealer {
  /** Seals with the current key, a fresh salt and a fresh iv. */
  seal(id: string, fields: readonly SecretField[]): Promise<SealedPayload>;
  /**
   * `id` is the id of the row that holds the record, not the id inside the record: a copy in another row does not open. Throws
   * `SealError`; `Error` when too many records are being opened.
   */
  open(id: string, payload: SecretPayload): Promise<readonly SecretField[]>;
}

export function createSealer({ keyRing, random }: { readonly keyRing: KeyRing; readonly random: Random }): Sealer {
  return {
    async seal(id, fields) {
      const fp = keyRing.current();
      const salt = Buffer.from(random.bytes(SALT_BYTES));
      const iv = random.bytes(IV_BYTES);
      const sealed = await keyRing.withKey({ fingerprint: fp, salt, secret: id }, (key) =>
        seal(fields, { id, key, salt, iv }),
      );
      return { ...sealed, id, v: 1, fp };
    },
    async open(id, payload) {
      if (payload.id !== id) throw new SealError("identity");
      const { salt } = readSealed(payload);
      // Another process may have changed the key.
      if (keyRing.candidates(payload.fp).length === 0) await keyRing.refresh();
      for (const fingerprint of keyRing.candidates(payload.fp)) {
        const fields = await keyRing.withKey({ fingerprint, salt, secret: id }, (key) => openOrMiss(payload, key));
        if (fields) return fields;
      }
      throw new SealError(keyRing.candidates(payload.fp).length > 0 ? "authentication" : "key");
    },
  };
}

/** Undefined when this key did not seal the record, so that the next key is tried. */
function openOrMiss(payload: SecretPayload, key: Buffer): SecretField[] | undefined {
  try {
    return open(payload, { id: payload.id, key });
  } catch (error) {
    if (error instanceof SealError && error.fault === "authentication") return undefined;
    throw error;
  }
}
