import { filterMembers } from "../../../lib/json/filter-members.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { isSecretName } from "../../../lib/secrecy/secret-names.ts";

/** Deeper members are left out; parameters of calls have the same bound. */
const MAX_DEPTH = 64;
/** Members that one row may hold: a row is a note about a change, not a copy of the store. */
const MAX_MEMBERS = 100_000;

/** Names of credentials, in lower case without `_` and `-`: `session_id`, `sessionId` and `X-Session-ID` match the same name. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...["password", "passwd", "pass", "passphrase", "salt", "token", "credentials", "plainkey", "apikeyhash"],
  ...["apikey", "sessionid", "csrftoken", "recoverykey", "secretkey", "secretkeys", "secretaccesskey", "privatekey"],
  ...["authtoken", "accesstoken", "refreshtoken", "authorization", "proxyauthorization", "cookie", "setcookie"],
  ...["xapikey", "xsessionid", "xcsrftoken", "signingsecret", "signingkey"],
]);

/** Members of a secret that are not confidential: all but its values (docs/contract/secrets.md#record). */
const SECRET_METADATA: ReadonlySet<string> = new Set([
  ...["id", "title", "enabled", "icon", "notes", "names", "mask", "events", "categories", "plugins", "web_hooks"],
  ...["username", "created", "modified", "revision"],
]);

/** In these objects `key` names the member that was changed; everywhere else it is a credential. */
const KEYED: ReadonlySet<string> = new Set(["ticket", "change"]);

type Members = Readonly<Record<string, unknown>>;

interface Walk {
  members: number;
  readonly keepsKey: boolean;
}

/**
 * Removes credentials from the members of a row, at any depth and for every operation (docs/contract/activity.md#rows). Objects
 * are stored under their type names; a `secret` keeps only its metadata.
 */
export function withoutCredentials(detail: Members): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(detail)) {
    const kept = cleanObject(name, value);
    if (kept !== undefined) clean[name] = kept;
  }
  return clean;
}

function cleanObject(name: string, value: unknown): unknown {
  const walk: Walk = { members: 0, keepsKey: KEYED.has(name) };
  // The type name of API keys is also the name of a credential: an object is the record, anything else is the key.
  if (name === "api_key" && isObject(value)) return cleanMembers(value, 1, walk);
  if (isHidden(name, value, walk)) return undefined;
  return name === "secret" ? pickMetadata(value, walk) : cleanValue(value, 1, walk);
}

function pickMetadata(secret: unknown, walk: Walk): Members {
  if (!isObject(secret)) return {};
  const entries = Object.entries(secret).filter(([member]) => SECRET_METADATA.has(member));
  return cleanMembers(Object.fromEntries(entries), MAX_DEPTH - 1, walk);
}

function cleanValue(value: unknown, depth: number, walk: Walk): unknown {
  if (Array.isArray(value)) return cleanItems(value, depth, walk);
  return isObject(value) ? cleanMembers(value, depth, walk) : value;
}

function cleanItems(items: readonly unknown[], depth: number, walk: Walk): readonly unknown[] {
  if (depth > MAX_DEPTH) return [];
  const clean: unknown[] = [];
  for (const item of items) {
    if (++walk.members > MAX_MEMBERS) return clean;
    clean.push(cleanValue(item, depth + 1, walk));
  }
  return clean.every((item, at) => item === items[at]) ? items : clean;
}

/** Returns the same record when it has no credential: copying a thousand members takes longer than looking at them. */
function cleanMembers(record: Members, depth: number, walk: Walk): Members {
  if (depth > MAX_DEPTH) return {};
  const { name } = record;
  const namesCredential = typeof name === "string" && isCredential(name);
  const clean: [string, unknown][] = [];
  let isSame = true;
  for (const [member, value] of Object.entries(record)) {
    if (++walk.members > MAX_MEMBERS) return Object.fromEntries(clean);
    // `{ name: "Authorization", value: … }`, the form in which web hooks store their headers.
    if (isHidden(member, value, walk) || (namesCredential && member === "value")) {
      isSame = false;
      continue;
    }
    const kept = member === "secret" ? pickMetadata(value, walk) : cleanValue(value, depth + 1, walk);
    clean.push([member, kept]);
    isSame &&= kept === value;
  }
  return isSame ? record : Object.fromEntries(clean);
}

function isHidden(member: string, value: unknown, { keepsKey }: Walk): boolean {
  if (member === "key") return !keepsKey;
  if (member === "secret") return !isObject(value);
  // A list names secrets; a map holds their values.
  if (member === "secrets") return !(Array.isArray(value) && value.every((id) => typeof id === "string"));
  return isCredential(member);
}

const isCredential = (name: string): boolean => CREDENTIALS.has(name.toLowerCase().replace(/[_-]/g, ""));

/** Headers with signed statements of proxies about the caller, whose names do not look like credentials. */
const STATEMENT = /assertion|oidc-data/i;

/**
 * Removes request headers that carry credentials, also those in which a proxy forwards a person's tokens:
 * `X-Forwarded-Access-Token` opens other services.
 */
export function withoutCredentialHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return filterMembers(headers, (name) => !isCredential(name) && !isSecretName(name) && !STATEMENT.test(name));
}
