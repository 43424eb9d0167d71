import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { reachOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { visibleFirings } from "../../../fleet/alerts/rules/visible.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, hasAnyOf, hasWord, type SearchNode, withTerms } from "../../../search/ast.ts";

const isOwn = (actor: Actor, invocation: Invocation): boolean => mayAccess(actor, reachOf(invocation));

/** Ids of the invocations whose subject the caller may see. */
export async function visible(tx: ReadTx, actor: Actor, invocations: readonly string[]): Promise<Set<string>> {
  const found = await tx.collection(invocationRecords).getMany(invocations);
  return new Set(found.flatMap((each) => (each && isOwn(actor, each) ? [each.id] : [])));
}

/** Fields of notices that describe their firings individually, with the equivalent field of invocations. */
const OF_FIRINGS: Readonly<Record<string, string>> = { alert: "alert", subject: "server" };
/** Maximum firings to look up for one condition; the newest ones count. */
const MOST = 1000;
/** Maximum conditions about firings in one query. */
const MOST_CONDITIONS = 20;

type Term = SearchNode & { readonly kind: "term" };

interface Asking {
  readonly tx: ReadTx;
  readonly actor: Actor;
  left: number;
}

/**
 * Rewrites a condition on notices for a limited caller, so that its part about firings matches only firings within the caller's
 * reach. A notice also names firings outside it, and whether a row appears would disclose these.
 */
export const withinReach = (tx: ReadTx, actor: Actor, where: SearchNode): Promise<SearchNode> =>
  ownTerms({ tx, actor, left: MOST_CONDITIONS }, where);

const ownTerms = (asking: Asking, where: SearchNode): Promise<SearchNode> =>
  withTerms(where, (term) => ofTerm(asking, term));

async function ofTerm(asking: Asking, term: Term): Promise<SearchNode> {
  const { actor, tx } = asking;
  const { field, words } = term;
  const within = (own: readonly string[], name = field): SearchNode => hasAnyOf(name, own);
  if (field === "groups") return within(words.filter((group) => mayAccess(actor, { group })));
  if (field === "categories") return within(words.filter((category) => mayAccess(actor, { category })));
  if (field === "invocation") return within([...(await visible(tx, actor, words))]);
  const same = OF_FIRINGS[field];
  if (same === undefined) return term;
  asking.left -= 1;
  if (asking.left < 0) throw new DomainError("db", "malformed", "Failed DB search: The query has too many parts");
  const own = visibleFirings(actor, "category");
  const about = own ? allOf([hasWord(same, words), own]) : hasWord(same, words);
  const page = { sortBy: "start", descending: true, limit: MOST };
  const { rows } = await tx.collection(invocationRecords).find(about, page);
  return within(
    rows.map(({ id }) => id),
    "invocation",
  );
}
