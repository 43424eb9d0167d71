import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { isReservedWord } from "../../../wire/fields/reserved.ts";

type Members = Readonly<Record<string, unknown>>;

/** Dotted path → value. */
export type Overrides = ReadonlyMap<string, unknown>;

/** Most paths that may be set: the whole configuration is merged and checked again with them. */
export const MAX_OVERRIDES = 1000;

/** Keys that are neither shown nor changed through the API (docs/contract/configuration.md#changes-at-run-time). */
const RESERVED = ["secret_key", "SSO", "Debug", "config_overrides_file", "hook_shell_exec"];

export const isReservedKey = (path: string): boolean => RESERVED.some((prefix) => path.startsWith(prefix));

const MAX_PATH = 200;

export const isPath = (path: string): boolean =>
  path.length <= MAX_PATH &&
  /^[\w:-]+(?:\.[\w:-]+)*$/.test(path) &&
  !path.split(".").some((segment) => isReservedWord(segment));

/** True for a path that `admin_update_config` accepts. A storage may hold other paths, from an import. */
export const isSettable = (path: string): boolean => isPath(path) && !isReservedKey(path);

/** Plain data copied all the way down; anything else (a function of the host) is shared. */
export function copyData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyData);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyData(member)]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The base with all overrides applied, shorter paths first; or the path of an override that leads through a scalar. Null restores
 * the value of the base.
 */
export function withOverrides(base: Members, overrides: Overrides): Record<string, unknown> | string {
  const merged = copyData(base) as Record<string, unknown>;
  const depth = (path: string): number => path.split(".").length;
  const ordered = [...overrides].sort(([a], [b]) => depth(a) - depth(b));
  for (const [path, value] of ordered) {
    const next = value === null ? valueAt(base, path) : value;
    if (!setPath(merged, path, copyData(next))) return path;
  }
  return merged;
}

/** Sets a member; undefined removes it. False for a path that leads through a scalar. */
function setPath(root: Record<string, unknown>, path: string, value: unknown): boolean {
  let at = root;
  let { member, rest } = firstOf(at, path);
  while (rest !== undefined) {
    const next = Object.hasOwn(at, member) ? at[member] : undefined;
    if (next !== undefined && !isPlain(next)) return false;
    const inner = next ?? {};
    at[member] = inner;
    at = inner;
    ({ member, rest } = firstOf(at, rest));
  }
  if (value === undefined) delete at[member];
  else at[member] = value;
  return true;
}

/** The first member of a path. An existing member whose name contains dots wins, because sections may be named by plugin ids. */
function firstOf(at: Members, path: string): { member: string; rest: string | undefined } {
  const segments = path.split(".");
  let count = segments.length;
  while (count > 1 && !Object.hasOwn(at, segments.slice(0, count).join("."))) count -= 1;
  const rest = count < segments.length ? segments.slice(count).join(".") : undefined;
  return { member: segments.slice(0, count).join("."), rest };
}

export function valueAt(root: unknown, path: string): unknown {
  if (!isObject(root)) return undefined;
  const { member, rest } = firstOf(root, path);
  const value = Object.hasOwn(root, member) ? root[member] : undefined;
  return rest === undefined ? value : valueAt(value, rest);
}

/** Makes `target` equal to `source`. Keeps objects that both have, so that code which holds a section sees the new members. */
export function syncInto(target: Record<string, unknown>, source: Members): void {
  for (const name of Object.keys(target)) if (!Object.hasOwn(source, name)) delete target[name];
  for (const [name, value] of Object.entries(source)) {
    const current = target[name];
    if (isPlain(current) && isPlain(value)) syncInto(current, value);
    else target[name] = value;
  }
}

/** Shown in place of a credential, and ignored when it comes back. */
export const MASK = "********";

/** Names of members whose text is a credential: mail passwords, keys of object stores, tokens. */
const CREDENTIAL =
  /^(?:pass|password|passwd|passphrase|secret|token|credentials|[\w-]*(?:secret|access|api|private)_?key)$/i;

const hides = (name: string, value: unknown): boolean =>
  typeof value === "string" && value !== "" && CREDENTIAL.test(name);

/** A copy with credentials masked; `name` is the last segment of the path that leads here. */
export function masked(value: unknown, name = ""): unknown {
  if (hides(name, value)) return MASK;
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (!isPlain(value)) return typeof value === "function" ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, masked(inner, member)]));
}

/** Whether a sent value is a mask that a client sent back unchanged. */
export const isUnchanged = (sent: unknown, name: string): boolean => sent === MASK && CREDENTIAL.test(name);

/** The sent members, with unchanged masks replaced by the current values; undefined = no such value. */
export function unmasked(sent: unknown, current: unknown, name: string): unknown {
  if (isUnchanged(sent, name)) return typeof current === "string" ? current : undefined;
  if (Array.isArray(sent))
    return sent.map((item, index) => unmasked(item, Array.isArray(current) ? current[index] : undefined, name));
  if (!isPlain(sent)) return sent;
  const known = membersOf(current);
  const entries = Object.entries(sent).map(
    ([member, value]) => [member, unmasked(value, known[member], member)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
