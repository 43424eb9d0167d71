import { byId } from "../../../lib/by-id.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Sight } from "../../alerts/rules/definition/subjects.ts";
import { stateCollection } from "../collection.ts";
import type { Check, CheckState } from "../model.ts";
import { ENGINE, networkOf } from "../rules/network.ts";

/** States of checks, by the id of the check. */
export type States = ReadonlyMap<string, CheckState>;

const ABOUT = { id: ENGINE, title: "Network of the engine" };
/** Neutral values for the members of a check. The network is no check, so no alert about checks may fire on it. */
const CALM = { ok: true, down: false, failures: 0, vantages: 0, failed: 0, where: "", warn_days: 0, crit_days: 0 };

/** Values of the engine's network for alerts; an empty list when no check runs. */
export function networkSights(checks: readonly Check[], states: States, now: number): Sight[] {
  if (checks.length === 0) return [];
  const network = networkOf(checks, states, now);
  const check = { ...ABOUT, category: "", tags: [], ...CALM };
  return [{ watched: { subject: { type: "check", ...ABOUT }, category: "", tags: [] }, context: { network, check } }];
}

export async function statesOf(tx: ReadTx, checks: readonly Check[]): Promise<States> {
  const states = await tx.collection(stateCollection).getMany(checks.map(({ id }) => id));
  return byId(states);
}
