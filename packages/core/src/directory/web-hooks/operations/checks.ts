import type { Actor } from "../../../kernel/calls/context.ts";
import { admin } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Services } from "../../../kernel/plugins/services.ts";
import type { HookHeader, HookTexts } from "../model.ts";
import { areHeaders } from "../rules/record.ts";

/** Checked headers; none when none were sent. */
export function checkHeaders(id: string, headers: unknown): HookHeader[] {
  if (headers === undefined || headers === null) return [];
  if (areHeaders(headers)) return headers;
  throw new DomainError("web_hook", "malformed", `Invalid header format for web hook: ${id}`);
}

/** Throws for a macro that does not compile: it is refused when the hook is saved, not at a firing in the night. */
export function requireMacros(hook: HookTexts, { webHooks }: Services): void {
  const fault = webHooks.check(hook);
  if (fault !== undefined) throw new DomainError("web_hook", "malformed", fault);
}

/**
 * A writer of a hook's target and content could read its secrets, so only administrators may write a hook that has
 * some.
 */
export function requireKeeper(id: string, { actor, services }: { actor: Actor; services: Services }): void {
  if (services.vault.assigned("web_hooks", id).length > 0) services.gatekeeper.authorize(actor, admin);
}
