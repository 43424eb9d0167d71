import { callerAddresses, createTrust, mainAddress, saysHttps, unwrap } from "./addresses.ts";

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
 * Who sends a request of Node and how, when it may come through a proxy: the rules of `api.trusted_proxies`, for
 * whoever takes requests beside the router, such as `wsAgents({ ...behindProxies(["10.0.0.5"]) })`.
 *
 * `trusted` are addresses, CIDR ranges, `loopback` and `private`. Throws `Error` for anything else.
 * @see part 10 §5.5
 */
export function behindProxies(trusted: readonly string[] = ["loopback", "private"]): ProxiedCaller {
  const trust = createTrust(trusted, "behindProxies");
  const isProxy = ({ socket }: NodeRequest): boolean => trust(unwrap(socket.remoteAddress ?? ""));
  return {
    clientAddress: (request) => mainAddress(callerAddresses(headersOf(request), request.socket.remoteAddress, trust)),
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
