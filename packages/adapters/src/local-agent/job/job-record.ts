import type { IdGenerator } from "@signalbox/core/adapter";
import { membersOf } from "@signalbox/core/adapter";

export type Update = Readonly<Record<string, unknown>>;

/**
 * The agent's own copy of a job, and the rules by which its plugin may change it
 * (docs/contract/satellites.md#what-a-plugin-may-say).
 */
export interface JobRecord {
  readonly id: string;
  /** The job as the conductor sent it; never changed. */
  readonly sent: Update;
  /** A code is known; later updates are ignored. */
  readonly isComplete: () => boolean;
  /** Members set by the agent itself. */
  set(members: Update): void;
  remove(...names: string[]): void;
  /** Takes one update of the plugin. False when it was ignored. */
  apply(update: Update): boolean;
  /** Members as they are now. */
  read(name: string): unknown;
  /** Copy for a `jobs` message; one-time members are in one copy only. */
  snapshot(): Update;
  /** Copy for the last message, with the members that were held back. */
  final(): Update;
}

const HELD = new Set(["data", "serverData", "workflowData"]);
const ONE_TIME = ["table", "html", "text", "markdown"];
/** Members in each message. */
const ALWAYS = new Set(["id", "state"]);
/** Members that the agent or the conductor alone sets, and names that reach an object's prototype. */
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

interface State {
  readonly sent: Update;
  readonly fields: Record<string, unknown>;
  readonly held: Record<string, Record<string, unknown>>;
  push: Record<string, unknown[]>;
  readonly warn: (text: string) => void;
}

export function createJobRecord(
  sent: Update,
  { ids, warn }: { ids: IdGenerator; warn: (text: string) => void },
): JobRecord {
  const { activity: _rows, ...fields } = sent;
  const state: State = { sent, fields: { ...fields }, held: {}, push: {}, warn };
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
      // A plugin that echoes its job sends type and state.
      if (state.fields["complete"] === true || "type" in update || "state" in update) return false;
      applyUpdate(state, update);
      state.fields["redraw"] = ids.short("");
      return true;
    },
    snapshot() {
      const taken = takeCopy(state);
      // The finished job repeats them in its last message: the conductor replaces, so a repetition is harmless.
      if (state.fields["state"] === "active") for (const name of ONE_TIME) delete state.fields[name];
      return taken;
    },
    final: () => ({ ...takeCopy(state), ...state.held }),
  };
}

/**
 * Members that differ from the job as the conductor sent it. Pushed entries are appended there, so they
 * travel in one copy only.
 */
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
  else if (!PROTECTED.has(name) && !UNSAFE.has(name)) state.fields[name] = value;
}

function hold({ held, warn }: State, name: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    warn(`Warning: Ignored malformed ${name}: expected an object`);
    return;
  }
  if (Object.keys(value).length > 0) held[name] = mergeHeld(held[name] ?? {}, membersOf(value));
}

function takePush({ fields, push, warn }: State, value: unknown): void {
  const entries = Object.entries(membersOf(value));
  if (entries.length === 0 || !entries.every(([name, list]) => isPushName(name) && Array.isArray(list))) {
    warn("Warning: Ignored malformed push: expected an object of arrays");
    return;
  }
  for (const [name, list] of entries as [string, unknown[]][]) {
    const target = name === "files" ? fields : push;
    target[name] = [...listOf(target[name]), ...list].slice(0, MAX_PUSHED);
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

/** Merges held updates: later values win; top-level arrays grow. */
function mergeHeld(
  old: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...old };
  for (const [name, value] of Object.entries(added)) {
    if (UNSAFE.has(name)) continue;
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    merged[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return merged;
}

function fraction(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? Math.min(1, Math.max(0, number)) : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
