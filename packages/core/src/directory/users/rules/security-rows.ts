import { hasWord } from "../../../search/ast.ts";
import type { SecurityEntry, SecurityRow } from "../model.ts";

/** The security log of one account. */
export const rowsOf = (user: string) => hasWord("account", user);

/** A row as its owner sees it. */
export const publicRow = ({ account: _account, ...row }: SecurityRow): SecurityEntry => row as SecurityEntry;
