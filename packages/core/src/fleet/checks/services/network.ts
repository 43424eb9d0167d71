import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { Sight } from "../../alerts/rules/subjects.ts";
import { stateCollection } from "../collection.ts";
import type { Check, CheckState } from "../model.ts";
import { ENGINE, networkOf } from "../rules/network.ts";

/** The network of the engine as alerts see it; none where nothing is asked. */
export type EngineSight = (tx: ReadTx) => Promise<Sight[]>;

const ABOUT = { id: ENGINE, title: "Network of the engine" };
/** It is no check, so no rule about checks fires on it. */
const CALM = { ok: true, down: false, failures: 0, vantages: 0, failed: 0, warn_days: 0, crit_days: 0 };

export function createEngineSight({ clock }: Pick<Cradle, "clock">, judged: () => readonly Check[]): EngineSight {
  return async (tx) => {
    const checks = judged();
    if (checks.length === 0) return [];
    const network = networkOf(checks, await statesOf(tx, checks), clock.now());
    const check = { ...ABOUT, category: "", tags: [], ...CALM };
    return [{ watched: { subject: { type: "check", ...ABOUT }, category: "", tags: [] }, context: { network, check } }];
  };
}

/** By check. */
export async function statesOf(tx: ReadTx, checks: readonly Check[]): Promise<Map<string, CheckState>> {
  const states = await tx.collection(stateCollection).getMany(checks.map(({ id }) => id));
  return new Map(states.flatMap((state) => (state ? [[state.id, state] as const] : [])));
}
