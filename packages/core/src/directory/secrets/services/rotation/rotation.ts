import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import { everything } from "../../../../search/ast.ts";
import { CANARY_ID, canaryCollection, payloadCollection } from "../../collection.ts";
import type { RotationReport, SecretPayload } from "../../model.ts";
import { isSameSeal, SealError } from "../../rules/crypto.ts";
import { requireSealer } from "../keys/canary.ts";
import type { SealedPayload } from "../sealer.ts";
import { releaseClaim } from "./key-change.ts";
import { createStaleSecrets, type StaleBatch, type StaleSecrets } from "./stale.ts";

/**
 * Re-seals secrets from previous keys with the current key, while everything runs (docs/contract/secrets.md#change-of-the-key).
 */
export interface SecretRotation {
  /** True while the current key has not sealed every record. */
  due(): Promise<boolean>;
  /**
   * Reads the keys from the provider, then re-seals in steps of a few records. The next run repeats a step that a crash or the
   * signal interrupted. Safe to run on two nodes at once, and idempotent. Rejects when the provider has lost the key that sealed
   * the store.
   */
  run(signal?: AbortSignal): Promise<RotationReport>;
}

type Deps = Pick<Cradle, "keyRing" | "log" | "sealer" | "snapshot" | "state" | "transact">;

interface Step {
  readonly read: SecretPayload;
  readonly resealed: SecretPayload;
}

type Tools = Deps & { readonly stale: StaleSecrets };

export function createSecretRotation(deps: Deps): SecretRotation {
  // Listed one by one, because `deps` is the container, which cannot be spread.
  const { keyRing, sealer, snapshot, state, transact, log } = deps;
  const tools: Tools = { keyRing, sealer, snapshot, state, transact, log, stale: createStaleSecrets({ keyRing }) };
  const { stale } = tools;
  return {
    async due() {
      return snapshot(async (tx) => !(await isCanarySound(tools, tx)) || (await stale.next(tx)).todo.length > 0);
    },
    async run(signal) {
      await keyRing.load();
      requireSealer(deps, await snapshot((tx) => tx.collection(canaryCollection).get(CANARY_ID)));
      const resealed = await resealStale(tools, signal);
      const finished = !signal?.aborted && (await finish(tools, resealed));
      return { finished, resealed, unopened: stale.givenUp() };
    },
  };
}

async function resealStale(tools: Tools, signal: AbortSignal | undefined): Promise<number> {
  let resealed = 0;
  let after: string | undefined = "";
  while (after !== undefined && !signal?.aborted) {
    const from: string = after;
    const { todo, last }: StaleBatch = await tools.snapshot((tx) => tools.stale.next(tx, from));
    const steps = await resealAll(tools, todo, signal);
    if (steps.length > 0) resealed += await tools.transact(({ tx }) => replaceAll(tx, steps));
    after = last;
  }
  return resealed;
}

/** Re-seals records one after another, because readers wait for the same few places in the queue of derivations. */
async function resealAll(
  tools: Tools,
  todo: readonly SecretPayload[],
  signal: AbortSignal | undefined,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const payload of todo) {
    if (signal?.aborted) break;
    const step = await reseal(tools, payload);
    if (step) steps.push(step);
  }
  return steps;
}

async function reseal({ sealer, stale, log }: Tools, read: SecretPayload): Promise<Step | undefined> {
  try {
    return { read, resealed: await sealer.seal(read.id, await sealer.open(read.id, read)) };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    stale.giveUp(read);
    log.error({ code: "secret", secret: read.id, fault: error.fault }, "A secret opens with no key and stays as it is");
    return undefined;
  }
}

async function replaceAll(tx: WriteTx, steps: readonly Step[]): Promise<number> {
  let written = 0;
  for (const step of steps) if (await replace(tx, step)) written += 1;
  return written;
}

/** Replaces a payload only if it is unchanged since it was read; a secret that was changed or removed meanwhile is skipped. */
async function replace(tx: WriteTx, { read, resealed }: Step): Promise<boolean> {
  const payloads = tx.collection(payloadCollection);
  const stored = await payloads.get(read.id);
  if (!stored || !isSameSeal(stored, read)) return false;
  await payloads.update(read.id, () => resealed);
  return true;
}

interface Ending {
  readonly finished: boolean;
  /** Present when a rotation has ended: number of secrets that the current key has sealed. */
  readonly secrets?: number;
}

/**
 * Writes the canary last: until then, a start without the previous keys is refused. Returns false when a node that does not have
 * the new key yet has meanwhile sealed something with a previous one.
 */
async function finish(tools: Tools, resealed: number): Promise<boolean> {
  const { keyRing, sealer, state, transact, log, stale } = tools;
  const seal = await sealer.seal(CANARY_ID, []);
  const { finished, secrets } = await transact(async ({ tx, audit, emit }): Promise<Ending> => {
    if ((await stale.next(tx)).todo.length > 0) return { finished: false };
    const former = await tx.collection(canaryCollection).get(CANARY_ID);
    if (resealed > 0 || !(await isCanarySound(tools, tx))) await putCanary(tx, seal);
    if (former && former.fp !== seal.fp) await releaseClaim({ state }, tx);
    // Sealing the canary with the first secret is not a rotation.
    if (resealed === 0 && former?.fp === seal.fp) return { finished: true };
    const done = (await countPayloads(tx)) - (await stale.count(tx));
    audit("notice", { description: `Secret key rotated: ${done} secrets` });
    emit("secrets.rotated", { secrets: done });
    return { finished: true, secrets: done };
  });
  if (secrets !== undefined) {
    keyRing.wipe();
    log.info({ secrets }, "Secrets are sealed with the current key; previous keys are not needed any more");
  }
  return finished;
}

/** True when the canary was made with the current key, and is sealed if there are secrets. */
async function isCanarySound({ keyRing }: Tools, tx: ReadTx): Promise<boolean> {
  const canary = await tx.collection(canaryCollection).get(CANARY_ID);
  if (canary?.fp !== keyRing.current()) return false;
  return canary.seal !== undefined || (await countPayloads(tx)) === 0;
}

const countPayloads = async (tx: ReadTx): Promise<number> =>
  (await tx.collection(payloadCollection).find(everything, { limit: 0 })).total;

async function putCanary(tx: WriteTx, seal: SealedPayload): Promise<void> {
  const canaries = tx.collection(canaryCollection);
  await canaries.delete(CANARY_ID);
  await canaries.insert({ id: CANARY_ID, fp: seal.fp, seal });
}
