const MAX_AGE_SEC = "1728000";

/** The answer to every OPTIONS request in "compat" mode (part 10 §5.4). */
export function preflight(headers: Headers, base: Readonly<Record<string, string>>): Response {
  return new Response("", {
    status: 200,
    headers: {
      ...base,
      "Access-Control-Allow-Origin": headers.get("origin") || "*",
      "Access-Control-Allow-Methods": "POST, GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": headers.get("access-control-request-headers") || "*",
      "Access-Control-Max-Age": MAX_AGE_SEC,
    },
  });
}
