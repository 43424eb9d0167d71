import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, hasWord } from "../../../../search/ast.ts";
import { invocationCollection } from "../../collection.ts";
import type { Alert, Invocation } from "../../model.ts";
import { type Episode, episodeOf, firedAt, flapRuleOf, type Spell } from "../../rules/evaluation/episodes.ts";

/** Episodes of the day before count, and one may have lasted a day. Seconds. */
const SEEN_SEC = 2 * 86_400;
/** Firings of all alerts on one subject that are looked at; alerts that fire more often flap anyway. */
const MAX_FIRINGS = 500;

export interface Comings {
  readonly alert: Pick<Alert, "id" | "flap_count" | "flap_window">;
  /** Place of the subject: `placeOf` of its invocations. */
  readonly place: string;
  /** Unix seconds. */
  readonly at: number;
  /** A firing that is not stored yet. */
  readonly next?: Spell;
}

/** The flapping that goes on at a time, from the firings that are stored. */
export async function episodeAt(tx: ReadTx, { alert, place, at, next }: Comings): Promise<Episode | undefined> {
  const rule = flapRuleOf(alert);
  if (rule.count === 0) return undefined;
  // The alert is no condition here: on all servers it may have many firings, one server has few.
  const where = allOf([hasWord("server", place), above("start", at - SEEN_SEC)]);
  const page = { sortBy: "start", descending: true, limit: MAX_FIRINGS };
  const { rows } = await tx.collection(invocationCollection).find(where, page);
  const own = rows.filter(({ alert: id }) => id === alert.id).toReversed();
  return episodeOf([...own.map(spellOf), ...(next ? [next] : [])], rule, at);
}

const spellOf = (row: Invocation): Spell => ({ from: firedAt(row), to: row.active ? undefined : row.modified });
