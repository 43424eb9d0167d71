import type { CallRequest } from "./call-request.ts";

const MAX_AGE_SEC = "1728000";

/** The answer to every OPTIONS request in "compat" mode (docs/contract/requests.md#requests-from-other-origins). */
export function preflight(headers: Headers, base: Readonly<Record<string, string>>): Response {
  // No body at all: for an empty text, Node's own `Response` adds a content type, and the adapter's fast one does not.
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
 * Whether a page of another origin made the request. Browsers say where a request comes from; programs do not, and no page can
 * make them send one.
 */
export function isFromForeignPage({ headers, url }: Pick<CallRequest, "headers" | "url">): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  // For older browsers. Only the host can be compared, because a proxy may have changed the scheme.
  return origin !== null && URL.parse(origin)?.host !== (headers.get("host") ?? URL.parse(url)?.host);
}
