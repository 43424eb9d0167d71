import type { IdGenerator } from "@signalbox/core/adapter";
import { leastJsonLength, membersOf } from "@signalbox/core/adapter";

export type Update = Readonly<Record<string, unknown>>;

/**
 * The agent's own copy of a job, and the rules by which its plugin may change it
 * (docs/contract/satellites.md#what-a-plugin-may-say).
 */
export interface JobRecord {
  readonly id: string;
  /** The job as the node sent it; never changed. */
  readonly sent: Update;
  /** True once a code is known; later updates are ignored. */
  readonly isComplete: () => boolean;
  /** Sets members on behalf of the agent. */
  set(members: Update): void;
  remove(...names: string[]): void;
  /** Applies an update of the plugin. False when it was ignored. */
  apply(update: Update): boolean;
  /** Current value of a member. */
  read(name: string): unknown;
  /** Copy for a `jobs` message. While the job is active, one-time members are in one copy only. */
  snapshot(): Update;
  /** Copy for the last message, including the held members. */
  final(): Update;
}

const HELD = new Set(["data", "serverData", "workflowData"]);
const ONE_TIME = ["table", "html", "text", "markdown"];
/** Members in every message. */
const ALWAYS = new Set(["id", "state"]);
/** Members that only the agent or the node sets. `UNSAFE` has the names that reach an object's prototype. */
const PROTECTED = new Set([
  "id",
  "xy",
  "pid",
  "cwd",
  "log_file",
  "procs",
  "cpu",
  "mem",
  "server",
  "plugin",
  "activity",
]);
const UNSAFE = new Set(["__proto__", "constructor", "prototype"]);
const NO_DESCRIPTION = "Unknown Error (no description provided)";
const MAX_PUSHED = 1000;
/** Characters of JSON: one bound for held members, one for all others. Both are in the host's memory. */
const MAX_HELD = 16 * 1_048_576;

/** Whether a checkbox is set, in any spelling of a parameter. */
export const isOn = (value: unknown): boolean => value === true || value === 1 || value === "1" || value === "true";

interface State {
  readonly sent: Update;
  readonly fields: Record<string, unknown>;
  readonly held: Record<string, Record<string, unknown>>;
  heldLength: number;
  /** Characters of each other member that the plugin has set, and of all of them. */
  readonly lengths: Map<string, number>;
  length: number;
  /** True once the plugin has been warned that its data is ignored. */
  isFull: boolean;
  push: Record<string, unknown[]>;
  readonly warn: (text: string) => void;
}

export function createJobRecord(
  sent: Update,
  { ids, warn }: { ids: IdGenerator; warn: (text: string) => void },
): JobRecord {
  const { activity: _rows, ...fields } = sent;
  const empty = { held: {}, heldLength: 0, lengths: new Map<string, number>(), length: 0, isFull: false, push: {} };
  const state: State = { sent, fields: { ...fields }, ...empty, warn };
  return {
    id: String(sent["id"]),
    sent,
    isComplete: () => state.fields["complete"] === true,
    read: (name) => state.fields[name],
    set(values) {
      Object.assign(state.fields, values);
    },
    remove(...names) {
      for (const name of names) delete state.fields[name];
    },
    apply(update) {
      // An update with `type` or `state` is a plugin's echo of its own job.
      if (state.fields["complete"] === true || "type" in update || "state" in update) return false;
      applyUpdate(state, update);
      state.fields["redraw"] = ids.short("");
      return true;
    },
    snapshot() {
      const taken = takeCopy(state);
      // A finishing job sends them again in its last message; that is harmless, because the node replaces the old ones.
      if (state.fields["state"] === "active") for (const name of ONE_TIME) drop(state, name);
      return taken;
    },
    final: () => ({ ...takeCopy(state), ...state.held }),
  };
}

/** Members that differ from the job as the node sent it. The node appends pushed entries, so they are in one copy only. */
function takeCopy(state: State): Update {
  const { fields, push, sent } = state;
  state.push = {};
  const copy: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== sent[name] || ALWAYS.has(name)) copy[name] = fields[name];
  if (Object.keys(push).length > 0) copy["push"] = push;
  return copy;
}

function applyUpdate(state: State, { code, complete, ...others }: Update): void {
  for (const [name, value] of Object.entries(others)) takeMember(state, name, value);
  if (code !== undefined && code !== null)
    markComplete(state.fields, typeof code === "number" || typeof code === "string" ? code : Number(Boolean(code)));
  else if (complete === true) markComplete(state.fields, 0);
}

function takeMember(state: State, name: string, value: unknown): void {
  if (HELD.has(name)) hold(state, name, value);
  else if (name === "push") takePush(state, value);
  else if (name === "progress") state.fields[name] = fraction(value) ?? state.fields[name];
  else if (!PROTECTED.has(name) && !UNSAFE.has(name)) keep(state, name, value);
}

/** Counts the size of all members, because the plugin chooses their names and number. */
function keep(state: State, name: string, value: unknown): void {
  const { fields, lengths } = state;
  const length = name.length + leastJsonLength(value);
  const all = state.length + length - (lengths.get(name) ?? 0);
  if (all > MAX_HELD) tellFull(state);
  else {
    lengths.set(name, length);
    state.length = all;
    fields[name] = value;
  }
}

function drop(state: State, name: string): void {
  state.length -= state.lengths.get(name) ?? 0;
  state.lengths.delete(name);
  delete state.fields[name];
}

function tellFull(state: State): void {
  if (!state.isFull) state.warn(`Warning: Ignored data beyond ${MAX_HELD / 1_048_576} MB`);
  state.isFull = true;
}

function hold(state: State, name: string, value: unknown): void {
  const { held, warn } = state;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    warn(`Warning: Ignored malformed ${name}: expected an object`);
    return;
  }
  const added = membersOf(value);
  if (Object.keys(added).length === 0) return;
  if (state.heldLength + leastJsonLength(added) <= MAX_HELD) {
    held[name] ??= {};
    state.heldLength += addHeld(held[name], added);
    return;
  }
  tellFull(state);
}

function takePush(state: State, value: unknown): void {
  const { fields, push, warn } = state;
  const entries = Object.entries(membersOf(value));
  if (entries.length === 0 || !entries.every(([name, list]) => isPushName(name) && Array.isArray(list))) {
    warn("Warning: Ignored malformed push: expected an object of arrays");
    return;
  }
  for (const [name, list] of entries as [string, unknown[]][]) {
    const joined = [...listOf((name === "files" ? fields : push)[name]), ...list].slice(0, MAX_PUSHED);
    if (name === "files") keep(state, name, joined);
    else push[name] = joined;
  }
}

function markComplete(fields: Record<string, unknown>, code: number | string): void {
  fields["complete"] = true;
  fields["code"] = code || 0;
  if (code && !fields["description"]) fields["description"] = NO_DESCRIPTION;
}

function isPushName(name: string): boolean {
  return /^\w+$/.test(name) && !UNSAFE.has(name);
}

/** Adds a held update; returns the growth in characters. */
function addHeld(target: Record<string, unknown>, added: Readonly<Record<string, unknown>>): number {
  const safe = Object.entries(added).filter(([name]) => !UNSAFE.has(name));
  return safe.reduce((growth, [name, value]) => growth + addMember(target, name, value), 0);
}

/** Lists are appended to; any other value replaces the old one. */
function addMember(target: Record<string, unknown>, name: string, value: unknown): number {
  const before = Object.hasOwn(target, name) ? target[name] : undefined;
  const length = leastJsonLength(value);
  if (Array.isArray(before) && Array.isArray(value)) {
    // Appends in place: copying the list would copy all rows again for each new one.
    for (const each of value) before.push(each);
    return length;
  }
  target[name] = value;
  return length + (before === undefined ? name.length : -leastJsonLength(before));
}

function fraction(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? Math.min(1, Math.max(0, number)) : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
