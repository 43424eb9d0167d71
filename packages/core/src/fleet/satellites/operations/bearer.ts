import type { StreamContext } from "../../../kernel/calls/context.ts";
import { privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, SignalboxError } from "../../../kernel/errors/errors.ts";
import type { Initial } from "../rules/initial.ts";

export interface Bearing {
  readonly kind: "key" | "token" | "server";
  readonly token: string;
  /** Initial members of servers that enrol with this token. */
  readonly initial: Initial;
  /** The server that upgrades itself. */
  readonly server: string | undefined;
}

interface Context extends Pick<StreamContext, "client" | "clock" | "services" | "storage"> {
  /** True = tokens of servers are accepted. */
  readonly servers: boolean;
}

/** Seconds after a server's disconnection in which it may still upgrade itself. */
const RECENT_SEC = 86_400;

/**
 * Authenticates the caller. Throws the same `DomainError` for every fault (docs/contract/satellites.md#installation).
 */
export async function requireBearer(
  { t: token = "", s: server }: { readonly t?: string | undefined; readonly s?: string | undefined },
  context: Context,
): Promise<Bearing> {
  const refused = new DomainError("satellite", "denied", "Access denied.");
  if (!/^[\w-]{1,256}$/.test(token)) throw refused;
  const base = { token, server, initial: {} };
  const initial = await context.services.satellites.enrolment.find(token);
  if (initial) return { ...base, kind: "token", initial };
  if (context.servers && server !== undefined && (await isOfServer(token, server, context)))
    return { ...base, kind: "server" };
  if (await mayAddServers(token, context)) return { ...base, kind: "key" };
  throw refused;
}

async function isOfServer(token: string, id: string, { clock, services, storage }: Context): Promise<boolean> {
  if (!services.agentKeys.isOfServer(token, id)) return false;
  if (services.servers.anywhere(id)) return true;
  const known = await storage.read((tx) => services.servers.find(tx, id));
  return known !== undefined && clock.now() - known.modified < RECENT_SEC;
}

async function mayAddServers(apiKey: string, { client, services: { gatekeeper } }: Context): Promise<boolean> {
  try {
    gatekeeper.authorize(await gatekeeper.authenticate({ apiKey }, client), privilege("add_servers"));
    return true;
  } catch (error) {
    if (error instanceof SignalboxError) return false;
    throw error;
  }
}
