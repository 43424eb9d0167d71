import { checkOptions, given, type OptionRules, optional, optionalText } from "@signalbox/core/adapter";
import type { HostUser } from "@signalbox/core/plugin";
import { isRead } from "../input/input.ts";
import type { HostEnv, RouterOptions } from "../options.ts";
import { createTrust, unwrap } from "./addresses.ts";
import { socketAddress } from "./connection.ts";
import { isFromForeignPage } from "./cors.ts";

export interface TrustedHeaderOptions {
  /** Header with the id of the signed-in user. Default "x-remote-user". */
  readonly header?: string;
  /** Header with the display name; absent = the id. */
  readonly nameHeader?: string;
  /** Header with ids of roles, separated by commas; they are added to `roles`. */
  readonly rolesHeader?: string;
  /** Trusted sockets: "loopback", "private", addresses, CIDR ranges. Default: only "loopback". */
  readonly trustedProxies?: readonly string[];
  /** Ids of roles of all users that are signed in this way. */
  readonly roles?: readonly string[];
  /** Ids of privileges of all these users. */
  readonly privileges?: readonly string[];
  /** Allowed categories; absent = all. */
  readonly categories?: readonly string[];
  /** Allowed groups; absent = all. */
  readonly groups?: readonly string[];
  /** Address of the socket's other end; if the router has this option, pass the same function. */
  readonly clientAddress?: RouterOptions["clientAddress"];
}

/** Checks of options: an absent limit means "all", so an undefined one would open everything to all users. */
const RULES: OptionRules<TrustedHeaderOptions> = {
  header: optionalText,
  nameHeader: optionalText,
  rolesHeader: optionalText,
  trustedProxies: given,
  roles: optional,
  privileges: optional,
  categories: given,
  groups: given,
  clientAddress: given,
};

/**
 * Creates a `resolveUser` for services behind a proxy that signs people in and names them in a header. The header only counts if
 * the socket's other end is a trusted proxy, and the proxy must remove it from the requests of its callers. Nobody is signed in
 * for a request that changes something and was sent by a page of another origin, since the proxy may recognise people by a
 * cookie.
 *
 * Throws `Error` for a malformed entry of `trustedProxies`.
 * @see docs/contract/credentials.md#kinds
 */
export function trustedHeaderUser(options: TrustedHeaderOptions = {}): NonNullable<RouterOptions["resolveUser"]> {
  checkOptions("trustedHeaderUser", options, RULES);
  const { header = "x-remote-user", nameHeader, rolesHeader, trustedProxies = ["loopback"], clientAddress } = options;
  const trust = createTrust(trustedProxies, "trustedProxies");
  const { roles = [], privileges = [], categories = [], groups = [] } = options;
  const addressOf = (request: Request, env: HostEnv): string =>
    unwrap((clientAddress ? clientAddress(request, env) : socketAddress(env, request)) ?? "");
  return (request, env): HostUser | undefined => {
    const { headers, method } = request;
    // The router handles reads that change something, because it knows the operation.
    if (!isRead(method) && isFromForeignPage(request)) return undefined;
    const id = headers.get(header)?.trim();
    if (!id || !trust(addressOf(request, env))) return undefined;
    const name = nameHeader && headers.get(nameHeader)?.trim();
    const named = rolesHeader ? splitList(headers.get(rolesHeader)) : [];
    return { id, ...(name ? { name } : {}), roles: [...roles, ...named], privileges, categories, groups };
  };
}

const splitList = (text: string | null): string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
