import { createTrust, mainAddress, saysHttps, unwrap } from "./addresses.ts";

/** A request of Node, as far as it is looked at. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

export interface ProxiedCaller {
  clientAddress(request: NodeRequest): string;
  isSecure(request: NodeRequest): boolean;
}

/**
 * Reads the sender and the scheme of a request of Node that may come through a proxy: the rules of
 * `api.trusted_proxies` and
 * `api.address_headers`, for servers that take requests beside the router: `wsAgents(behindProxies(["10.0.0.5"]))`.
 *
 * `trusted` are addresses, CIDR ranges, `loopback` and `private`, by default this machine alone. `believed` names the
 * headers that the proxies set, by default all known ones. Throws `Error` for a malformed entry of `trusted`.
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
