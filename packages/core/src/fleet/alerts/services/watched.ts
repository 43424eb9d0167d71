import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { stateCollection } from "../collection.ts";
import { type Kind, keyOfSubject, placeOfWatched, type Sight } from "../rules/subjects.ts";
import type { CompiledAlerts } from "./compiled.ts";
import type { AlertEvaluation, AlertSample } from "./evaluation.ts";
import type { Upkeep } from "./upkeep.ts";

/** Alerts about subjects other than servers: the domain of a subject shows it to its alerts once a minute. */
export interface WatchedAlerts {
  /** Whether an enabled alert is about subjects of this kind. */
  isAsked(kind: Kind): boolean;
  /** Moves the alerts on; what is live on a subject that is not shown any more ends. `now` is Unix seconds. */
  look(kind: Kind, sights: readonly Sight[], now: number, signal: AbortSignal): Promise<void>;
}

/** Subjects whose alerts move in one transaction. */
const TOGETHER = 32;

type Deps = Pick<Cradle, "snapshot" | "transact">;

interface Parts {
  readonly compiled: CompiledAlerts;
  readonly evaluation: AlertEvaluation;
  readonly upkeep: Upkeep;
}

export function createWatched(deps: Deps, { compiled, evaluation, upkeep }: Parts): WatchedAlerts {
  const alertsOn = (kind: Kind): string[] =>
    compiled.all().flatMap(({ alert, kind: own }) => (alert.enabled && own === kind ? [alert.id] : []));
  return {
    isAsked: (kind) => alertsOn(kind).length > 0,
    async look(kind, sights, now, signal) {
      const words = alertsOn(kind);
      if (words.length === 0) return;
      const known = await placesOf(deps, words);
      const samples = sights.flatMap((sight): Omit<AlertSample, "unit">[] => {
        const server = placeOfWatched(sight.watched);
        const look = { server, date: Math.floor(now), groups: [] };
        const readings = evaluation.readByClock(kind, { ...look, context: sight.context, isOver: () => false });
        return readings.held.size > 0 || known.has(server.id) ? [{ ...look, readings }] : [];
      });
      for (let start = 0; start < samples.length && !signal.aborted; start += TOGETHER) {
        const some = samples.slice(start, start + TOGETHER);
        await deps.transact((unit) =>
          evaluation.advance(
            unit.tx,
            some.map((sample) => ({ ...sample, unit })),
          ),
        );
      }
      const shown = new Set(sights.map(({ watched }) => keyOfSubject(watched.subject)));
      for (const place of known)
        if (!shown.has(place) && !signal.aborted) await deps.transact((unit) => upkeep.endPlace(unit, place));
    },
  };
}

/** Where one of these alerts has a state. */
async function placesOf({ snapshot }: Deps, words: readonly string[]): Promise<Set<string>> {
  const where: SearchNode = { kind: "term", field: "alert", words };
  const { rows } = await snapshot((tx) => tx.collection(stateCollection).find(where));
  return new Set(rows.map(({ server }) => server));
}
