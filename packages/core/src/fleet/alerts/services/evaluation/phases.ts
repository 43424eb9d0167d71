import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, hasWord, type SearchNode } from "../../../../search/ast.ts";
import { alertCollection, invocationCollection, stateCollection } from "../../collection.ts";
import { stateKey } from "../../model.ts";
import { type Phase, phaseOf } from "../../rules/evaluation/explain.ts";
import { type PhaseInterval, phaseIntervals } from "../../rules/evaluation/intervals.ts";
import { episodeAt } from "./flapping.ts";

/** Phase of an alert on a subject, now and in the past days. */
export interface Phases {
  readonly now: { readonly state: Phase; readonly flapping: boolean };
  readonly past: readonly PhaseInterval[];
}

export interface OnPlace {
  /** Id of the definition. */
  readonly alert: string;
  /** Place of the subject, as `placeOf` returns it for invocations. */
  readonly place: string;
}
export type PhasesOf = (tx: ReadTx, on: OnPlace) => Promise<Phases>;

/** Seconds. */
const SEEN_SEC = 8 * 86_400;
/** Most firings that are read, newest first. */
const MAX_FIRINGS = 500;

/** Phases are derived from states and invocations, so nothing extra is stored for them. */
export function createPhases({ clock, definitions }: Pick<Cradle, "clock" | "definitions">): PhasesOf {
  return async (tx, { alert: id, place }) => {
    const now = Math.floor(clock.now());
    const nodes: SearchNode[] = [hasWord("alert", id), hasWord("server", place), above("end", now - SEEN_SEC)];
    const page = { sortBy: "start", descending: true, limit: MAX_FIRINGS };
    const { rows } = await tx.collection(invocationCollection).find(allOf(nodes), page);
    const alert = definitions.get(alertCollection, id);
    const state = await tx.collection(stateCollection).get(stateKey(place, id));
    const flaps = rows[0]?.flapping && alert && (await episodeAt(tx, { alert, place, at: now }));
    return {
      now: { state: alert ? phaseOf({ state, alert }) : "idle", flapping: flaps !== undefined && Boolean(flaps) },
      past: phaseIntervals(rows.toReversed(), now - SEEN_SEC),
    };
  };
}
