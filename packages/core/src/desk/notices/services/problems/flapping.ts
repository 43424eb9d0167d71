import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { type Episode, firedAt } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { decisionCollection } from "../../collection.ts";
import type { Flap } from "../../rules/flapping/flap.ts";

type Deps = Pick<Cradle, "alerts" | "snapshot">;

/** The flapping episode that a firing is part of. */
export async function episodeWith({ alerts, snapshot }: Deps, invocation: Invocation): Promise<Episode | undefined> {
  const alert = alerts.definition(invocation.alert);
  if (!alert || !invocation.flapping) return undefined;
  return snapshot((tx) => alerts.episodeAt(tx, { alert, place: placeOf(invocation), at: firedAt(invocation) }));
}

/** Unix seconds at which an invocation began or ended, whichever is later. */
export const lastChange = (invocation: Invocation): number =>
  invocation.active ? firedAt(invocation) : invocation.modified;

interface Part {
  /** Ids. */
  readonly invocation: string;
  readonly problem: string;
  readonly flap: Flap;
  /** Unix seconds. */
  readonly from: number;
}

/** Records why a firing that is part of a flapping episode causes no notice: as a mere part it has no standing in the problem. */
export async function notePart({ tx }: Pick<Unit, "tx">, { invocation, problem, flap, from }: Part): Promise<void> {
  const id = `${invocation}:flapping:${problem}`;
  const decisions = tx.collection(decisionCollection);
  if (await decisions.get(id)) return;
  const title = `fired ${flap.count} times, and counts as settled after ${flap.quiet / 60} minutes without a change`;
  const by = { kind: "flapping", id: problem, title } as const;
  await decisions.insert({ id, invocation, receiver: null, problem, verdict: "held", by, from, to: null });
}
