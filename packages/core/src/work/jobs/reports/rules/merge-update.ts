import { withoutResult } from "../../../../fleet/actions/rules/list.ts";
import { filterMembers } from "../../../../lib/json/filter-members.ts";
import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import { jsonOf } from "../../../../lib/json/json-text.ts";
import { maskArguments } from "../../../../lib/secrecy/mask-arguments.ts";
import type { Action, Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { limitFault } from "../../../../wire/entries/limit-shape.ts";
import type { Job, JobState } from "../../model.ts";
import { outputPath } from "../../rules/stored-path.ts";
import { toldContent } from "./told-content.ts";

/**
 * Members that an agent can never set (docs/contract/jobs.md#updates): identity, ownership, and results that the engine
 * determines.
 */
const REFUSED: ReadonlySet<string> = new Set([
  ...["id", "event", "category", "plugin", "type", "source", "username", "parent", "workflow", "targets", "params"],
  ...["server", "groups", "started", "completed", "elapsed", "final", "retried", "retry_count", "retry_prev", "jobs"],
  ...["suspended", "input", "now", "activity", "log_file", "log_file_size", "log_uploaded", "output", "timelines"],
  ...["actions", "limits", "tags", "tickets", "updated", "remote", "until", "position", "priority", "env", "command"],
  ...[
    "algo",
    "expression",
    "script",
    "uid",
    "gid",
    "kill",
    "runner",
    "delete_event",
    "event_title",
    "event_revision",
    "disk",
    "net",
  ],
  ...["state", "push", "procs", "conns", "markdown", "text", "html", "data", "files", "workflowData", "serverData"],
  ...["cause", "code_version", "params_version", "tenant"],
]);
const REFUSED_PREFIX = /^(?:test|retry_(?!ok$)|_)/;
/** Members of the details that are replaced as a whole. */
const DETAILS = ["data", "workflowData", "serverData"] as const;
const STATES: ReadonlySet<unknown> = new Set(["active", "finishing", "complete"] satisfies JobState[]);
const MAX_PUSHED = 1000;
const MAX_FILES = 1000;
/** Most processes and most connections of one sample. */
const MAX_SAMPLED = 1000;
/** Most members of a job, including the members of its plugin. */
const MAX_MEMBERS = 500;
const MAX_NAME = 64;
/** Most characters of one member as JSON. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Members that change constantly: their stored values may be up to five seconds old. */
const HIGH_RATE: ReadonlySet<string> = new Set(["cpu", "mem", "progress", "status", "procs", "conns", "redraw"]);

/** Entries to append, by list: lists of the engine, and lists that belong to the plugin. */
export type Pushed = Readonly<Partial<Record<"tags" | "actions" | "limits" | "tickets", readonly unknown[]>>> & {
  readonly [list: string]: readonly unknown[] | undefined;
};

/** The changes that an agent's update makes to a job. */
export interface AcceptedUpdate {
  /** Members of the job that differ from the known ones. */
  readonly job: Members & { readonly code?: unknown; readonly description?: unknown };
  /** Members of the details that differ. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Entries to append; empty when there are none. */
  readonly push: Pushed;
  readonly procs: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly conns: readonly unknown[] | undefined;
  readonly state: "active" | "finishing" | "complete" | undefined;
  /** When the process ended, if the final update says so. Unix seconds. */
  readonly ended: number | undefined;
  /** Something changed that must not wait for the next periodic write. */
  readonly urgent: boolean;
  /** Names of members that were dropped because they are malformed or too large. */
  readonly dropped: readonly string[];
}

export interface KnownJob {
  readonly job: Members & { readonly id?: unknown };
  readonly details: Readonly<Record<string, unknown>>;
}

type Members = Readonly<Record<string, unknown>>;
/** Checks one update against the known state of the job. `expand` expands macros of content and must not throw. */
export function acceptUpdate(known: KnownJob, update: unknown, expand: (text: string) => string): AcceptedUpdate {
  const sent = membersOf(update);
  const dropped: string[] = [];
  const state = STATES.has(sent["state"]) ? (sent["state"] as AcceptedUpdate["state"]) : undefined;
  const procs = isObject(sent["procs"]) ? sampledProcs(sent["procs"]) : undefined;
  const conns = Array.isArray(sent["conns"]) ? sent["conns"].filter(isObject).slice(0, MAX_SAMPLED) : undefined;
  const own = filterMembers(withPlainCode(sent), (key, value) => isAccepted(key, value));
  const members = differing(known.job, { ...own, ...toldContent(sent, expand) }, dropped);
  const job = { ...limited(known.job, members, dropped), ...(procs ? { procs } : {}), ...(conns ? { conns } : {}) };
  const details = differing(known.details, detailsOf(sent, String(known.job.id), state), dropped);
  const urgent = Object.keys(details).length > 0 || Object.keys(job).some((key) => !HIGH_RATE.has(key));
  const ended = state === "complete" && isNumber(sent["completed"]) ? sent["completed"] : undefined;
  return { job, details, push: pushOf(sent["push"], dropped), procs, conns, state, ended, urgent, dropped };
}

/** A malformed code must not count as success, as a missing one does. */
const withPlainCode = (sent: Members): Members =>
  isObject(sent["code"]) || Array.isArray(sent["code"]) ? { ...sent, code: "unknown" } : sent;

const isAccepted = (key: string, value: unknown): boolean =>
  !REFUSED.has(key) && !REFUSED_PREFIX.test(key) && key.length <= MAX_NAME && isWellFormed(key, value);

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isUsage = (value: unknown): boolean =>
  isObject(value) &&
  isNumber(value["total"]) &&
  isNumber(value["count"]) &&
  ["min", "max", "current"].every((name) => value[name] === undefined || isNumber(value[name]));

const SHAPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["progress", isNumber],
  ["cpu", isUsage],
  ["mem", isUsage],
  ["complete", (value) => typeof value === "boolean"],
  ["retry_ok", (value) => typeof value === "boolean"],
  ["description", (value) => typeof value === "string"],
  ["status", (value) => typeof value === "string"],
  ["label", (value) => typeof value === "string"],
  ["clear_alert", (value) => typeof value === "string"],
  ["update_event", isObject],
  ["code", (value) => value === null || ["number", "string", "boolean"].includes(typeof value)],
]);

const CONTENT: ReadonlySet<string> = new Set(["perf", "table", "redraw"]);

/** Names with a defined meaning; a plugin may send others. */
export const isKnownMember = (name: string): boolean => REFUSED.has(name) || SHAPES.has(name) || CONTENT.has(name);

/** A known member of a wrong type would break readers of the record, so it is dropped. */
const isWellFormed = (key: string, value: unknown): boolean => SHAPES.get(key)?.(value) ?? value !== undefined;

/**
 * Files count only at the end, and only this job's files, by their normalised paths (docs/contract/jobs.md#the-final-update).
 */
function detailsOf(sent: Members, id: string, state: AcceptedUpdate["state"]): Members {
  const { files } = sent;
  const isOwn = (file: unknown): boolean =>
    isObject(file) && file["path"] !== undefined && outputPath(file["path"], id) === file["path"];
  const members = DETAILS.flatMap((key) => {
    const value = sent[key];
    return value !== undefined && (key === "data" || isObject(value)) ? [[key, value]] : [];
  });
  return {
    ...Object.fromEntries(members),
    ...(state === "complete" && Array.isArray(files) ? { files: files.filter(isOwn).slice(0, MAX_FILES) } : {}),
  };
}

/** Masks secrets in command lines, as in a server's processes. */
const sampledProcs = (procs: Members): Record<string, Members> =>
  Object.fromEntries(
    Object.entries(procs)
      .filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1]))
      .slice(0, MAX_SAMPLED)
      .map(([pid, process]) => [pid, withMaskedCommand(process)]),
  );

const withMaskedCommand = (process: Members): Members =>
  typeof process["command"] === "string" ? { ...process, command: maskArguments(process["command"]) } : process;

/**
 * Members that differ from the known value. A member that is too large or too deep would make the whole record impossible to
 * store.
 */
function differing(known: Members, sent: Members, dropped: string[]): Record<string, unknown> {
  const changed = Object.entries(sent).filter(([key, value]) => {
    if (known[key] === value) return false;
    const json = jsonOf(value);
    if (json === undefined || json.length > MAX_CHARACTERS) {
      dropped.push(key);
      return false;
    }
    return jsonOf(known[key]) !== json;
  });
  return Object.fromEntries(changed);
}

/** Accepts new members up to the bound. */
function limited(known: Members, members: Record<string, unknown>, dropped: string[]): Record<string, unknown> {
  let room = MAX_MEMBERS - Object.keys(known).length;
  const kept = Object.entries(members).filter(([key]) => {
    if (Object.hasOwn(known, key) || SHAPES.has(key) || key === "html") return true;
    room -= 1;
    if (room < 0) dropped.push(key);
    return room >= 0;
  });
  return Object.fromEntries(kept);
}

const CONTROL = /\p{Cc}/u;
const isTag = (value: unknown): boolean =>
  typeof value === "string" && value !== "" && value.length <= 256 && !CONTROL.test(value);
const isTicket = (value: unknown): boolean => typeof value === "string" && /^[\w-]{1,64}$/.test(value);
const isAction = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["type"] === "string" &&
  (value["condition"] === undefined || typeof value["condition"] === "string");
const isLimit = (value: unknown): boolean =>
  limitFault(value) === undefined && isTagList((value as Record<string, unknown>)["tags"]);
const isTagList = (tags: unknown): boolean => tags === undefined || (Array.isArray(tags) && tags.every(isTag));

/** Lists that accept pushed entries, each with a check: a malformed entry would break the job later. */
const PUSHABLE: ReadonlyMap<string, (entry: unknown) => boolean> = new Map([
  ["tags", isTag],
  ["actions", isAction],
  ["limits", isLimit],
  ["tickets", isTicket],
]);

const isAnything = (): boolean => true;

function pushOf(push: unknown, dropped: string[]): Pushed {
  if (!isObject(push)) return {};
  return Object.fromEntries(
    Object.entries(push).flatMap(([key, list]) => {
      const isFine = PUSHABLE.get(key) ?? (isAccepted(key, []) ? isAnything : undefined);
      if (!isFine || !Array.isArray(list) || list.length === 0) return [];
      const kept = list.slice(0, MAX_PUSHED).filter((entry) => isFine(entry) && fits(entry));
      if (kept.length < list.length) dropped.push(`push.${key}`);
      return kept.length > 0 ? [[key, kept]] : [];
    }),
  );
}

const fits = (entry: unknown): boolean => (jsonOf(entry)?.length ?? MAX_ENTRY + 1) <= MAX_ENTRY;
/** Most characters of one pushed entry. */
const MAX_ENTRY = 64 * 1024;

export const hasPush = (push: Pushed): boolean => Object.keys(push).length > 0;

const bounded = <T>(list: readonly T[]): T[] => list.slice(0, MAX_PUSHED);

/**
 * Appends the entries that a plugin pushed: tags and tickets without duplicates, actions and limits marked with the source "job".
 */
export function applyPush(job: Job, push: Pushed): Job {
  const unique = (known: readonly string[] | null | undefined, more: readonly unknown[]): string[] =>
    bounded([...new Set([...(known ?? []), ...(more as readonly string[])])]);
  // Results are removed, because an entry with a result would never run.
  const marked = (more: readonly unknown[]): object[] =>
    more.map((item) => ({ enabled: false, ...withoutResult(item as object), source: "job" }));
  const actions = marked(push.actions ?? []).map((item) => ({ condition: "", ...item }) as Action);
  const limits = marked(push.limits ?? []) as Limit[];
  return {
    ...job,
    ...ownLists(job, push),
    ...(push.tags ? { tags: unique(job.tags, push.tags) } : {}),
    ...(push.tickets ? { tickets: unique(job.tickets, push.tickets) } : {}),
    ...(push.actions ? { actions: bounded([...(job.actions ?? []), ...actions]) } : {}),
    ...(push.limits ? { limits: bounded([...(job.limits ?? []), ...limits]) } : {}),
  };
}

/** Lists that belong to the plugin with the pushed entries, up to the bound on members. */
function ownLists(job: Job, push: Pushed): Record<string, unknown> {
  let room = MAX_MEMBERS - Object.keys(job).length;
  const lists = Object.entries(push).flatMap(([name, more = []]) => {
    const known = job[name] ?? [];
    if (PUSHABLE.has(name) || !Array.isArray(known)) return [];
    const list = bounded([...known, ...more]);
    const isFitting = (jsonOf(list)?.length ?? MAX_CHARACTERS + 1) <= MAX_CHARACTERS;
    if (isFitting && !Object.hasOwn(job, name)) room -= 1;
    return isFitting && (room >= 0 || Object.hasOwn(job, name)) ? [[name, list] as const] : [];
  });
  return Object.fromEntries(lists);
}
