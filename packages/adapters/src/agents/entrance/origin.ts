import type { IncomingHttpHeaders } from "node:http";

/**
 * True for an upgrade requested by a page of another origin. Browsers send the origin with every WebSocket, and the
 * session cookie even from pages of other hosts; programs send no origin. Schemes are not compared, as a proxy may
 * terminate TLS.
 */
export function isForeign({ origin, host }: Pick<IncomingHttpHeaders, "origin" | "host">): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  const port = url?.protocol === "https:" ? ":443" : ":80";
  const named = host?.toLowerCase() ?? "";
  return url === null || url.host === "" || url.host !== (named.endsWith(port) ? named.slice(0, -port.length) : named);
}

/** The session id in the cookies; undefined = none. */
export const sessionOf = ({ cookie = "" }: Pick<IncomingHttpHeaders, "cookie">): string | undefined =>
  /(?:^|;)\s*session_id=\s*"?([0-9a-f]{64})(?=["\s;]|$)/.exec(cookie)?.[1];
