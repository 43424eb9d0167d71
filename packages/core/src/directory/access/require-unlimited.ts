import { DomainError } from "../../kernel/errors/errors.ts";
import { type Caller, mayAccess } from "./require-access.ts";

/**
 * Refuses callers that are limited to some groups, because these definitions apply to all groups. The error code is "alert" for
 * both (docs/contract/monitors.md).
 */
export function requireUnlimited(caller: Caller, things: "monitors" | "alerts"): void {
  if (!mayAccess(caller, { group: "*" }))
    throw new DomainError("alert", "conflict", `Group-limited users may not manage ${things}.`);
}

/**
 * The same for routes and receivers (docs/contract/notices.md#routes). Here the error has the code of the record and the reason
 * `denied`.
 */
export function requireUnlimitedTelling(caller: Caller, noun: "receiver" | "route"): void {
  if (!mayAccess(caller, { group: "*" }))
    throw new DomainError(noun, "denied", "Group-limited users may not manage routes.");
}
