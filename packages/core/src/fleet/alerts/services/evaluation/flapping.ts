import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, hasWord } from "../../../../search/ast.ts";
import { invocationCollection } from "../../collection.ts";
import type { Alert, Invocation } from "../../model.ts";
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

/** The flapping episode at a given time, from the stored firings. */
export async function episodeAt(tx: ReadTx, { alert, place, at, next }: Comings): Promise<Episode | undefined> {
  const rule = flapRuleOf(alert);
  if (rule.count === 0) return undefined;
  // Searched by server only: an alert may have many firings over all servers, one server has few.
  const where = allOf([hasWord("server", place), above("start", at - SEEN_SEC)]);
  const page = { sortBy: "start", descending: true, limit: MAX_FIRINGS };
  const { rows } = await tx.collection(invocationCollection).find(where, page);
  const own = rows.filter(({ alert: id }) => id === alert.id).toReversed();
  return episodeOf([...own.map(spellOf), ...(next ? [next] : [])], rule, at);
}

const spellOf = (row: Invocation): Spell => ({ from: firedAt(row), to: row.active ? undefined : row.modified });
