import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";

/** A storage in which `hold` keeps the next transaction waiting until its result is called. */
export function heldStorage(clock: FakeClock) {
  const inner = memoryStorage({ clock });
  let gate: Promise<void> | undefined;
  const storage: Storage = {
    ...inner,
    async write(work) {
      const held = gate;
      gate = undefined;
      await held;
      return await inner.write(work);
    },
  };
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { storage, hold };
}
