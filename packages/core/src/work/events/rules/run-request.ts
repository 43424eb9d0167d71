import type { Field } from "../../../directory/plugins/model.ts";
import { forceLocked, withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import { checkBlobKey } from "../../../lib/files/blob-key.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import { textOf } from "../../../lib/text/text-of.ts";
import { withoutLaunchMembers } from "../../../wire/entries/launch-members.ts";
import { TARGETS_OVERRIDE } from "../../../wire/entries/override.ts";
import { isReservedWord } from "../../../wire/fields/reserved.ts";
import type { Event } from "../model.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Turns flat members like "params/foo" into nested ones (docs/contract/events.md#running). Paths through reserved words
 * are dropped.
 */
export function expandFlat(input: Members): Record<string, unknown> {
  const expanded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) if (!key.includes("/")) expanded[key] = value;
  for (const [key, value] of Object.entries(input)) {
    const path = key.split("/");
    if (path.length > 1 && path.every((name) => name !== "" && !isReservedWord(name))) assign(expanded, path, value);
  }
  return expanded;
}

/** Whether the input has a flat member that `expandFlat` would expand. */
export const hasFlat = (input: Members): boolean => Object.keys(input).some((key) => key.includes("/"));

function assign(target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...membersOf(target[name]) };
  target[name] = inner;
  assign(inner, rest, value);
}

/** Members that are read by name, or have no meaning for a launch. */
const HANDLED: ReadonlySet<string> = new Set([
  ...["id", "title", "params", "input", "tags", "targets", "test", "json", "state", "until", "type", "category"],
  ...["enabled", "triggers", "idempotency_key"],
  // Other events ignore a graph, and as part of a graph a job would escape the limits of its event.
  "workflow",
  // Output of a job, which no caller may set; the launcher drops the other members that the engine owns.
  ...["serverData", "splugin", "table", "perf"],
]);
const STRICT: ReadonlySet<string> = new Set([
  ...["label", "notes", "priority", "workflowData", "test_actions", "test_limits", "test_conditions"],
]);

interface OverrideRules {
  readonly strict: boolean;
  /** The engine itself runs workflows. */
  readonly isWorkflow: boolean;
}

/** The members that replace the event's for one run; `strict` allows only the harmless ones. */
export function overridesOf(input: Members, { strict, isWorkflow }: OverrideRules): Record<string, unknown> {
  const isSent = (member: string): boolean => !HANDLED.has(member) && !(isWorkflow && member === "plugin");
  const sent = Object.entries(withoutLaunchMembers(input)).filter(([member]) => isSent(member));
  return Object.fromEntries(strict ? sent.filter(([member]) => STRICT.has(member)) : sent);
}

const VALIDATED = ["plugin", "algo", "expression", "limits", "actions", "notes", "icon"] as const;

/** The event as the run will use it, for validation. */
export function mergeForRun(event: Event, overrides: Members, replaced: Partial<Event>): Event {
  const own = VALIDATED.flatMap((member) => (overrides[member] === undefined ? [] : [[member, overrides[member]]]));
  return { ...event, ...Object.fromEntries(own), ...replaced };
}

export interface RunParams {
  readonly sent: Members;
  /** Parameter definitions of the plugin that will run. */
  readonly definitions: readonly Field[];
  /** The call names a plugin other than the event's. */
  readonly isOtherPlugin: boolean;
  /** Administrators may choose locked values. */
  readonly mayUnlock: boolean;
}

/** Sent values, then the event's values, then the defaults of its fields; locked fields stay unchanged. */
export function paramsForRun(event: Event, { sent, definitions, isOtherPlugin, mayUnlock }: RunParams) {
  const filled = withDefaults(event.fields, { ...event.params, ...sent });
  if (mayUnlock) return filled;
  const unlocked = forceLocked(definitions, filled, isOtherPlugin ? undefined : event.params);
  return forceLocked(event.fields, unlocked, event.params);
}

/**
 * The first path that is not a stored file: without this check, a caller could have any object read
 * (docs/contract/files.md#input-of-jobs).
 */
export function foreignPath(files: readonly Members[]): string | undefined {
  const paths = files.map(({ path }) => (typeof path === "string" ? path : ""));
  return paths.find((path) => !path.startsWith("files/") || !isBlobKey(path));
}

/** True when a call might name stored files, judged before its members are merged. */
export const mayNameFiles = ({ input, json, ...others }: Members): boolean =>
  json !== undefined ||
  (input !== undefined && membersOf(input)["files"] !== undefined) ||
  Object.keys(others).some((name) => name.startsWith("input/"));

/** Input files with their actual sizes. */
export const withSizes = (files: readonly Members[], sizes: ReadonlyMap<unknown, number>): Record<string, unknown>[] =>
  files.map((file) => ({ ...file, ...(sizes.has(file["path"]) ? { size: sizes.get(file["path"]) } : {}) }));

function isBlobKey(path: string): boolean {
  try {
    checkBlobKey(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Targets that a parameter of the run puts in place of the event's (docs/contract/parameters.md#override-parameters); undefined
 * when none does.
 */
export function overrideTargets(params: Members): string[] | undefined {
  const value = params[TARGETS_OVERRIDE];
  if (value === undefined || value === null || value === "") return undefined;
  return Array.isArray(value) ? value.map(textOf) : textOf(value).split(/\s*,\s*/);
}

/** An object may throw when it is converted to text. */
