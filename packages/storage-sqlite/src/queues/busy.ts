import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../file/handle.ts";
import { InUseError } from "../file/owner.ts";

/** Milliseconds that a statement waits for another program's lock. */
export const LONGEST_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

/** Another program held the lock for the whole waiting time. */
export class StillBusyError extends Error {
  constructor(cause: unknown) {
    super("The SQLite database stayed locked for ten seconds: is a transaction of the host left open?", { cause });
  }
}

const stillBusy = (error: unknown): Error => (error instanceof InUseError ? error : new StillBusyError(error));

/**
 * Retries until the database is free, for ten seconds at most or until `deadline` (of `performance.now()`); the event loop keeps
 * running. Throws `StillBusyError`, or `InUseError` if an engine of another thread kept the file.
 */
export async function whenFree<R>(
  attempt: () => R | Promise<R>,
  deadline = performance.now() + LONGEST_WAIT_MS,
): Promise<R> {
  for (let pauseMs = 1; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) throw stillBusy(error);
    }
    await sleep(pauseMs, undefined, { ref: true });
  }
}

/** The error of an attempt made while the host has a transaction open on the connection that we share with it. */
export const hostIsBusy = (): Error =>
  Object.assign(new Error("The host's transaction is open"), { code: "SQLITE_BUSY" });
