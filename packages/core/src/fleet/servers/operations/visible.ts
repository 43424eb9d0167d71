import { type Caller, requireAccess } from "../../../directory/access/require-access.ts";
import type { PublicServer, Server } from "../model.ts";
import { publicServer, type Whereabouts } from "../rules/shown/public.ts";

/** Same rule as `requireTarget`, with the error text of operations that change a server. */
export function requireServer(caller: Caller, { id, groups }: Server): void {
  requireAccess(caller, { serverGroups: groups, server: id });
}

/** A server as this caller may see it. */
export const shown = ({ privileges }: Caller, server: Server, where: Whereabouts): PublicServer =>
  publicServer(server, { ...where, isAdmin: Object.hasOwn(privileges, "admin") });
