import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { problemCollection } from "../../collection.ts";
import { parentsOf } from "../../rules/members/parents.ts";
import { latestOf } from "../../rules/problem/facts.ts";
import { type HoldsBack, MAX_TITLES } from "../../rules/texts/holds-back.ts";
import { placeNames } from "./place-names.ts";

/** Levels of parents to follow; dependencies are no deeper. */
const MAX_DEPTH = 10;

/** Firings that live firings hold back directly or indirectly; undefined = none. */
export async function heldBackBy(
  tx: ReadTx,
  { alerts }: Pick<Cradle, "alerts">,
  parents: readonly string[],
): Promise<HoldsBack | undefined> {
  const held = new Set<string>();
  let words = [...parents];
  for (let depth = 0; words.length > 0 && depth < MAX_DEPTH; depth++) {
    const found = await heldBehind(tx, words);
    words = found.filter((id) => !held.has(id) && !parents.includes(id));
    for (const id of words) held.add(id);
  }
  if (held.size === 0) return undefined;
  const first = await tx.collection(invocationRecords).getMany([...held].slice(0, MAX_TITLES));
  const known = first.flatMap((invocation) => invocation ?? []);
  const nameOf = await placeNames(tx, alerts, known);
  const titles = known.map((each) => `${alerts.definition(each.alert)?.title ?? each.alert} on ${nameOf(each)}`);
  return { count: held.size, titles };
}

async function heldBehind(tx: ReadTx, words: string[]): Promise<string[]> {
  const { rows } = await tx.collection(problemCollection).find(hasWord("parent", words));
  const waits = new Set(words);
  const members = rows.flatMap((problem) => (problem.closed === null ? problem.members : []));
  return members.filter((member) => parentsOf(member).some((id) => waits.has(id))).map(latestOf);
}
