import type { Action, Job, JobState } from "../model.ts";
import { cleanContent } from "./html.ts";

/** Members that an agent can never set (part 31 §5.1): identity, ownership, results that are the engine's. */
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
  ...["state", "push", "procs", "markdown", "text", "html", "data", "files", "workflowData", "serverData"],
]);
const REFUSED_PREFIX = /^(?:test|retry_(?!ok$)|_)/;
/** Replaced whole, in the large part of the record. */
const DETAILS = ["data", "files", "workflowData", "serverData"] as const;
const PUSHABLE: ReadonlySet<string> = new Set(["tags", "actions", "limits", "tickets"]);
const STATES: ReadonlySet<unknown> = new Set(["active", "finishing", "complete"] satisfies JobState[]);
const MAX_PUSHED = 1000;

/** Members that change all the time: they may be up to five seconds old on disk. */
const HIGH_RATE: ReadonlySet<string> = new Set(["cpu", "mem", "progress", "status", "procs", "conns", "redraw"]);

export type Pushed = Readonly<Partial<Record<"tags" | "actions" | "limits" | "tickets", readonly unknown[]>>>;

/** What an update of an agent does to a job. */
export interface AcceptedUpdate {
  /** Members of the job that differ from what is known. */
  readonly job: Readonly<Record<string, unknown>>;
  /** Members of the details that differ. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Entries to append; empty when there are none. */
  readonly push: Pushed;
  readonly procs: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly conns: readonly unknown[] | undefined;
  readonly state: "active" | "finishing" | "complete" | undefined;
  /** Something changed that may not wait for the next slow write. */
  readonly urgent: boolean;
}

export interface KnownJob {
  readonly job: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads one update against what is known of the job. `expand` fills in macros of content. */
export function acceptUpdate(known: KnownJob, update: unknown, expand: (text: string) => string): AcceptedUpdate {
  const sent = isObject(update) ? update : {};
  const job = differing(known.job, { ...acceptedMembers(sent), ...contentOf(sent, expand) });
  const details = differing(
    known.details,
    Object.fromEntries(DETAILS.flatMap((key) => (key in sent ? [[key, sent[key]]] : []))),
  );
  const state = STATES.has(sent["state"]) ? (sent["state"] as AcceptedUpdate["state"]) : undefined;
  const keys = Object.keys(job);
  return {
    job,
    details,
    push: pushOf(sent["push"]),
    procs: isObject(sent["procs"]) ? (sent["procs"] as AcceptedUpdate["procs"]) : undefined,
    conns: Array.isArray(sent["conns"]) ? sent["conns"] : undefined,
    state,
    urgent: Object.keys(details).length > 0 || keys.some((key) => !HIGH_RATE.has(key)),
  };
}

function acceptedMembers(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const accepted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(sent))
    if (!REFUSED.has(key) && !REFUSED_PREFIX.test(key) && isWellFormed(key, value)) accepted[key] = value;
  if (isObject(sent["procs"])) accepted["procs"] = sent["procs"];
  return accepted;
}

/** Known members of a wrong type would break readers of the record; they are dropped. */
function isWellFormed(key: string, value: unknown): boolean {
  switch (key) {
    case "progress":
      return typeof value === "number" && Number.isFinite(value);
    case "cpu":
    case "mem":
      return isObject(value) && typeof value["total"] === "number" && typeof value["count"] === "number";
    case "complete":
    case "retry_ok":
      return typeof value === "boolean";
    case "description":
      return typeof value === "string";
    case "code":
      return typeof value === "number" || typeof value === "string" || typeof value === "boolean";
    default:
      return true;
  }
}

/** Markdown and plain text become HTML; what stands in it is cleaned after the macros are filled in. */
function contentOf(sent: Readonly<Record<string, unknown>>, expand: (text: string) => string): Record<string, unknown> {
  const { html, markdown, text } = sent;
  if (html !== undefined) return { html: cleanContent(html, "html", expand) };
  // Markdown is shown as it is written: readable, and nothing in it can be markup.
  if (markdown !== undefined) return { html: cleanContent(markdown, "text", expand) };
  return text === undefined ? {} : { html: cleanContent(text, "text", expand) };
}

function differing(
  known: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([key, value]) => !isSame(known[key], value)));
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function pushOf(push: unknown): Pushed {
  if (!isObject(push)) return {};
  return Object.fromEntries(
    Object.entries(push).flatMap(([key, list]) =>
      PUSHABLE.has(key) && Array.isArray(list) && list.length > 0 ? [[key, list.slice(0, MAX_PUSHED)]] : [],
    ),
  );
}

export const hasPush = (push: Pushed): boolean => Object.keys(push).length > 0;

const text = (value: unknown): value is string => typeof value === "string" && value !== "";
const entry = (value: unknown): value is { type: string } => isObject(value) && typeof value["type"] === "string";
const bounded = <T>(list: readonly T[]): T[] => list.slice(0, MAX_PUSHED);

/** Appends what a plugin pushed: tags and tickets each once, actions and limits marked as the job's own. */
export function applyPush(job: Job, push: Pushed): Job {
  const unique = (known: readonly string[] | undefined, more: readonly unknown[] | undefined): string[] =>
    bounded([...new Set([...(known ?? []), ...(more ?? []).filter(text)])]);
  const marked = (more: readonly unknown[] | undefined): { type: string }[] =>
    (more ?? []).filter(entry).map((item) => ({ enabled: false, condition: "", ...item, source: "job" }));
  return {
    ...job,
    ...(push.tags ? { tags: unique(job.tags, push.tags) } : {}),
    ...(push.tickets ? { tickets: unique(job.tickets, push.tickets) } : {}),
    ...(push.actions ? { actions: bounded([...(job.actions ?? []), ...(marked(push.actions) as Action[])]) } : {}),
    ...(push.limits ? { limits: bounded([...(job.limits ?? []), ...(marked(push.limits) as Action[])]) } : {}),
  };
}
