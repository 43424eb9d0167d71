import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { problemCollection } from "../collection.ts";
import type { Problem } from "../model.ts";
import { latestOf } from "../rules/problem/facts.ts";

/** Problems of one page, few since each may have thousands of members. */
const PAGE = 20;
const open: SearchNode = { kind: "term", field: "state", words: ["open"] };

/** Open problems by id, page by page: problems close while they are worked on. */
async function* openProblems({ snapshot }: Pick<Cradle, "snapshot">): AsyncGenerator<Problem> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rest: SearchNode = { kind: "compare", field: "id", operator: "gt", value: after };
    const where: SearchNode = { kind: "and", nodes: [open, rest] };
    const { rows }: { rows: readonly Problem[] } = await snapshot((tx) =>
      tx.collection(problemCollection).find(where, { sortBy: "id", limit: PAGE }),
    );
    yield* rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}

/** The open problems of a look, read once for all of it: each may hold thousands of firings. */
export interface KnownProblems {
  /** Ids. */
  readonly ids: Set<string>;
  /** Routes of the problems that hold each invocation. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function readOpenProblems(deps: Pick<Cradle, "snapshot">): Promise<KnownProblems> {
  const ids = new Set<string>();
  const places = new Map<string, Set<string>>();
  for await (const { id: problem, route, members } of openProblems(deps)) {
    ids.add(problem);
    for (const member of members)
      for (const id of [member.invocation, latestOf(member)]) places.set(id, (places.get(id) ?? new Set()).add(route));
  }
  return { ids, places };
}
