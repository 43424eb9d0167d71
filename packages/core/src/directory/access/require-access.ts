import { AccessError, SessionError } from "../../kernel/errors/errors.ts";
import { type AccessRequest, decide, type EffectiveRights, type Rights } from "./rules/access.ts";

/** The part of an actor that access decisions need. */
export interface Caller extends EffectiveRights {
  readonly kind: string;
}

function rightsOf(caller: Caller): Rights {
  return {
    known: caller.kind !== "anonymous",
    privileges: caller.privileges,
    categories: caller.categories,
    groups: caller.groups,
  };
}

/** True when the caller may access the object; for filtering lists. */
export function mayAccess(caller: Caller, request: AccessRequest): boolean {
  return decide(rightsOf(caller), request).allowed;
}

/** True when the caller is limited to some categories or some groups. */
export const isLimited = (caller: Caller): boolean =>
  !(mayAccess(caller, { category: "*" }) && mayAccess(caller, { group: "*" }));

/**
 * Throws the contract's refusal when the caller may not (docs/contract/errors.md#general-errors). `titles` maps privilege ids to
 * titles.
 */
export function requireAccess(
  caller: Caller,
  request: AccessRequest & { server?: string },
  titles: ReadonlyMap<string, string> = new Map(),
): void {
  const decision = decide(rightsOf(caller), request);
  if (decision.allowed) return;
  const account = "You do not have the required account privileges to access";
  switch (decision.reason) {
    case "session":
      throw new SessionError("No Session ID or API Key could be found");
    case "privilege": {
      const id = request.privilege ?? "";
      const title = titles.get(id) ?? `(${id})`;
      throw new AccessError(`You do not have the '${title}' privilege required to perform this action.`);
    }
    case "category":
      throw new AccessError(`${account} category ID ${request.category}.`);
    case "group":
      throw new AccessError(`${account} group ID ${request.group}.`);
    case "targets":
      throw new AccessError(`${account} targets: ${(request.targets ?? []).join(", ")}.`);
    case "server":
      throw new AccessError(`${account} server ID ${request.server ?? ""}.`);
  }
}
