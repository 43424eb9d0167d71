import { parse } from "node:querystring";

/** Query members that steer the transport or identify the caller; no operation sees them (part 10 §2.2, §3). */
const RESERVED: ReadonlySet<string> = new Set([
  "cachebust",
  "pretty",
  "callback",
  "format",
  "ttl",
  "api_key",
  "session_id",
  "csrf_token",
]);

export interface Query {
  /** Everything that was sent; a repeated key gives an array. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** What an operation may see. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly pretty: boolean;
}

// Without a prototype a member called "__proto__" stays a member, so that the engine can refuse it by name.
const nothing: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));
const NO_QUERY: Query = { sent: nothing, parameters: nothing, pretty: false };

/** Reads the query of a request URL without building a `URL`, which would cost more than the whole dispatch. */
export function parseQuery(url: string): Query {
  const start = url.indexOf("?");
  if (start === -1) return NO_QUERY;
  const end = url.indexOf("#", start);
  const sent = parseForm(url.slice(start + 1, end === -1 ? undefined : end));
  const parameters = Object.create(null) as Record<string, unknown>;
  for (const key in sent) if (!RESERVED.has(key)) parameters[key] = sent[key];
  const { pretty } = sent;
  return { sent, parameters, pretty: pretty !== undefined && pretty !== "" };
}

/** `a=1&b=2`, with `+` for blanks; malformed escapes are kept as they are instead of failing. */
export function parseForm(text: string): Record<string, unknown> {
  return /[%+]/.test(text) ? parse(text, "&", "=", { maxKeys: 0 }) : parsePlain(text);
}

/** The same for a text without escapes, several times faster: the usual query is one id. */
function parsePlain(text: string): Record<string, unknown> {
  const members = Object.create(null) as Record<string, unknown>;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? "" : pair.slice(equals + 1);
    const known = members[name];
    if (known === undefined) members[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else members[name] = [known, value];
  }
  return members;
}
