import { checkDefinitions, isReservedOverride } from "../../../../directory/plugins/rules/parameters/fields.ts";
import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import { isBlank } from "../../../../lib/text/text-of.ts";
import { checkActions } from "../../../../wire/entries/action-shape.ts";
import { checkLimits } from "../../../../wire/entries/limit-shape.ts";
import { isFlag } from "../../../../wire/fields/checks.ts";
import { TENANT } from "../../../../wire/tenant.ts";
import { checkGraphShape } from "../../../graphs/rules/graph-shape.ts";
import { checkTriggers } from "../triggers/trigger-shape.ts";

type Members = Readonly<Record<string, unknown>>;

/** Optional text members, and the pattern that each must match. */
const TEXTS: readonly (readonly [string, RegExp])[] = [
  ["type", /^(?:workflow)?$/],
  ["plugin", /^\w+$/],
  ["algo", /^[\w:]+$/],
  ["expression", /^/],
  ["overlap", /^(?:all|queue|skip|replace)$/],
  ["tenant", TENANT],
];

const NEEDED: readonly (readonly [string, string])[] = [
  ["targets", "Event has no targets specified."],
  ["algo", "Event has no algo specified."],
  ["plugin", "Event has no plugin specified."],
];

/**
 * The wire text of the first fault of an event that can be found without stored data; undefined when there is none
 * (docs/contract/events.md#writing). `sparse` checks only the members that are present, in a record whose type is unknown.
 */
export function checkEventShape(event: Members, { sparse }: { sparse: boolean }): string | undefined {
  return (
    checkTexts(event, sparse) ??
    checkContainers(event) ??
    checkFields(event["fields"]) ??
    checkList(event["triggers"], checkTriggers) ??
    checkList(event["limits"], checkLimits) ??
    checkList(event["actions"], checkActions) ??
    checkOverrides(event["params"]) ??
    // Missing members are reported after wrong ones, so that they come up once the wrong ones are fixed.
    (sparse || isWorkflow(event) ? undefined : checkNeeded(event)) ??
    (sparse || !isWorkflow(event) ? undefined : checkGraphShape(event["workflow"]))
  );
}

/** A workflow has no targets, algorithm or plugin (docs/contract/workflows.md#record). */
const isWorkflow = ({ type }: Members): boolean => type === "workflow";

const isLeftOut = (value: unknown): value is null | undefined => value === undefined || value === null;

const checkList = (value: unknown, check: (value: unknown) => string | undefined): string | undefined =>
  isLeftOut(value) ? undefined : check(value);

function checkTexts(event: Members, sparse: boolean): string | undefined {
  for (const [member, pattern] of TEXTS) {
    const value = event[member];
    // The type of an event never changes: an update drops it unchecked (docs/contract/events.md#updates).
    if (isBlank(value) || (sparse && member === "type")) continue;
    if (typeof value !== "string") return `Malformed parameter type: ${member} (${typeof value})`;
    if (!pattern.test(value)) return `Malformed parameter value: ${member}`;
  }
  return undefined;
}

function checkNeeded(event: Members): string | undefined {
  for (const [member, text] of NEEDED) {
    const value = event[member];
    if (isBlank(value) || (Array.isArray(value) && value.length === 0)) return text;
  }
  return undefined;
}

/** Members of the state that must be numbers. */
const NUMBERS = ["cursor", "nth", "robin", "last_completed", "total_elapsed", "total_count"] as const;

const isNumberOrAbsent = (value: unknown): boolean => isLeftOut(value) || Number.isFinite(value);

function checkContainers({
  params,
  targets,
  tags,
  update_state: state,
  silence_alerts: silent,
}: Members): string | undefined {
  if (!isLeftOut(params) && !isObject(params)) return "Malformed event parameter: params (must be object)";
  if (!isLeftOut(state) && !isObject(state)) return "Malformed event parameter: update_state (must be object)";
  const odd = isObject(state) && NUMBERS.find((member) => !isNumberOrAbsent(state[member]));
  if (odd) return `Malformed event parameter: update_state (${odd} must be a number)`;
  if (!isBlank(silent) && !isFlag(silent)) return "Malformed event parameter: silence_alerts (must be boolean)";
  return checkIds("target", "targets", targets) ?? checkIds("tag", "tags", tags ?? undefined);
}

function checkIds(noun: string, member: string, list: unknown): string | undefined {
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return `Malformed event parameter: ${member} (must be array)`;
  const ids = list as readonly unknown[];
  const at = ids.findIndex((id) => typeof id !== "string" || !/^\w+$/.test(id));
  if (at === -1) return undefined;
  const bad = ids[at];
  return `Malformed ${noun}: ${typeof bad === "string" ? bad : JSON.stringify(bad)}`;
}

function checkFields(fields: unknown): string | undefined {
  if (isLeftOut(fields)) return undefined;
  if (!Array.isArray(fields)) return "Malformed event parameter: fields (must be array)";
  const fault = checkDefinitions(fields);
  return fault && (fault.toolset ? fault.reason : `Malformed user field '${fault.id}': ${fault.reason}`);
}

function checkOverrides(params: unknown): string | undefined {
  const reserved = Object.keys(membersOf(params)).find(isReservedOverride);
  return reserved && `Event: Invalid parameter ID: ${reserved} (reserved)`;
}
