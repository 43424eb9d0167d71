import { createTrust, mainAddress, saysHttps, unwrap } from "./addresses.ts";

/** The parts of a Node request that are read here. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

export interface ProxiedCaller {
  clientAddress(request: NodeRequest): string;
  isSecure(request: NodeRequest): boolean;
}

/**
 * Reads the address and the scheme of a Node request that may come through a proxy. It applies the rules of `api.trusted_proxies`
 * and `api.address_headers` for servers that accept requests beside the router: `wsAgents(behindProxies(["10.0.0.5"]))`.
 *
 * `trusted` are addresses, CIDR ranges, `loopback` and `private`, by default only this machine. `believed` names the headers that
 * the proxies set, by default all known ones. Throws `Error` for a malformed entry of `trusted`.
 * @see docs/contract/requests.md#address-of-the-caller
 */
export function behindProxies(
  trusted: readonly string[] = ["loopback"],
  believed?: readonly string[] | undefined,
): ProxiedCaller {
  const trust = createTrust(trusted, "behindProxies");
  const names = believed && { believed: new Set(believed.map((name) => name.toLowerCase())) };
  const isProxy = ({ socket }: NodeRequest): boolean => trust(unwrap(socket.remoteAddress ?? ""));
  return {
    clientAddress: (request) =>
      mainAddress({ headers: headersOf(request), socketAddress: request.socket.remoteAddress, trust, ...names }),
    isSecure: (request) => "encrypted" in request.socket || (isProxy(request) && saysHttps(headersOf(request))),
  };
}

function headersOf({ headers }: NodeRequest): Pick<Headers, "get"> {
  return {
    get(name) {
      const value = headers[name];
      return value === undefined ? null : [value].flat().join(", ");
    },
  };
}
