import { DomainError } from "../../kernel/errors/errors.ts";
import { type Caller, mayAccess } from "./require-access.ts";

/**
 * Callers limited to some groups may not manage definitions that hold for all groups; the code is "alert" for both
 * (docs/contract/monitors.md).
 */
export function requireUnlimited(caller: Caller, things: "monitors" | "alerts"): void {
  if (!mayAccess(caller, { group: "*" }))
    throw new DomainError("alert", "conflict", `Group-limited users may not manage ${things}.`);
}

/**
 * The same for routes and receivers (docs/contract/notices.md#routes). Here the refusal has the code of the record, and says
 * that a right is missing.
 */
export function requireUnlimitedTelling(caller: Caller, noun: "receiver" | "route"): void {
  if (!mayAccess(caller, { group: "*" }))
    throw new DomainError(noun, "denied", "Group-limited users may not manage routes.");
}
