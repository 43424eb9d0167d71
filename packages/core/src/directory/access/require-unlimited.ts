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
