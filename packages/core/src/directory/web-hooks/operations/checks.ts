import type { Actor } from "../../../kernel/calls/context.ts";
import { admin } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Services } from "../../../kernel/plugins/services.ts";
import type { HookHeader, HookTexts } from "../model.ts";
import { areHeaders } from "../rules/record.ts";

/** Checks the headers; returns an empty list when none were sent. */
export function checkHeaders(id: string, headers: unknown): HookHeader[] {
  if (headers === undefined || headers === null) return [];
  if (areHeaders(headers)) return headers;
  throw new DomainError("web_hook", "malformed", `Invalid header format for web hook: ${id}`);
}

/** Throws for a macro that does not compile, so that it is refused when the hook is saved, not when it fires at night. */
export function requireMacros(hook: HookTexts, { webHooks }: Services): void {
  const fault = webHooks.check(hook);
  if (fault !== undefined) throw new DomainError("web_hook", "malformed", fault);
}

/** Lets only administrators write a hook that has secrets: a writer of its target and content could read them. */
export function requireKeeper(id: string, { actor, services }: { actor: Actor; services: Services }): void {
  if (services.vault.assigned("web_hooks", id).length > 0) services.gatekeeper.authorize(actor, admin);
}
