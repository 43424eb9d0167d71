import type { SearchNode } from "../../../search/ast.ts";
import type { SecurityEntry, SecurityRow } from "../model.ts";

/** The security log of one account. */
export const rowsOf = (user: string): SearchNode => ({ kind: "term", field: "account", words: [user] });

/** A row as its owner sees it. */
export const publicRow = ({ account: _account, ...row }: SecurityRow): SecurityEntry => row as SecurityEntry;
