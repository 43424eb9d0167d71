import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { hasWord } from "../../../../search/ast.ts";
import { stateCollection } from "../../collection.ts";
import { type Kind, keyOfSubject, placeOfWatched, type Sight, type Watched } from "../../rules/definition/subjects.ts";
import type { Upkeep } from "../upkeep.ts";
import type { CompiledAlerts } from "./compiled.ts";
import type { AlertEvaluation, AlertSample } from "./evaluation.ts";

/**
 * Alerts about subjects other than servers. The domain of a subject passes its values once a minute, or with each
 * result.
 */
export interface WatchedAlerts {
  /** True when an enabled alert is about subjects of this kind. */
  isAsked(kind: Kind): boolean;
  /** Advances the alerts. Live ones end on subjects that are not among `sights`. `now` is Unix seconds. */
  look(kind: Kind, sights: readonly Sight[], now: number, signal: AbortSignal): Promise<void>;
  /** Advances the alerts of some subjects, in the transaction that stores their new results. */
  sample(unit: Unit, kind: Kind, sights: readonly Sight[], now: number): Promise<void>;
  /** Ends live alerts on subjects that are no longer watched. */
  keepOnly(kind: Kind, shown: readonly Watched[], signal: AbortSignal): Promise<void>;
}

/** Subjects whose alerts are advanced in one transaction. */
const TOGETHER = 32;

type Deps = Pick<Cradle, "apart" | "snapshot" | "transact">;

interface Parts {
  readonly compiled: CompiledAlerts;
  readonly evaluation: AlertEvaluation;
  readonly upkeep: Upkeep;
}

export function createWatched(deps: Deps, { compiled, evaluation, upkeep }: Parts): WatchedAlerts {
  const alertsOn = (kind: Kind): string[] =>
    compiled.all().flatMap(({ alert, kind: own }) => (alert.enabled && own === kind ? [alert.id] : []));
  const readOne = (kind: Kind, { watched, context }: Sight, now: number): Read => {
    const look = { server: placeOfWatched(watched), date: Math.floor(now), groups: [] };
    return { ...look, readings: evaluation.readByClock(kind, { ...look, context }) };
  };
  const readAll = (kind: Kind, sights: readonly Sight[], now: number): Read[] =>
    sights.filter(({ isUnknown }) => !isUnknown).map((sight) => readOne(kind, sight, now));
  const advance = (unit: Unit, samples: readonly Read[]) => evaluation.advance(unit.tx, inUnit(samples, unit));
  const endOthers = createEndOthers(deps, upkeep);
  return {
    isAsked: (kind) => alertsOn(kind).length > 0,
    async look(kind, sights, now, signal) {
      const words = alertsOn(kind);
      if (words.length === 0) return;
      const known = await placesOf(deps, words);
      const samples = readAll(kind, sights, now).filter(
        ({ server, readings }) => readings.held.size > 0 || known.has(server.id),
      );
      for (let start = 0; start < samples.length && !signal.aborted; start += TOGETHER)
        await deps.apart.together(
          samples.slice(start, start + TOGETHER),
          ({ server }) => ({ task: "alerts", noun: "Subject", id: server.id, signal }),
          (some) => deps.transact((unit) => advance(unit, some)),
        );
      await endOthers(known, watchedIn(sights), signal);
    },
    async sample(unit, kind, sights, now) {
      if (alertsOn(kind).length === 0) return;
      await advance(unit, readAll(kind, sights, now));
    },
    async keepOnly(kind, shown, signal) {
      const words = alertsOn(kind);
      if (words.length > 0) await endOthers(await placesOf(deps, words), shown, signal);
    },
  };
}

/** Ends alerts on known places that are not watched any more. */
const createEndOthers =
  ({ apart, transact }: Deps, upkeep: Upkeep) =>
  async (known: ReadonlySet<string>, watched: readonly Watched[], signal: AbortSignal): Promise<void> => {
    const shown = new Set(watched.map(({ subject }) => keyOfSubject(subject)));
    for (const place of known)
      if (!shown.has(place) && !signal.aborted)
        await apart.run({ task: "ends of alerts", noun: "Subject", id: place, signal }, () =>
          transact((unit) => upkeep.endPlace(unit, place)),
        );
  };

type Read = Omit<AlertSample, "unit">;

const inUnit = (samples: readonly Read[], unit: Unit): AlertSample[] => samples.map((sample) => ({ ...sample, unit }));

const watchedIn = (sights: readonly Sight[]): Watched[] => sights.map(({ watched }) => watched);

/** Ids of servers and subjects on which one of these alerts has a state. */
async function placesOf({ snapshot }: Deps, words: readonly string[]): Promise<Set<string>> {
  const where = hasWord("alert", words);
  const { rows } = await snapshot((tx) => tx.collection(stateCollection).find(where));
  return new Set(rows.map(({ server }) => server));
}
