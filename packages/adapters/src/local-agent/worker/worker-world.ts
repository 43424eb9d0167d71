import { randomBytes } from "node:crypto";
import type { Clock, Random } from "@signalbox/core/adapter";

/** Clock, random numbers and `fetch` for a function in a worker thread; the host's own cannot be sent there. */
export const threadWorld: { readonly clock: Clock; readonly random: Random; readonly fetch: typeof fetch } = {
  clock: {
    // biome-ignore lint/plugin: a thread has no ports; this is the clock that its function is handed.
    now: () => Date.now() / 1000,
    // biome-ignore lint/plugin: likewise.
    monotonicMs: () => performance.now(),
    after(delayMs, task) {
      const timer = setTimeout(task, Math.min(delayMs, 2_147_483_647));
      return { [Symbol.dispose]: () => clearTimeout(timer) };
    },
  },
  random: {
    bytes: (size) => Uint8Array.from(randomBytes(size)),
    fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  },
  fetch: globalThis.fetch,
};
