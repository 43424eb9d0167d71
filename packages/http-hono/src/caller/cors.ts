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
