import { KEY_COSTS } from "../src/directory/secrets/services/keys/derive.ts";
import { createPasswords } from "../src/directory/users/services/passwords.ts";
import { createSignalbox } from "../src/engine/signalbox.ts";
import type { SignalboxOptions } from "../src/engine/signalbox-options.ts";
import type { Actor } from "../src/kernel/calls/context.ts";
import type { Cradle } from "../src/kernel/container.ts";
import type { Plugin } from "../src/kernel/plugins/plugin.ts";
import { memoryStorage } from "../src/memory/memory-storage.ts";
import type { LogFields, Logger } from "../src/ports/logger.ts";
import { type FakeClock, fakeClock } from "../src/testing/fake-clock.ts";

/** 2027-01-15 08:00:00 UTC */
export const START = 1_800_000_000;

/**
 * Hashes passwords at almost no cost, which otherwise takes half of the time of all tests of accounts. Tests of the cost itself
 * create the service themselves.
 */
export const quickPasswords: Plugin = {
  id: "quick-passwords",
  services: { passwords: (cradle: Cradle) => createPasswords(cradle, { n: 16, r: 8, p: 1 }) },
};

/** Password hashes of the usual cost, for tests that inspect stored hashes. */
export const usualPasswords: Plugin = {
  id: "usual-passwords",
  services: { passwords: (cradle: Cradle) => createPasswords(cradle) },
};

/**
 * Derives the keys that seal secrets at a sixty-fourth of the usual cost. No other engine can open secrets of such an engine, so
 * tests that open them elsewhere use the usual keys.
 */
export const quickKeys: Plugin = {
  id: "quick-keys",
  services: { keyCosts: () => ({ N: 256, r: 8, p: 1 }) },
};

export const usualKeys: Plugin = {
  id: "usual-keys",
  services: { keyCosts: () => KEY_COSTS },
};

/** A started engine over memory storage; answers are checked against their schemas. Dispose it with `await using`. */
export async function startEngine<const Plugins extends readonly Plugin[] = readonly []>(
  options: Partial<SignalboxOptions<Plugins>> & { clock?: FakeClock } = {},
) {
  const clock = options.clock ?? fakeClock(START, { together: true });
  const signalbox = createSignalbox<Plugins>({
    storage: memoryStorage({ clock }),
    secretKey: "correct horse battery staple",
    administratorKey: "administrator0123456789abc",
    ...options,
    plugins: [quickPasswords, quickKeys, ...(options.plugins ?? [])] as unknown as Plugins,
    clock,
    config: { debug: true, tz: "UTC", ...options.config },
  });
  const report = await signalbox.start();
  return { ...signalbox, clock, report, [Symbol.asyncDispose]: signalbox.stop };
}

/** A key with the given privileges; `limits` restrict it to categories and groups. */
export function keyWith(
  privileges: readonly string[],
  limits: Partial<Pick<Actor, "categories" | "groups" | "id">> = {},
): Actor {
  return {
    kind: "key",
    id: "ktest",
    title: "Test",
    privileges: Object.fromEntries(privileges.map((id) => [id, true as const])),
    categories: [],
    groups: [],
    ...limits,
  };
}

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that records its lines. */
export function recordingLogger(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (level: LogLine["level"]) => (fields: LogFields, message: string) =>
    void lines.push({ level, message, fields });
  const debug = keep("debug");
  // Without the lines about rows of the activity log: tests read the rows.
  const without = (fields: LogFields, message: string) =>
    fields["component"] === "Transaction" ? undefined : debug(fields, message);
  return { lines, debug: without, info: keep("info"), warn: keep("warn"), error: keep("error") };
}

/** The refusal of a call: `code` and `description` as on the wire. Throws when the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<{ code: string; description: string }> {
  try {
    await call;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, description: message };
  }
  throw new Error("The call was not refused");
}

/** A plugin that exposes the container of its engine. */
export function cradleProbe(): { readonly plugin: Plugin<readonly []>; readonly cradle: () => Cradle } {
  let held: Cradle | undefined;
  return {
    plugin: {
      id: "cradle-probe",
      start: async (cradle) => {
        held = cradle;
      },
    },
    cradle: () => {
      if (!held) throw new Error("The engine was not started");
      return held;
    },
  };
}
