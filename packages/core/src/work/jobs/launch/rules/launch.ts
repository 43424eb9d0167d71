import { filterMembers } from "../../../../lib/json/filter-members.ts";
import { textOf } from "../../../../lib/text/text-of.ts";
import type { Action, Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { CALL_MEMBERS, LAUNCH_MEMBERS } from "../../../../wire/entries/launch-members.ts";
import { OVERRIDE_PREFIX } from "../../../../wire/entries/override.ts";
import type { Job, JobState } from "../../model.ts";

type Members = Readonly<Record<string, unknown>>;

/** The command that makes the agent inside the host call one of its functions, which it finds by the id of the event. */
export const HOST_FUNCTION = "[host-function]";

/** Members of an event that belong to the definition and not to its jobs (docs/contract/jobs.md#record). */
const EVENT_ONLY = ["id", "title", "enabled", "triggers", "created", "modified", "revision", "expect"];
/** Members that a caller may never set on a job (docs/contract/events.md#running). */
const ENGINE_OWNED = [
  ...[
    "event",
    "server",
    "groups",
    "source",
    "username",
    "started",
    "completed",
    "elapsed",
    "code",
    "complete",
    "final",
  ],
  ...[
    "remote",
    "retried",
    "retry_count",
    "retry_prev",
    "retry_ok",
    "jobs",
    "activity",
    "suspended",
    "position",
    "state",
  ],
  ...["until", "updated", "now", "parent", "type", "category", "log_file_size", "log_uploaded", "log_file", "output"],
  ...["progress", "cpu", "mem", "procs", "conns", "timelines", "files", "data", "html", "pid", "description", "stype"],
  ...["cause", "code_version", "params_version", "tenant"],
];

/** Effects on other records, which only actions, plugins and alerts may request, and members that are written at the end. */
const DEFERRED = [
  ...["update_event", "delete_event", "clear_alert", "event_title", "event_revision"],
  ...["disk", "net", "redraw", "status", "rpid", "reconnected", "late", "table", "perf", "serverData", "splugin"],
];

/** Members of a job that the engine owns and takes from the event. */
const FROM_EVENT: ReadonlySet<string> = new Set(["type", "category", "tenant"]);
/** Events are open records: with a member that the engine owns, an event could start jobs in the middle of their life. */
const NOT_FROM_EVENT: ReadonlySet<string> = new Set([
  ...EVENT_ONLY,
  ...LAUNCH_MEMBERS,
  ...CALL_MEMBERS,
  ...DEFERRED,
  ...ENGINE_OWNED.filter((member) => !FROM_EVENT.has(member)),
]);
const NOT_FROM_CALLER: ReadonlySet<string> = new Set([
  ...EVENT_ONLY,
  ...LAUNCH_MEMBERS,
  ...CALL_MEMBERS,
  ...DEFERRED,
  ...ENGINE_OWNED,
  ...["params", "input", "workflowData"],
  // A caller who may only run an event must not silence a server with it.
  "silence_alerts",
]);

/** Members of the event that its job copies: all except the members of the definition and of the engine. */
export function fromEvent(event: Members): Record<string, unknown> {
  const { workflow, ...members } = omit(event, NOT_FROM_EVENT);
  // With a `workflow` member, a job of another event would seem to be a sub-job and escape the limits of its event.
  return workflow === undefined || event["type"] !== "workflow" ? members : { ...members, workflow };
}

/** Members that callers may override for one launch; members that the engine owns are ignored. */
export const allowedOverrides = (overrides: Members): Record<string, unknown> => omit(overrides, NOT_FROM_CALLER);

function omit(record: Members, members: ReadonlySet<string>): Record<string, unknown> {
  return filterMembers(record, (member) => !members.has(member));
}

const toList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : textOf(value).split(","))
    .map((part: unknown) => textOf(part).trim())
    .filter((part) => part !== "");
/** For parameters that are texts: "false" and "0" mean no. */
const toFlag = (value: unknown): boolean => !["false", "0", ""].includes(textOf(value));

/** Members that parameters may override, each with the conversion of the value. */
const OVERRIDABLE: ReadonlyMap<string, (value: unknown) => unknown> = new Map<string, (value: unknown) => unknown>([
  ...["targets", "tags"].map((member) => [member, toList] as const),
  ...["expression", "algo", "label", "icon", "notes"].map((member) => [member, textOf] as const),
  ...["priority", "invisible", "ephemeral"].map((member) => [member, toFlag] as const),
]);

/**
 * Job members that parameters named `_xy_override_<member>` override (docs/contract/parameters.md#override-parameters), and the
 * names of the members that were ignored.
 */
export function overridesFromParams(params: Members): { members: Record<string, unknown>; ignored: string[] } {
  const members: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(params)) {
    if (!key.startsWith(OVERRIDE_PREFIX) || value === undefined || value === null || value === "") continue;
    const member = key.slice(OVERRIDE_PREFIX.length);
    const read = OVERRIDABLE.get(member);
    if (read) members[member] = read(value);
    else ignored.push(member);
  }
  return { members, ignored };
}

/** Line of the meta log about a member that parameters may not override. */
export const ignoredOverride = (member: string): string => `WARNING: Ignoring override of: ${member}`;

/** Line of the meta log about a value of a magic link that would become a variable with a meaning for programs. */
export const ignoredParameter = (variable: string): string =>
  `WARNING: Ignoring ${variable}: the event has no such parameter, and a link may not set this variable.`;

/** The order in which parameters are expanded: the event's fields first, so that later parameters see them. */
export function paramOrder(params: Members, fields: unknown): string[] {
  const ids = (Array.isArray(fields) ? fields : []).flatMap((field: unknown) => {
    const id = (field as { id?: unknown } | null)?.id;
    return typeof id === "string" && Object.hasOwn(params, id) ? [id] : [];
  });
  return [...new Set([...ids, ...Object.keys(params)])];
}

/** The members of a plugin record that a launch reads. */
export interface LaunchPlugin {
  readonly script?: unknown;
  readonly uid?: unknown;
  readonly gid?: unknown;
  readonly kill?: unknown;
  readonly runner?: unknown;
  readonly params?: unknown;
}

/** A user name, or a number including 0. */
const isAccount = (value: unknown): boolean => typeof value === "number" || (typeof value === "string" && value !== "");

/** Members that start the process: taken from plugin and configuration, never from the caller (docs/contract/jobs.md#launch). */
export function launchMembers(
  plugin: LaunchPlugin,
  params: Members,
  fallback: { uid?: unknown; gid?: unknown },
): Record<string, unknown> {
  const identity = (member: "uid" | "gid"): unknown => {
    const definitions = Array.isArray(plugin.params) ? (plugin.params as readonly Members[]) : [];
    const locked = definitions.find(({ id, locked: isLocked }) => id === member && isLocked);
    const candidates = [locked && (params[member] ?? locked["value"]), plugin[member], fallback[member]];
    return candidates.find(isAccount) ?? "";
  };
  return {
    script: plugin.script ? "(File)" : "",
    uid: identity("uid"),
    gid: identity("gid"),
    kill: plugin.kill ?? "parent",
    ...(plugin.runner ? { runner: true } : {}),
  };
}

export interface NewJob {
  readonly id: string;
  readonly event: Members & { readonly id: string };
  readonly overrides: Members;
  readonly actions: readonly Action[];
  readonly limits: readonly Limit[];
  readonly tags: readonly string[];
  /** Members that the engine sets: source, username, env, command … */
  readonly engine: Members;
  readonly state: JobState;
  /** Unix seconds. */
  readonly now: number;
}

export function newJob({ id, event, overrides, actions, limits, tags, engine, state, now }: NewJob): Job {
  return {
    ...fromEvent(event),
    ...allowedOverrides(overrides),
    ...engine,
    actions: [...actions],
    limits: [...limits],
    tags: [...tags],
    id,
    event: event.id,
    state,
    started: now,
    log_file_size: 0,
  };
}

/** Sources whose launches a cap delays instead of refusing (docs/contract/schedules.md#bounds-of-launches). */
const PATIENT: ReadonlySet<string> = new Set(["scheduler", "plugin", "startup", "workflow"]);
export const waitsForRoom = (source: string, isRetry: boolean): boolean => isRetry || PATIENT.has(source);
