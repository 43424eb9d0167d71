/** Rules that must hold after every scenario. */
import { inspect } from "node:util";
import { SignalboxError } from "@signalbox/core";
import type { Life } from "./life.ts";

export interface Kept {
  readonly tickets: string[];
  readonly jobs: string[];
  readonly problems: string[];
}

/** Includes the causes: callers are told less than the log. */
export const shown = (error: unknown): string => inspect(error, { depth: 3 });

/** Resolves with the answer; a refusal is a problem only when it does not name the fault. */
export async function attempt<R>(kept: Kept, what: string, call: () => Promise<R>): Promise<R | undefined> {
  try {
    return await call();
  } catch (error) {
    const isTold = error instanceof SignalboxError && error.code !== "internal";
    if (!isTold) kept.problems.push(`${what}: ${shown(error)}`);
    return undefined;
  }
}

/** Checks the stored records with a storage and an engine that never saw the fault. */
export async function examine(life: Life, kept: Kept): Promise<void> {
  const { engine, storage } = life;
  await engine.start();
  const differences = await storage.verifyIndexes();
  if (differences.length > 0) kept.problems.push(`indexes differ: ${JSON.stringify(differences.slice(0, 3))}`);
  const { rows: tickets } = await engine.api.searchTickets({ query: "*", limit: 100 });
  const { rows: told } = await engine.api.searchActivity({ query: "action:ticket_create", limit: 100 });
  const stored = tickets.map(({ id }) => id).sort();
  if (stored.length !== told.length) kept.problems.push(`${stored.length} tickets and ${told.length} rows about them`);
  for (const id of kept.tickets) if (!stored.includes(id)) kept.problems.push(`acknowledged ticket ${id} is lost`);
  const { failed } = await storage.work.stats();
  if (failed > 0) kept.problems.push(`${failed} items of queued work were given up`);
  await engine.stop();
}
