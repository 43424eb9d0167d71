import type { IncomingHttpHeaders } from "node:http";

/**
 * True for an upgrade that a page of another host asks for. Browsers name the origin with every WebSocket, and send the
 * cookie of the session for pages of all hosts; programs name no origin. Schemes are not compared: a proxy may end TLS.
 */
export function isForeign({ origin, host }: Pick<IncomingHttpHeaders, "origin" | "host">): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  const port = url?.protocol === "https:" ? ":443" : ":80";
  const named = host?.toLowerCase() ?? "";
  return url === null || url.host === "" || url.host !== (named.endsWith(port) ? named.slice(0, -port.length) : named);
}

/** The session id in the cookies; undefined = there is none. */
export const sessionOf = ({ cookie = "" }: Pick<IncomingHttpHeaders, "cookie">): string | undefined =>
  /(?:^|;)\s*session_id=\s*"?([0-9a-f]{64})(?=["\s;]|$)/.exec(cookie)?.[1];
