import type { Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { placeOf } from "../../../fleet/alerts/rules/subjects.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { decisionCollection } from "../collection.ts";
import { type Episode, episodeOf, flapRuleOf } from "../rules/flapping/episodes.ts";
import type { Flap } from "../rules/flapping/flap.ts";

/** Episodes of the day before count, and one may have lasted a day. Seconds. */
const SEEN_SEC = 2 * 86_400;
/** Firings of all alerts on one subject that are looked at; what fires more often flaps anyway. */
const MAX_FIRINGS = 500;

/** The flapping that a firing is part of. */
export async function episodeWith(
  { alerts, snapshot }: Pick<Cradle, "alerts" | "snapshot">,
  invocation: Invocation,
): Promise<Episode | undefined> {
  const alert = alerts.definition(invocation.alert);
  const rule = flapRuleOf(alert ?? {});
  if (rule.count === 0) return undefined;
  // The alert is left out here: its firings on all servers are many, those of one server are few.
  const where: SearchNode = {
    kind: "and",
    nodes: [
      { kind: "term", field: "server", words: [placeOf(invocation)] },
      { kind: "compare", field: "start", operator: "gt", value: firedAt(invocation) - SEEN_SEC },
    ],
  };
  const page = { sortBy: "start", descending: true, limit: MAX_FIRINGS };
  const { rows } = await snapshot((tx) => tx.collection(invocationRecords).find(where, page));
  const own = rows.filter(({ alert: id }) => id === invocation.alert);
  const spells = own.map((row) => ({ from: firedAt(row), to: row.active ? undefined : row.modified }));
  return episodeOf(spells.toReversed(), rule);
}

const firedAt = ({ fired, date }: Invocation): number => fired ?? date;

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

/** A firing that is part of a flapping has no standing of its own; why it is not told is kept for people who ask. */
export async function notePart({ tx }: Pick<Unit, "tx">, { invocation, problem, flap, from }: Part): Promise<void> {
  const id = `${invocation}:flapping:${problem}`;
  const decisions = tx.collection(decisionCollection);
  if (await decisions.get(id)) return;
  const title = `fired ${flap.count} times, and counts as settled after ${flap.quiet / 60} minutes without a change`;
  const by = { kind: "flapping", id: problem, title } as const;
  await decisions.insert({ ...{ id, invocation, receiver: null, problem, verdict: "held" }, by, from, to: null });
}
