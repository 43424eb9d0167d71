import type { Cradle } from "../../../../kernel/container.ts";
import { recordsById } from "../../../../kernel/searches/pages-by-id.ts";
import { hasWord } from "../../../../search/ast.ts";
import { problemCollection } from "../../collection.ts";
import { latestOf } from "../../rules/problem/facts.ts";

/** Page size; small, since each problem may have thousands of members. */
const PAGE = 20;
const open = hasWord("state", "open");

/** The open problems, read once per look because each may hold thousands of firings. */
export interface KnownProblems {
  /** Ids. */
  readonly ids: ReadonlySet<string>;
  /** By invocation: routes of the problems that contain it. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function readOpenProblems(deps: Pick<Cradle, "snapshot">): Promise<KnownProblems> {
  const ids = new Set<string>();
  const places = new Map<string, Set<string>>();
  const walk = { where: open, size: PAGE };
  for await (const { id: problem, route, members } of recordsById(deps.snapshot, problemCollection, walk)) {
    ids.add(problem);
    for (const member of members)
      for (const id of [member.invocation, latestOf(member)]) places.set(id, (places.get(id) ?? new Set()).add(route));
  }
  return { ids, places };
}
