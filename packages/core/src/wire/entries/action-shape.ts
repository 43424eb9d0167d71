import * as z from "zod";
import { isObject } from "../../lib/json/is-object.ts";
import { faultOf } from "../../lib/message-of.ts";
import { isBlank, isTextList, isWord } from "../../lib/text/text-of.ts";
import { readDue } from "../fields/due.ts";
import { reporting } from "../issues.ts";
import { knowing } from "../schemas/known-members.ts";
import type { ActionInputs } from "./action-types.ts";
import type { Action } from "./actions-and-limits.ts";
import { knownActions } from "./entry-members.ts";

type Entry = Readonly<Record<string, unknown>>;
/** Returns the text that follows "Malformed action entry #n: ". */
type Check = (entry: Entry) => string | undefined;

export interface ActionShapeOptions {
  /**
   * Types of actions that plugins add to those of the contract. Their `validate` throws an error whose message follows the
   * prefix.
   */
  readonly types?: ReadonlyMap<string, { readonly validate?: (action: Entry) => void }>;
  /** True = accepts any types, because plugins may add types that are not known here. */
  readonly anyType?: boolean;
  /** Returns why a type of ticket is refused; present where the configuration is known. */
  readonly ticketFault?: (type: unknown) => string | undefined;
}

/** A definition that an action refers to, and how errors name the action. */
export interface ActionReference {
  readonly id: string;
  /** "Malformed action entry #1" */
  readonly where: string;
}

const CONDITION = /^(?:start|complete|success|warning|error|user|critical|abort|tag:\w+|alert_new|alert_cleared)$/;
/** Hosts add types of tickets in the configuration, which is not known here. */
const TICKET_TYPE = /^[a-z][a-z0-9_]*$/;
const BUCKET_PARTS: ReadonlySet<unknown> = new Set(["data", "files", "data_and_files"]);
/** Job members that no parameter may override at launch (docs/contract/parameters.md#override-parameters). */
const FIXED_MEMBER =
  /^_xy_override_(?:plugin|params|id|event|enabled|category|fields|actions|limits|triggers|workflow|command|script|uid|gid|cwd|env|kill|runner)$/;

/** "acme.page" */
const PLUGIN_TYPE = /^\w+(?:\.\w+)+$/;

const noOptions: Check = () => undefined;

const checkId =
  (member: string, noun: string): Check =>
  (entry) =>
    isWord(entry[member]) ? undefined : `Invalid ${noun} ID.`;

/** Mails without `users` are accepted if they have their own address (docs/contract/actions.md#record). */
function checkEmail({ users, email }: Entry): string | undefined {
  const list = users ?? (email ? [] : undefined);
  const address = email ?? "";
  if (!isTextList(list)) return "Invalid user list.";
  if (typeof address !== "string") return "Invalid email address.";
  return list.length === 0 && address === "" ? "No email addresses provided." : undefined;
}

function checkBucket(entry: Entry): string | undefined {
  const fault = checkId("bucket_id", "Bucket")(entry);
  if (fault !== undefined) return fault;
  return BUCKET_PARTS.has(entry["bucket_sync"]) ? undefined : "Invalid Bucket sync type.";
}

function checkTicket(entry: Entry): string | undefined {
  const { ticket_type: type } = entry;
  if (typeof type !== "string" || !TICKET_TYPE.test(type)) return "Invalid Ticket type.";
  if (!isTextList(entry["ticket_assignees"])) return "Invalid Ticket assignees.";
  if (!isTextList(entry["ticket_tags"])) return "Invalid Ticket tag list.";
  return readDue(entry["ticket_due"]) ? faultOfTicketOptions(entry) : "Invalid Ticket due type.";
}

const isFlag = (value: unknown): boolean => [undefined, null, true, false, 0, 1].includes(value as boolean);

function faultOfTicketOptions({ condition, reuse, close_on_clear: closes }: Entry): string | undefined {
  if (!isBlank(reuse) && reuse !== "open" && reuse !== "new")
    return "Invalid Ticket reuse option (must be 'open' or 'new').";
  if (!isFlag(closes)) return "Invalid Ticket close_on_clear flag.";
  // A ticket opened at the end of a problem cannot be closed by a later event.
  if (closes && (condition === "alert_cleared" || condition === "success"))
    return `Ticket cannot be closed on clear by an action on ${condition}.`;
  return undefined;
}

/** Types that send one message or open one ticket per problem or per server (docs/contract/alerts.md#by-problem). */
const PER_TYPES: ReadonlySet<unknown> = new Set(["email", "channel", "web_hook", "ticket"]);
const PER: ReadonlySet<unknown> = new Set(["problem", "subject"]);

const isPerGood = ({ type, per }: Entry): boolean => isBlank(per) || (PER_TYPES.has(type) && PER.has(per));

function checkTags({ tags }: Entry): string | undefined {
  if (!isTextList(tags)) return "Invalid tag list.";
  return tags.length === 0 ? "No tags selected." : undefined;
}

function checkLabel({ label }: Entry): string | undefined {
  if (typeof label !== "string") return "Invalid label.";
  if (/[<>]/.test(label)) return "Label contains invalid characters.";
  return label === "" ? "No label specified." : undefined;
}

/** Faults of parameters that show without their definitions. */
function checkParams({ params }: Entry): string | undefined {
  if (params === undefined || params === null) return undefined;
  if (!isObject(params)) return "Invalid parameters (not an object)";
  const key = Object.keys(params).find((name) => FIXED_MEMBER.test(name));
  return key === undefined ? undefined : `Invalid parameter ID: ${key} (reserved)`;
}

const checkTarget =
  (member: string, noun: string): Check =>
  (entry) =>
    checkId(member, noun)(entry) ?? checkParams(entry);

const CHECKS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ["email", checkEmail],
  ["web_hook", checkId("web_hook", "Web Hook")],
  ["run_event", checkTarget("event_id", "Event")],
  ["channel", checkId("channel_id", "Channel")],
  ["store", checkBucket],
  ["fetch", checkBucket],
  ["ticket", checkTicket],
  ["tag", checkTags],
  ["label", checkLabel],
  ["plugin", checkTarget("plugin_id", "Plugin")],
  ["snapshot", noOptions],
  ["suspend", noOptions],
  ["disable", noOptions],
  ["delete", noOptions],
]);

/**
 * The wire text of the first fault in a list of actions; undefined when there is none
 * (docs/contract/actions.md#faults).
 */
export function checkActions(value: unknown, options: ActionShapeOptions = {}): string | undefined {
  if (!Array.isArray(value)) return "Malformed event parameter: actions (must be array)";
  for (const [index, entry] of value.entries()) {
    const fault = actionFault(entry, options);
    if (fault !== undefined) return `${whereOfAction(index)}${fault}`;
  }
  return undefined;
}

/** A schema member that accepts well-formed actions and reports the first fault in the contract's words. */
export const actionList = (): z.ZodType<Action[], ActionInputs> =>
  knowing(
    z
      .unknown()
      .superRefine(reporting((value) => checkActions(value)))
      .transform((value) => value as Action[])
      .meta({ type: "array", items: { type: "object" } }),
    knownActions,
  ) as never;

/** The events and plugins that well-formed actions refer to, in order, to check that they exist. */
export function referencedIds(actions: readonly Entry[]): {
  readonly events: readonly ActionReference[];
  readonly plugins: readonly ActionReference[];
} {
  const named = (type: string, member: string): ActionReference[] =>
    actions.flatMap((action, index) => {
      const id = action["type"] === type ? action[member] : undefined;
      return typeof id === "string" ? [{ id, where: whereOfAction(index) }] : [];
    });
  return { events: named("run_event", "event_id"), plugins: named("plugin", "plugin_id") };
}

/**
 * The wire text of the first action that refers to a missing event or action plugin; undefined when all exist. Runs after the
 * caller's rights were checked, so that ids cannot be probed (docs/contract/requests.md#order-of-checks).
 */
export function findMissing(actions: readonly Entry[], exists: Existence): string | undefined {
  for (const [index, action] of actions.entries()) {
    const fault = missingFault(action, exists);
    if (fault !== undefined) return `${whereOfAction(index)}${fault}`;
  }
  return undefined;
}

interface Existence {
  readonly event: (id: string) => boolean;
  readonly plugin: (id: string) => boolean;
}

/** The same for one action: the text that follows "Malformed action entry #n". */
export function missingFault(action: Entry, exists: Existence): string | undefined {
  const { events, plugins } = referencedIds([action]);
  for (const { id } of events) if (!exists.event(id)) return `: Event not found: ${id}`;
  for (const { id } of plugins) if (!exists.plugin(id)) return `: Plugin not found: ${id}`;
  return undefined;
}

export const whereOfAction = (index: number): string => `Malformed action entry #${index + 1}`;

/** The fault of one action: the text that follows "Malformed action entry #n". */
export function actionFault(entry: unknown, options: ActionShapeOptions): string | undefined {
  if (!isObject(entry)) return " (not an object)";
  if (entry["enabled"] === undefined) return ": Missing enabled flag";
  const { condition, type } = entry;
  if (typeof condition !== "string" || !CONDITION.test(condition)) return ": Invalid condition";
  const fault = checkType(entry, type, options) ?? (isPerGood(entry) ? undefined : "Invalid value for per.");
  return fault === undefined ? undefined : `: ${fault}`;
}

function checkType(
  entry: Entry,
  type: unknown,
  { anyType, types, ticketFault }: ActionShapeOptions,
): string | undefined {
  const check = CHECKS.get(type);
  if (type === "ticket" && ticketFault?.(entry["ticket_type"]) !== undefined) return "Invalid Ticket type.";
  if (check) return check(entry);
  if (typeof type !== "string") return "Unknown type";
  // A schema does not know types from plugins: those have a dot in the name, and are checked where they are known.
  if (anyType || (!types && PLUGIN_TYPE.test(type))) return undefined;
  const added = types?.get(type);
  return added ? faultOf(() => added.validate?.(entry)) : "Unknown type";
}
