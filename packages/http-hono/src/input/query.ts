import { parse } from "node:querystring";

/**
 * Query members that steer the transport or identify the caller; operations never see them (docs/contract/requests.md#parameters,
 * docs/contract/requests.md#credentials-among-the-parameters).
 */
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
  /** All sent parameters as own members, even `__proto__`; a repeated key gives an array. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Parameters that an operation may see. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly pretty: boolean;
}

const nothing: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_QUERY: Query = { sent: nothing, parameters: nothing, pretty: false };

/** The path of a request URL, which is already in the form that `URL` would produce; parsing it again would cost more. */
export function pathOf(url: string): string {
  const path = url.slice(url.indexOf("/", url.indexOf("://") + 3));
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

const CREDENTIAL_PAIR = /^(?:api_key|session_id|csrf_token)(?:=|$)/;

/** Path and query of a request URL, without the query members that are credentials. */
export function shownUrl(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return pathOf(url);
  const isShown = (pair: string): boolean => !CREDENTIAL_PAIR.test(Object.keys(parseForm(pair))[0] ?? "");
  const pairs = url
    .slice(start + 1)
    .split("&")
    .filter(isShown);
  return pairs.length > 0 ? `${pathOf(url)}?${pairs.join("&")}` : pathOf(url);
}

/** Parses the query of a request URL without creating a `URL`, which would cost more than the whole dispatch. */
export function parseQuery(url: string): Query {
  const start = url.indexOf("?");
  if (start === -1) return NO_QUERY;
  const end = url.indexOf("#", start);
  const sent = parseForm(url.slice(start + 1, end === -1 ? undefined : end));
  const { pretty } = sent;
  return { sent, parameters: withoutReserved(sent), pretty: pretty !== undefined && pretty !== "" };
}

function withoutReserved(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(sent);
  if (!names.some((name) => RESERVED.has(name))) return sent;
  return Object.fromEntries(names.filter((name) => !RESERVED.has(name)).map((name) => [name, sent[name]]));
}

/** Parses `a=1&b=2`, with `+` for blanks; malformed escapes are kept unchanged instead of failing. */
export function parseForm(text: string): Record<string, unknown> {
  return /[%+]|__proto__/.test(text) ? parse(text, "&", "=", { maxKeys: 0 }) : parsePlain(text);
}

/**
 * Like `parseForm` for a text without escapes, but several times faster: the usual query is a single id. An object without a
 * prototype would double the cost.
 */
function parsePlain(text: string): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    if (equals === -1) add(members, pair, "");
    else add(members, pair.slice(0, equals), pair.slice(equals + 1));
  }
  return members;
}

function add(members: Record<string, unknown>, name: string, value: string): void {
  const known = Object.hasOwn(members, name) ? members[name] : undefined;
  if (known === undefined) members[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else members[name] = [known, value];
}
