import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { problemCollection } from "../collection.ts";
import type { Problem } from "../model.ts";

/** Few at a time: each may have thousands of members. */
const PAGE = 20;
const open: SearchNode = { kind: "term", field: "state", words: ["open"] };

/** By id, page by page: problems close while they are worked on. */
export async function* openProblems({ snapshot }: Pick<Cradle, "snapshot">): AsyncGenerator<Problem> {
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
