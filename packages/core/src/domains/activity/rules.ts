import { isObject } from "../../lib/is-object.ts";
import type { Activity } from "./model.ts";

/** What an operation says about its change. Members other than these four are stored as they are. */
export interface ActivityEntry {
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface ActivityOrigin {
  readonly id: string;
  /** Unix seconds. */
  readonly now: number;
  readonly username: string;
  readonly ip: string;
  readonly ips: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
}

/** Members that may not reach the log, whatever an operation passes (part 10 §15.1). */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "password",
  "salt",
  "key",
  "plain_key",
  "session_id",
  "csrf_token",
  "api_key_hash",
  "recovery_key",
  "secret_key",
  "token",
  "auth_token",
]);

/**
 * Builds a row. The detail holds the changed object under its type name; `description` and `keywords` may be given,
 * otherwise they are the object's title and id.
 */
export function buildActivity(entry: ActivityEntry, origin: ActivityOrigin): Activity {
  const { description, keywords, ...objects } = entry.detail;
  const subject = subjectOf(objects);
  const given = Array.isArray(keywords) ? keywords.map(String) : subject.ids;
  return {
    ...withoutCredentials(objects),
    id: origin.id,
    action: entry.action,
    epoch: origin.now,
    description: typeof description === "string" ? description : subject.title,
    username: origin.username,
    ip: origin.ip,
    ips: [...origin.ips],
    headers: { ...origin.headers },
    useragent: origin.userAgent,
    keywords: [...given, origin.username.replace(/\W+/g, "_"), ...origin.ips],
  };
}

function subjectOf(objects: Readonly<Record<string, unknown>>): { title: string; ids: string[] } {
  const subject = Object.values(objects).find(isObject);
  const { id, title } = subject ?? {};
  return { title: typeof title === "string" ? title : "", ids: typeof id === "string" ? [id] : [] };
}

/** One level inside each object: that is where records keep their credentials. */
function withoutCredentials(objects: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(objects))
    if (!FORBIDDEN.has(name)) clean[name] = isObject(value) ? omitForbidden(value) : value;
  return clean;
}

function omitForbidden(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([member]) => !FORBIDDEN.has(member)));
}
