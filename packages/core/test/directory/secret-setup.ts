import { activityCollection } from "../../src/directory/activity/collection.ts";
import { payloadCollection } from "../../src/directory/secrets/collection.ts";
import type { SecretPayload } from "../../src/directory/secrets/model.ts";
import type { SignalboxOptions } from "../../src/engine/signalbox-options.ts";
import type { Plugin } from "../../src/kernel/plugins/plugin.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { cradleProbe, recordingLogger, startEngine } from "../engine.ts";

export const SECRET_KEY = "correct horse battery staple";
export const NEXT_KEY = "the key that comes after the first";

type SetUpOptions = Partial<Omit<SignalboxOptions<readonly []>, "plugins" | "clock">> & {
  readonly clock?: FakeClock;
  /** Plugins in addition to the usual ones of a test engine. */
  readonly plugins?: readonly Plugin[];
};

/** The two ways to give keys exclude each other, and test engines have a key by default. */
const withoutKey = { secretKey: undefined } as object;

/** An engine with access to its store and its log. */
export async function setUpSecrets({ plugins = [], ...options }: SetUpOptions = {}) {
  const probe = cradleProbe();
  const log = recordingLogger();
  const engine = await startEngine({
    log,
    ...options,
    ...(options.secretKeys ? withoutKey : {}),
    plugins: [...plugins, probe.plugin],
  });
  const { storage, transact } = probe.cradle();
  const payload = (id: string) => storage.read((tx) => tx.collection(payloadCollection).get(id));
  return {
    ...engine,
    log,
    transact,
    cradle: probe.cradle(),
    payload,
    /** Changes a sealed record as a disk error would. */
    damage: (id: string, change: Partial<SecretPayload>) =>
      transact(({ tx }) => tx.collection(payloadCollection).update(id, (stored) => ({ ...stored, ...change }))),
    activity: (action: string) =>
      storage.read(async (tx) =>
        (await tx.collection(activityCollection).list()).filter((row) => row.action === action),
      ),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

/** One storage for several engines in succession: each opens it, none closes it. */
export function reopenable(storage: Storage): Storage {
  let opened = false;
  return {
    ...storage,
    async open(collections) {
      if (!opened) await storage.open(collections);
      opened = true;
    },
    close: async () => undefined,
  };
}
