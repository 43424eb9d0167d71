import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { Cause } from "../../../wire/cause.ts";
import type { Activity } from "../model.ts";
import { withoutCredentialHeaders, withoutCredentials } from "./redaction.ts";
import { describeUserAgent } from "./user-agent.ts";

/** What an operation reports about its change. The members of `detail` are stored, without credentials. */
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
  /** Cause of the change; absent = the row has no cause. */
  readonly cause?: Cause;
}

/** Objects that are described by their id rather than by a title. */
const UNTITLED: ReadonlySet<string> = new Set(["ticket", "job"]);

/**
 * Builds a row. The detail holds the changed object under its type name. `description` and `keywords` default to the object's
 * title and id. A change to another account is logged under that account's name, and `admin` names who made it: both are given as
 * `account` and `admin`, or derived from `user`.
 */
export function buildActivity(entry: ActivityEntry, origin: ActivityOrigin): Activity {
  // `prev` and `hash` are reserved for the chain of rows, so a detail cannot set them.
  const { description, keywords, account, admin, prev: _prev, hash: _hash, ...objects } = entry.detail;
  const subject = subjectOf(objects);
  const who = whoOf({ account, admin, user: objects["user"] }, origin.username);
  const given = Array.isArray(keywords) ? keywords.map(String) : subject.ids;
  const text = typeof description === "string" ? description : subject.description;
  return {
    ...withoutCredentials(objects),
    id: origin.id,
    action: entry.action,
    epoch: origin.now,
    ...(text === undefined ? {} : { description: text }),
    ...who,
    ...(origin.cause ? { cause: rowCause(entry.action, objects, acting(origin.cause, who.username)) } : {}),
    ip: origin.ip,
    ips: [...origin.ips],
    headers: withoutCredentialHeaders(origin.headers),
    useragent: describeUserAgent(origin.headers["user-agent"] ?? origin.userAgent),
    keywords: [...new Set([...given, ...Object.values(who).map(toWord), ...origin.ips])],
  };
}

/** The actor of a row. During a login nobody is signed in yet, so the row names the account that signs in. */
const acting = (actor: Cause, username: string): Cause =>
  actor.kind === "anonymous" && username !== "" ? { ...actor, kind: "user", id: username } : actor;

/** The cause of a row: its caller. For the engine's own work it is the job, alert or server, or the stored cause of a ticket. */
function rowCause(action: string, objects: Readonly<Record<string, unknown>>, actor: Cause): Cause {
  if (actor.kind !== "system") return actor;
  const made = Cause.safeParse(action === "ticket_create" && membersOf(objects["ticket"])["cause"]);
  if (made.success) return made.data;
  const kind = SUBJECTS.find((name) => idOf(objects[name]) !== undefined && action !== `${name}_create`);
  return kind === undefined ? actor : { ...actor, kind, id: String(idOf(objects[kind])) };
}

const SUBJECTS = ["job", "alert", "server"] as const;
/** The id of an object, or the text itself if it is an id already. */
function idOf(subject: unknown): string | undefined {
  const id = isObject(subject) ? subject["id"] : subject;
  return typeof id === "string" && id !== "" ? id : undefined;
}

const toWord = (name: string): string => name.replace(/\W+/g, "_");

interface Named {
  /** Name of the account that was acted on. */
  readonly account: unknown;
  /** The administrator who changed another person's account. */
  readonly admin: unknown;
  readonly user: unknown;
}

function whoOf({ account, admin, user }: Named, actor: string): { username: string; admin?: string } {
  const known = typeof account === "string" ? account : isObject(user) && user["username"];
  const username = typeof known === "string" ? known : actor;
  if (typeof admin === "string") return { username, admin };
  if (typeof account === "string") return { username };
  if (username === actor || keyOf(username) === keyOf(actor)) return { username: actor };
  // During a login nobody is signed in yet.
  return actor === "" ? { username } : { username, admin: actor };
}

/** Normalises a user name: `J.Doe` and `jdoe` are one account (docs/contract/accounts.md#record). */
const keyOf = (username: string): string => username.toLowerCase().replace(/\W+/g, "");

interface Subject {
  /** Undefined for rows about accounts. */
  readonly description: string | undefined;
  readonly ids: readonly string[];
}

function subjectOf(objects: Readonly<Record<string, unknown>>): Subject {
  const [type = "", subject] = Object.entries(objects).find(([, value]) => isObject(value)) ?? [];
  const { id, title, username } = (subject ?? {}) as Record<string, unknown>;
  if (type === "user") return { description: undefined, ids: typeof username === "string" ? [toWord(username)] : [] };
  const ids = typeof id === "string" ? [id] : [];
  if (UNTITLED.has(type)) return { description: ids[0] ?? "", ids };
  return { description: typeof title === "string" ? title : "", ids };
}
