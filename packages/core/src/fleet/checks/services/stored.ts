import type * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { claimCollection, resultCollection, stateCollection } from "../collection.ts";
import type { CheckPlace, CheckResult, KeptResult } from "../model.ts";
import { HERE, isAskedHere } from "../rules/places.ts";
import { placesIn, results, standingOf } from "../rules/standing.ts";
import type { CheckService } from "../service.ts";
import { lockStates, seriesOf, storeStates } from "./note.ts";

/** State of a check as operations return it. */
export interface Shown {
  readonly down: boolean;
  readonly failures: number;
  readonly places: z.infer<typeof CheckPlace>[];
  readonly results: CheckResult[];
}

const shownResult = ({ id: _kept, ...result }: KeptResult): CheckResult => result;

type Stored = Pick<CheckService, "forget" | "keepPlaces" | "standingOf" | "timelineOf">;

/** Stored state and results of checks. */
export const createStored = (deps: Pick<Cradle, "clock" | "monitors">): Stored => ({
  async standingOf(tx, check) {
    const state = await tx.collection(stateCollection).get(check.id);
    const rows = state ? await tx.collection(resultCollection).getMany(results.idsOf(state)) : [];
    const { fresh } = standingOf(check, state, deps.clock.now());
    const places = state ? placesIn(state).map((place) => ({ ...place, fresh: fresh.includes(place) })) : [];
    return {
      down: state?.down ?? false,
      failures: state?.failures ?? 0,
      places,
      results: rows.flatMap((row) => (row ? [shownResult(row)] : [])),
    };
  },
  timelineOf: (tx, check, ask) => deps.monitors.series.read(tx, seriesOf(check), ask),
  async keepPlaces({ tx }, check) {
    const state = (await lockStates(tx, [check])).get(check.id);
    if (!state) return;
    const isKept = (place: string): boolean =>
      (place === HERE ? isAskedHere(check) : check.from?.includes(place)) ?? false;
    await storeStates(tx, [{ ...state, places: placesIn(state).filter(({ place }) => isKept(place)) }]);
  },
  async forget({ tx }, check) {
    const state = await tx.collection(stateCollection).get(check);
    await tx.collection(claimCollection).delete(check);
    await deps.monitors.series.drop(tx, seriesOf(check));
    if (!state) return;
    await tx.collection(resultCollection).deleteMany(results.idsOf(state));
    await tx.collection(stateCollection).delete(check);
  },
});
