import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, hasWord } from "../../../../search/ast.ts";
import { invocationCollection } from "../../collection.ts";
import type { Alert, Invocation } from "../../model.ts";
import { placeOf } from "../../rules/definition/subjects.ts";
import { type Episode, episodeOf, firedAt, flapRuleOf, type Spell } from "../../rules/evaluation/episodes.ts";

/** Seconds to look back: episodes of the last day count, and one of them may have lasted a day. */
const SEEN_SEC = 2 * 86_400;
/** Most firings, of all alerts on one subject, that are read. If there are more, the alert flaps anyway. */
const MAX_FIRINGS = 500;

export interface Comings {
  readonly alert: Pick<Alert, "id" | "flap_count" | "flap_window">;
  /** Place of the subject, as `placeOf` returns it for invocations. */
  readonly place: string;
  /** Unix seconds. */
  readonly at: number;
  /** A firing that has not been stored yet. */
  readonly next?: Spell;
}

/** Reads the firings on a place in the two days before a time, newest first. */
export type Earlier = (place: string, at: number) => Promise<readonly Invocation[]>;

/** The flapping episode at a given time, from the stored firings. */
export async function episodeAt(
  tx: ReadTx,
  { alert, place, at, next }: Comings,
  earlier: Earlier = (on, until) => readEarlier(tx, [on], until),
): Promise<Episode | undefined> {
  const rule = flapRuleOf(alert);
  if (rule.count === 0) return undefined;
  const own = (await earlier(place, at)).filter(({ alert: id }) => id === alert.id).toReversed();
  return episodeOf([...own.map(spellOf), ...(next ? [next] : [])], rule, at);
}

/** Searched by server only: an alert may have many firings over all servers, one server has few. */
async function readEarlier(tx: ReadTx, places: readonly string[], at: number): Promise<readonly Invocation[]> {
  const where = allOf([hasWord("server", places), above("start", at - SEEN_SEC)]);
  const page = { sortBy: "start", descending: true, limit: MAX_FIRINGS };
  return (await tx.collection(invocationCollection).find(where, page)).rows;
}

/** Reads what the firings on several places need with one statement, or place by place if there are too many. */
export async function earlierOn(tx: ReadTx, places: readonly string[], from: number): Promise<Earlier> {
  const rows = places.length > 1 ? await readEarlier(tx, places, from) : undefined;
  if (!rows || rows.length === MAX_FIRINGS) return (place, at) => readEarlier(tx, [place], at);
  const byPlace = Map.groupBy(rows, placeOf);
  return async (place, at) => (byPlace.get(place) ?? []).filter(({ date }) => date > at - SEEN_SEC);
}

const spellOf = (row: Invocation): Spell => ({ from: firedAt(row), to: row.active ? undefined : row.modified });
