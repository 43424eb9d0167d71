import { activityCollection } from "./directory/activity/collection.ts";
import { createActivityLog } from "./directory/activity/service.ts";
import { CANARY_ID, canaryCollection, payloadCollection, secretCollection } from "./directory/secrets/collection.ts";
import type { SecretField, SecretPayload } from "./directory/secrets/model.ts";
import { isSameSeal, open, readSealed, SealError } from "./directory/secrets/rules/crypto.ts";
import { KEY_COSTS } from "./directory/secrets/services/keys/derive.ts";
import { createKeyRing, type KeyRing } from "./directory/secrets/services/keys/key-ring.ts";
import { createSealer, type SealedPayload, type Sealer } from "./directory/secrets/services/sealer.ts";
import { configSchema } from "./engine/config.ts";
import { localClient, systemActor } from "./kernel/calls/context.ts";
import { systemClock as clock } from "./ports/clock.ts";
import { createIds } from "./ports/ids.ts";
import { systemRandom } from "./ports/random.ts";
import type { Storage } from "./ports/storage/storage.ts";
import { everything } from "./search/ast.ts";

/** Options of `rotateSecretKey`. */
export interface RotateSecretKeyOptions {
  /** Storage whose engines are all stopped; it is opened here and closed at the end. */
  readonly storage: Storage;
  readonly oldKey: string;
  readonly newKey: string;
  /** Opens all secrets but writes nothing. */
  readonly dryRun?: boolean;
}

/** Counts of a finished rotation, or of a dry run. */
export interface RotateSecretKeyReport {
  /** Secrets in the store. */
  readonly secrets: number;
  /** Secrets that were still sealed with the old key; the others opened with the new key and were left alone. */
  readonly resealed: number;
}

interface Tools {
  readonly keyRing: KeyRing;
  readonly sealer: Sealer;
}

interface Step {
  readonly read: SecretPayload;
  readonly resealed: SecretPayload;
  /** Opens the parts that were read back; throws `SealError`. Derives no keys, so it may run inside the transaction. */
  readonly verify: (stored: SecretPayload) => void;
}

/**
 * Seals every secret with a new key while no engine runs: in one transaction, which reads all secrets back and opens them with
 * the new key before it commits. Idempotent: secrets already sealed with the new key are left alone. Throws `Error` naming the
 * first secret that opens with neither key, and then changes nothing.
 *
 * @see docs/contract/secrets.md#offline
 */
export async function rotateSecretKey(options: RotateSecretKeyOptions): Promise<RotateSecretKeyReport> {
  const { storage, oldKey, newKey, dryRun = false } = options;
  const keyRing = createKeyRing({
    keyProvider: { keys: async () => [newKey, oldKey] },
    clock,
    config: configSchema.parse({}),
    keyCosts: KEY_COSTS,
  });
  const tools: Tools = { keyRing, sealer: createSealer({ keyRing, random: systemRandom() }) };
  await keyRing.load();
  await storage.open([secretCollection, payloadCollection, canaryCollection, activityCollection]);
  try {
    return await rotateAll(storage, tools, dryRun);
  } finally {
    keyRing.close();
    await storage.close();
  }
}

async function rotateAll(
  storage: Storage,
  { keyRing, sealer }: Tools,
  dryRun: boolean,
): Promise<RotateSecretKeyReport> {
  const { payloads, canary } = await storage.read(async (tx) => ({
    payloads: await tx.collection(payloadCollection).list(),
    canary: await tx.collection(canaryCollection).get(CANARY_ID),
  }));
  if (canary && keyRing.candidates(canary.fp).length === 0) throw new Error(neither("The canary record"));
  if (canary?.seal) await openNamed(sealer, CANARY_ID, canary.seal);
  const steps: Step[] = [];
  let resealed = 0;
  for (const read of payloads) {
    const fields = await openNamed(sealer, read.id, read);
    if (read.fp === keyRing.current()) continue;
    resealed += 1;
    if (!dryRun) steps.push(await prepareStep(read, fields, { keyRing, sealer }));
  }
  if (!dryRun) await commit(storage, { steps, secrets: payloads.length, canary: await sealer.seal(CANARY_ID, []) });
  return { secrets: payloads.length, resealed };
}

const neither = (name: string): string => `${name} opens with neither key; nothing was changed`;

async function openNamed(sealer: Sealer, id: string, payload: SecretPayload): Promise<readonly SecretField[]> {
  try {
    return await sealer.open(id, payload);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new Error(neither(id === CANARY_ID ? "The canary record" : `Secret ${id}`));
  }
}

async function prepareStep(
  read: SecretPayload,
  fields: readonly SecretField[],
  { keyRing, sealer }: Tools,
): Promise<Step> {
  const resealed = await sealer.seal(read.id, fields);
  const which = { fingerprint: keyRing.current(), salt: readSealed(resealed).salt, secret: read.id };
  const key = await keyRing.withKey(which, (derived) => Buffer.from(derived));
  return { read, resealed, verify: (stored) => void open(stored, { id: read.id, key }) };
}

interface Rotation {
  readonly steps: readonly Step[];
  readonly secrets: number;
  readonly canary: SealedPayload;
}

function commit(storage: Storage, { steps, secrets, canary }: Rotation): Promise<void> {
  return storage.write(async (tx) => {
    const payloads = tx.collection(payloadCollection);
    const { total } = await payloads.find(everything, { limit: 0 });
    if (total !== secrets) throw changedMeanwhile();
    for (const { read, resealed, verify } of steps) {
      const stored = await payloads.get(read.id);
      if (!stored || !isSameSeal(stored, read)) throw changedMeanwhile();
      await payloads.update(read.id, () => resealed);
      verify((await payloads.get(read.id)) ?? stored);
    }
    const canaries = tx.collection(canaryCollection);
    await canaries.delete(CANARY_ID);
    await canaries.insert({ id: CANARY_ID, fp: canary.fp, seal: canary });
    const activity = createActivityLog({ clock, ids: createIds({ clock, random: systemRandom() }) });
    const detail = { description: `Secret key rotated: ${secrets} secrets` };
    await activity.write(tx, { action: "notice", detail }, systemActor, localClient);
  });
}

const changedMeanwhile = (): Error =>
  new Error("Secrets were changed during the rotation; stop every engine and run it again");
