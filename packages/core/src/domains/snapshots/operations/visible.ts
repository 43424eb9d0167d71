import { DomainError } from "../../../kernel/errors.ts";
import { type Caller, mayAccess, requireAccess } from "../../auth/require-access.ts";

/** Limited callers reach what shares a group with them; without any group it is invisible to them (part 21 §4). */
export function requireTarget(caller: Caller, { id, groups }: { id: string; groups: readonly string[] }): void {
  requireAccess(caller, { targets: groups.length > 0 ? groups : [id] });
}

export function requireUnlimited(caller: Caller): void {
  if (!mayAccess(caller, { group: "*" }))
    throw new DomainError("alert", "conflict", "Group-limited users may not delete server snapshots.");
}
