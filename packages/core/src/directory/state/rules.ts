import { isObject } from "../../lib/json/is-object.ts";
import { isReservedWord } from "../../wire/fields/reserved.ts";

/** Dotted key → value; no value is an object. */
export type Leaves = ReadonlyMap<string, unknown>;

/** A member of a request that cannot be stored, and why. */
export type Fault = { readonly kind: "naughty" | "malformed" | "large"; readonly key: string };

const MAX_KEY = 200;
const MAX_DEPTH = 16;
/** Characters of one value as JSON. */
const MAX_VALUE = 16_384;
/** Leaves that one value may hold. */
const MAX_LEAVES = 1000;
/** Bound of all keys except watches, which grow with the number of servers and groups. */
export const MAX_KEYS = 2000;

/** Splits the value at a key into leaves, down to the innermost objects. `null` is the same as absent. */
export function leavesOf(key: string, value: unknown): Leaves | Fault {
  const leaves = new Map<string, unknown>();
  const stack: [string, unknown][] = [[key, value]];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [path, inner] = top;
    const fault = faultOf(path) ?? (isObject(inner) ? undefined : keep(leaves, path, inner));
    if (fault) return { kind: fault, key };
    if (isObject(inner))
      for (const [name, member] of Object.entries(inner).toReversed()) stack.push([`${path}.${name}`, member]);
  }
  return checkKnown(leaves) ?? leaves;
}

function keep(leaves: Map<string, unknown>, path: string, value: unknown): Fault["kind"] | undefined {
  if (value === null || value === undefined) return undefined;
  if (leaves.size === MAX_LEAVES || !isSmall(value)) return "large";
  leaves.set(path, value);
  return undefined;
}

function faultOf(path: string): Fault["kind"] | undefined {
  const segments = path.split(".");
  if (segments.some(isReservedWord)) return "naughty";
  if (path.length > MAX_KEY || segments.length > MAX_DEPTH) return "large";
  return segments.every((segment) => /^[\w:-]+$/.test(segment)) ? undefined : "malformed";
}

/** Refuses long texts before they are serialised to JSON. */
const isSmall = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= MAX_VALUE : (JSON.stringify(value)?.length ?? 0) <= MAX_VALUE;

const isTime = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Keys that the engine itself reads, with checks of their values. All other keys are the caller's. */
const KNOWN: Readonly<Record<string, (path: string, value: unknown) => boolean>> = {
  scheduler: (path, value) => path === "scheduler.enabled" && typeof value === "boolean",
  alert_snooze: (path, value) => path === "alert_snooze" && isTime(value),
  watches: (path, value) => /^watches\.(?:servers|groups)\.\w+$/.test(path) && isTime(value),
  notices: (path, value) =>
    (path === "notices.hooks_per_subject" || path === "notices.tickets_anew") && typeof value === "boolean",
  // Stored with the events; `update_event` moves their cursors.
  events: () => false,
  // The tickets domain counts this itself.
  next_ticket_num: () => false,
};

function checkKnown(leaves: Leaves): Fault | undefined {
  for (const [path, value] of leaves) {
    const [top = ""] = path.split(".");
    const isAllowed = Object.hasOwn(KNOWN, top) ? KNOWN[top] : undefined;
    if (isAllowed && !isAllowed(path, value)) return { kind: "malformed", key: path };
  }
  return undefined;
}

/** Stored keys that a new value at `key` replaces: the key itself, keys inside it, and keys of which it is a part. */
export const replacedBy = (key: string, stored: Iterable<string>): string[] =>
  [...stored].filter((path) => path === key || path.startsWith(`${key}.`) || key.startsWith(`${path}.`));

/** Combines the leaves into one object. */
export function nest(leaves: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of leaves) {
    const segments = path.split(".");
    const last = segments.pop() ?? "";
    let at = root;
    for (const segment of segments) {
      const next = Object.hasOwn(at, segment) && isObject(at[segment]) ? at[segment] : {};
      at[segment] = next;
      at = next;
    }
    at[last] = value;
  }
  return root;
}
