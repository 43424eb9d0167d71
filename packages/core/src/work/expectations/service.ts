import { type Caller, mayAccess, requireAccess } from "../../directory/access/require-access.ts";
import { categoryRecords } from "../../directory/categories/records.ts";
import type { Sight, Watched } from "../../fleet/alerts/rules/definition/subjects.ts";
import type { WatchedSource } from "../../fleet/alerts/subjects/watched-source.ts";
import type { Cradle } from "../../kernel/container.ts";
import { NotFoundError } from "../../kernel/errors/errors.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import type { Event } from "../events/model.ts";
import { judgedCollection } from "./collection.ts";
import { type Expecting, fromOf } from "./rules/sight.ts";
import { createDues, type DuesOf } from "./services/dues.ts";
import { sightNow } from "./services/facts.ts";
import { pastOf } from "./services/past.ts";
import { createWatch, type WatchEvents } from "./services/watch.ts";

/** Expectations of events, for the alerts that fire when one is not met. */
export interface Expectations extends WatchedSource {
  readonly watch: WatchEvents;
  /** Shows an event to its alerts as soon as a run of it has ended. */
  see(event: string): Promise<void>;
}

/** Most events that one call evaluates. */
const MOST = 1000;

type Deps = Pick<
  Cradle,
  "alerts" | "apart" | "clock" | "definitions" | "eventRecords" | "scheduler" | "snapshot" | "transact"
>;

export function createExpectations(deps: Deps): Expectations {
  const { clock, definitions, eventRecords } = deps;
  const isJudged = (event: Event): event is Event & Expecting =>
    Boolean(event.enabled && event.expect && definitions.get(categoryRecords, event.category)?.enabled);
  const judged = (): Expecting[] => eventRecords.all().filter(isJudged);
  const one = (actor: Caller, id: string): Expecting[] => {
    const event = eventRecords.get(id);
    if (!event) throw new NotFoundError(`Failed to locate event: ${id}`);
    requireAccess(actor, { category: event.category });
    return isJudged(event) ? [event] : [];
  };
  const all = (actor: Caller): Expecting[] =>
    judged()
      .filter(({ category }) => mayAccess(actor, { category }))
      .slice(0, MOST);
  const duesOf = createDues(deps);
  const sightOf = sightsBy(duesOf);
  return {
    watch: createWatch(deps, { judged, watchedOf, duesOf }),
    async see(id) {
      const event = eventRecords.get(id);
      if (!event || !isJudged(event) || !deps.alerts.watched.isAsked("event")) return;
      const now = clock.now();
      const sight = await deps.snapshot((tx) => sightOf(tx, event, now));
      await deps.transact((unit) => deps.alerts.watched.sample(unit, "event", [sight], now));
    },
    async visible(tx, actor, id) {
      const now = clock.now();
      const sights: Sight[] = [];
      for (const event of id === undefined ? all(actor) : one(actor, id)) sights.push(await sightOf(tx, event, now));
      return sights;
    },
    countOf: (isMeant) => judged().filter((event) => isMeant(watchedOf(event))).length,
    async *past(id, span) {
      const event = eventRecords.get(id);
      if (event && isJudged(event)) yield* pastOf(event, { ...span, dueAfter: createDues(deps)(event) });
    },
  };
}

const sightsBy =
  (duesOf: DuesOf) =>
  async (tx: ReadTx, event: Expecting, now: number): Promise<Sight> => {
    const from = fromOf(event, (await tx.collection(judgedCollection).get(event.id))?.from ?? now);
    const context = await sightNow(tx, event, { now, from, dueAfter: duesOf(event) });
    return { watched: watchedOf(event), context };
  };

const watchedOf = ({ id, title, category, tags, expect: { severity } }: Expecting): Watched => ({
  subject: { type: "event", id, title, ...(severity ? { severity } : {}) },
  category,
  tags: tags ?? [],
});
