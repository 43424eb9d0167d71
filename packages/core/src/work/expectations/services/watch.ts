import { type Sight, UNKNOWN } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { definitionIn } from "../../../kernel/apart.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { judgedCollection } from "../collection.ts";
import type { Judged } from "../model.ts";
import { type Expecting, fromOf } from "../rules/sight.ts";
import type { DuesOf } from "./dues.ts";
import { sightNow } from "./facts.ts";

/** Evaluates the alerts on events for all events with expectations; once a minute. `now` is Unix seconds. */
export type WatchEvents = (now: number, signal: AbortSignal) => Promise<void>;

type Deps = Pick<Cradle, "alerts" | "apart" | "clock" | "snapshot" | "transact">;

interface Parts {
  readonly judged: () => Expecting[];
  readonly watchedOf: (event: Expecting) => Sight["watched"];
  readonly duesOf: DuesOf;
}

export function createWatch(deps: Deps, { judged, watchedOf, duesOf }: Parts): WatchEvents {
  const watch: WatchEvents = async (now, signal) => {
    const events = judged();
    const known = await rememberJudged(deps, events, now);
    if (!deps.alerts.watched.isAsked("event")) return;
    const breathe = createBreath(deps.clock, signal);
    const sights: Sight[] = [];
    const contextOf = async (event: Expecting) => {
      const look = { now, from: fromOf(event, known.get(event.id) ?? now), dueAfter: duesOf(event) };
      return deps.snapshot((tx) => sightNow(tx, event, look));
    };
    for (const event of events) {
      if (signal.aborted) return;
      const about = definitionIn("expectations", "Event", event.id, signal);
      const context = await deps.apart.run(about, () => contextOf(event));
      sights.push({ watched: watchedOf(event), ...(context ? { context } : UNKNOWN) });
      await breathe();
    }
    await deps.alerts.watched.look("event", sights, now, signal);
  };
  return watch;
}

/** Stores the events that have not been judged before; they are judged from this moment on. */
async function rememberJudged(deps: Deps, events: readonly Expecting[], now: number): Promise<Map<string, number>> {
  const stored = await deps.snapshot((tx) => tx.collection(judgedCollection).list());
  const known = new Map(stored.map(({ id, from }) => [id, from]));
  const ids = new Set(events.map(({ id }) => id));
  const fresh = [...ids].filter((id) => !known.has(id));
  const gone = stored.filter(({ id }) => !ids.has(id));
  if (fresh.length > 0 || gone.length > 0)
    await deps.transact(async ({ tx }) => {
      const judged = tx.collection(judgedCollection);
      // Two nodes may lead at once.
      const found = await judged.getMany(fresh);
      const missing = fresh.filter((_id, at) => !found[at]);
      await judged.insertMany(missing.map((id): Judged => ({ id, from: Math.floor(now) })));
      for (const { id } of gone) await judged.delete(id);
    });
  for (const id of fresh) known.set(id, Math.floor(now));
  return known;
}
