import type { CallRequest } from "./call-request.ts";

const MAX_AGE_SEC = "1728000";

/** The answer to every OPTIONS request in "compat" mode (docs/contract/requests.md#requests-from-other-origins). */
export function preflight(headers: Headers, base: Readonly<Record<string, string>>): Response {
  // No body at all: of an empty text, Node's own `Response` says a type, and the quick one of the adapter does not.
  return new Response(null, {
    status: 200,
    headers: {
      ...base,
      "content-length": "0",
      "access-control-allow-origin": headers.get("origin") || "*",
      "access-control-allow-methods": "POST, GET, HEAD, OPTIONS",
      "access-control-allow-headers": headers.get("access-control-request-headers") || "*",
      "access-control-max-age": MAX_AGE_SEC,
    },
  });
}

/**
 * True for a request that a page of another origin has made. Browsers say where a request comes from; programs say
 * nothing, and are led by no page.
 */
export function isFromForeignPage({ headers, url }: Pick<CallRequest, "headers" | "url">): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  // Older browsers: behind a proxy only the host is comparable, for the scheme may have changed on the way.
  return origin !== null && URL.parse(origin)?.host !== (headers.get("host") ?? URL.parse(url)?.host);
}
