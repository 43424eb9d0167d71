const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
const MAX_TEXT = 8192;
const HIDDEN = "[redacted]";
/** Members that carry credentials, compared without case, dashes and underscores. */
const CREDENTIALS = new Set([
  "apikey",
  "xapikey",
  "sessionid",
  "xsessionid",
  "password",
  "secretkey",
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "token",
  "authtoken",
  "csrftoken",
  "xcsrftoken",
]);

/** A copy that JSON can always print. `path` contains the ancestors, so that a value used twice does not count as circular. */
export function plain(value: unknown, depth: number, path: Set<object>): unknown {
  if (typeof value === "string") return clip(value, MAX_TEXT);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (path.has(value)) return "[circular]";
  if (depth >= MAX_DEPTH) return "[deep]";
  path.add(value);
  try {
    return plainObject(value, depth, path);
  } catch {
    // A getter, a proxy or toJSON of the host threw; the rest of the entry is still worth having.
    return "[unreadable]";
  } finally {
    path.delete(value);
  }
}

function plainObject(value: object, depth: number, path: Set<object>): unknown {
  if (value instanceof Error) return errorOf(value, depth, path);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((member) => plain(member, depth + 1, path));
  if (value instanceof Map || value instanceof Set) return plain([...value].slice(0, MAX_MEMBERS), depth + 1, path);
  return membersOf(value, Object.keys(value), depth, path);
}

function errorOf(error: Error, depth: number, path: Set<object>): unknown {
  const { name, message, stack } = error;
  const own = Object.keys(error).filter((key) => !["name", "message", "stack"].includes(key));
  const keys = error.cause === undefined || own.includes("cause") ? own : [...own, "cause"];
  return {
    name,
    message: clip(message, MAX_TEXT),
    stack: clip(stack ?? "", MAX_TEXT),
    ...membersOf(error, keys, depth, path),
  };
}

function membersOf(value: object, keys: string[], depth: number, path: Set<object>): Record<string, unknown> {
  const members: [string, unknown][] = keys.slice(0, MAX_MEMBERS).map((key) => {
    if (CREDENTIALS.has(key.toLowerCase().replaceAll(/[-_]/g, ""))) return [key, HIDDEN];
    return [key, plain((value as Record<string, unknown>)[key], depth + 1, path)];
  });
  return Object.fromEntries(members);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
