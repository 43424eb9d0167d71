import { type Credentials, InputError } from "@signalbox/core/plugin";
import type { CallHeaders } from "./call-request.ts";

type Members = Readonly<Record<string, unknown>>;

interface Sources {
  readonly headers: CallHeaders;
  readonly body: Members;
  /** The query as sent, including reserved members. */
  readonly query: Members;
}

const NONE: Credentials = {};
const CREDENTIAL_MEMBERS = ["api_key", "session_id", "csrf_token"] as const;

/**
 * Collects the credentials of the caller (docs/contract/credentials.md#kinds); the engine checks them. Throws `InputError` when
 * several different API keys were sent.
 */
export function readCredentials({ headers, body, query }: Sources): Credentials {
  const apiKey = readApiKey(headers.get("x-api-key"), body["api_key"], query["api_key"]);
  const cookie = headers.get("cookie");
  const fromCookie = cookie === null ? undefined : sessionCookie(cookie);
  const sessionId =
    fromCookie ?? (headers.get("x-session-id") || firstText(body["session_id"]) || firstText(query["session_id"]));
  if (!sessionId) return apiKey === undefined ? NONE : { apiKey };
  const csrfToken = headers.get("x-csrf-token") || firstText(body["csrf_token"]);
  return {
    sessionId,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(csrfToken ? { csrfToken } : {}),
    ...(fromCookie === undefined ? {} : { sessionFromCookie: true }),
  };
}

function readApiKey(header: string | null, body: unknown, query: unknown): string | undefined {
  // The usual case: a single header. A repeated header arrives joined by commas, which no key contains.
  if (body === undefined && query === undefined && !header?.includes(",")) return header || undefined;
  const texts = header ? header.split(/\s*,\s*/) : [];
  if (body !== undefined) texts.push(...allTexts(body));
  if (query !== undefined) texts.push(...allTexts(query));
  const [first, ...others] = texts.filter((text) => text !== "");
  if (others.some((other) => other !== first)) throw new InputError("More than one API Key was provided.");
  return first;
}

function allTexts(value: unknown): string[] {
  return [value].flat().filter((each) => typeof each === "string");
}

const firstText = (value: unknown): string | undefined =>
  value === undefined ? undefined : allTexts(value).find((text) => text !== "");

function sessionCookie(header: string): string | undefined {
  const value = /(?:^|;)\s*session_id=\s*"?([^";]*)/.exec(header)?.[1]?.trim();
  return value === "" ? undefined : value;
}

/** Cookies of a request, without the session cookie. */
export function otherCookies(header: string | null): Record<string, string> {
  const cookies = Object.create(null) as Record<string, string>;
  for (const pair of header?.split(";") ?? []) {
    const [name = "", ...value] = pair.trim().split("=");
    if (name !== "" && name !== "session_id") cookies[name] = value.join("=");
  }
  return cookies;
}

export const hasSameCredentials = (left: Members, right: Members): boolean =>
  CREDENTIAL_MEMBERS.every((name) => left[name] === right[name]);

/**
 * Removes all credential members from parameters, whichever credential was used
 * (docs/contract/requests.md#credentials-among-the-parameters).
 */
export function withoutCredentials(members: Record<string, unknown>): Record<string, unknown> {
  for (const name of CREDENTIAL_MEMBERS) if (Object.hasOwn(members, name)) delete members[name];
  return members;
}
