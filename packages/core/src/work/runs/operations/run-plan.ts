import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { reachOf } from "../../../directory/access/rules/reach.ts";
import { lockedFault } from "../../../directory/plugins/rules/parameters/fields.ts";
import type { CommandContext, OperationContext } from "../../../kernel/calls/context.ts";
import { DomainError, InputError, SignalboxError } from "../../../kernel/errors/errors.ts";
import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { actionList } from "../../../wire/entries/action-shape.ts";
import { limitList } from "../../../wire/entries/limit-shape.ts";
import { checkCommonParameters, parseJson } from "../../../wire/fields/common.ts";
import { csv, flag, Id } from "../../../wire/fields/fields.ts";
import { describeIssue, exactly } from "../../../wire/issues.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { shown, shownMembers } from "../../../wire/schemas/shown-members.ts";
import { Event } from "../../events/model.ts";
import { eventRecords } from "../../events/records.ts";
import { readEvent } from "../../events/rules/record/read.ts";
import {
  expandFlat,
  foreignPath,
  hasFlat,
  mergeForRun,
  overridesOf,
  overrideTargets,
  paramsForRun,
} from "../../events/rules/run-request.ts";
import { allowsManualRuns } from "../../events/rules/triggers/normalise.ts";
import { shownGraph } from "../../graphs/rules/graph-members.ts";
import { changesGraph } from "../../graphs/rules/start-node.ts";
import type { LaunchRequest } from "../../jobs/model.ts";
import { jobRecords } from "../../jobs/records.ts";
import { unknownPath } from "../services/input-files.ts";
import { planGraph } from "./run-graph.ts";

const flags = () => ({
  test: flag().nullish(),
  test_actions: flag().nullish(),
  test_limits: flag().nullish(),
  test_conditions: csv(z.string()).optional(),
  priority: flag().nullish(),
  invisible: flag().nullish(),
  ephemeral: flag().nullish(),
});

/** Lists of ids, with the error texts of events (docs/contract/tags.md#unknown-tags). */
const idList = (noun: "tag" | "target") =>
  csv(
    z.string({ error: ({ input }) => exactly(`Malformed ${noun}: ${JSON.stringify(input)}`) }),
    exactly(`Malformed event parameter: ${noun}s (must be array)`),
  );

export const RunEvent = looseObject(() => ({
  id: Id.optional(),
  title: z.string().nullish(),
  /** JSON text of an object, merged over the other members. */
  json: z.string().optional(),
  tags: idList("tag").nullish(),
  targets: idList("target").nullish(),
  idempotency_key: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("The same key of the same caller for the same event within a day is the same job."),
  ...flags(),
  ...shownMembers(Event, ["params", "algo", "silence_alerts"]),
  input: shown(z.record(z.string(), z.unknown())),
  label: shown(z.string()),
  limits: shown(limitList()),
  actions: shown(actionList()),
  tickets: csv(z.string()).optional(),
  workflow: shownGraph(),
  state: shown(z.enum(["start_delay", "ready"])),
  until: shown(z.number()),
}));

/** The members after `json` and flat names have been merged in. */
const Merged = looseObject(() => RunEvent.omit({ json: true }).shape);

/** Context for the checks of a run. They only read, so they can run before the files of a call are stored. */
export interface PlanContext extends Pick<OperationContext, "actor" | "config"> {
  readonly services: Pick<OperationContext["services"], "eventChecks" | "eventRecords" | "graphs" | "references">;
  readonly tx: ReadTx;
}

export interface RunPlan {
  readonly request: LaunchRequest;
  readonly idempotencyKey: string | undefined;
}

/**
 * Checks a call of run_event and returns everything that it asks for (docs/contract/events.md#running); throws the contract's
 * errors.
 */
export async function planRun(input: z.output<typeof RunEvent>, context: PlanContext): Promise<RunPlan> {
  const sent = mergeJson(input);
  const event = await findEvent(sent, context);
  requireAccess(context.actor, { category: event.category, targets: sent.targets ?? event.targets });
  requireAccess(context.actor, { targets: event.targets });
  const graph = await planGraph(event, isStrict(context) ? undefined : sent.workflow, context);
  if (!sent.test) checkRunnable(event, criteriaOf(sent));
  return { request: await requestOf({ event, graph }, sent, context), idempotencyKey: sent.idempotency_key };
}

/** Members that are `null`, as in records of events, count as not sent. */
type Sent = { readonly [Name in keyof z.output<typeof Merged>]: Exclude<z.output<typeof Merged>[Name], null> };

const given = (input: z.output<typeof Merged>): Sent => filterMembers(input, (_name, value) => value !== null) as Sent;

function mergeJson({ json, ...input }: z.output<typeof RunEvent>): Sent {
  // The call itself has already been checked.
  if (json === undefined && !hasFlat(input)) return given(input);
  const merged = expandFlat({ ...input, ...(json === undefined ? {} : checkCommonParameters(parseJson(json))) });
  const result = Merged.safeParse(checkCommonParameters(merged));
  if (result.success) return given(result.data);
  const [issue] = result.error.issues;
  throw new InputError(issue ? describeIssue(issue, merged) : "Malformed parameter: json");
}

const criteriaOf = ({ id, title }: Sent): string => id ?? title ?? "";

async function findEvent(sent: Sent, { services, tx }: PlanContext): Promise<Event> {
  const criteria = criteriaOf(sent);
  if (criteria === "") throw new DomainError("event", "malformed", "Failed to locate event: No criteria specified");
  // Titles need not be unique: the first event in list order is taken.
  const event = sent.id
    ? await services.eventRecords.fresh(tx, sent.id)
    : (await tx.collection(eventRecords).list()).map(readEvent).find(({ title }) => title === sent.title);
  if (!event) throw new DomainError("event", "unknown", `Event not found: ${criteria}`);
  return event;
}

function checkRunnable(event: Event, criteria: string): void {
  if (!allowsManualRuns(event.triggers))
    throw new DomainError("event", "conflict", `Event does not allow manual job runs: ${criteria}`);
  if (!event.enabled) throw new DomainError("event", "conflict", `Event is disabled: ${criteria}`);
}

interface Subject {
  readonly event: Event;
  /** The member `workflow` of the run. */
  readonly graph: { readonly workflow?: unknown };
}

async function requestOf({ event, graph }: Subject, sent: Sent, context: PlanContext): Promise<LaunchRequest> {
  const { actor, services } = context;
  const tx = definitionsView(context.tx);
  const overrides = overridesOf(sent, { strict: isStrict(context), isWorkflow: event.type === "workflow" });
  const plugin = typeof overrides["plugin"] === "string" ? overrides["plugin"] : event.plugin;
  const definitions = await services.eventChecks.pluginParams(tx, plugin);
  const params = paramsForRun(event, {
    sent: membersOf(sent["params"]),
    definitions,
    isOtherPlugin: plugin !== event.plugin,
    mayUnlock: actor.privileges["admin"] === true,
  });
  const fault = actor.privileges["admin"] ? undefined : lockedFault(definitions, params);
  if (fault !== undefined) throw new InputError(`Event Plugin: ${fault}`);
  const hidden = overrideTargets(params);
  if (hidden) requireAccess(actor, { targets: hidden });
  const { tags = event.tags, targets = event.targets } = sent;
  const { id } = event;
  const { actions, tickets } = overrides;
  await services.references.check({ actor, tx }, eventRecords, { id, actions });
  await services.references.check({ actor, tx }, jobRecords, { tickets });
  const origin = changesGraph(isStrict(context) ? undefined : sent.workflow) ? "sent" : "stored";
  const replaced = { params, targets, ...graph, ...sentAlone(sent.tags, actions) };
  await services.eventChecks.check({ actor, tx }, mergeForRun(event, overrides, replaced), origin);
  services.eventChecks.checkFields(event.fields, params, "Event");
  if (plugin === event.plugin) services.eventChecks.checkHostParams(event.id, params);
  return {
    event,
    source: actor.kind === "key" ? "key" : "user",
    username: actor.id,
    overrides: { ...overrides, ...graph },
    params,
    input: inputOf(sent["input"]),
    targets,
    reach: reachOf(actor),
    ...(tags ? { tags } : {}),
    ...(sent.test ? { test: true } : {}),
    ...(isStrict(context) ? {} : untilOf(sent)),
  };
}

/**
 * Only sent tags and actions are checked. Stored tags, actions, triggers and nodes may name records that have been deleted since:
 * the job drops such a tag, such an action or node fails when it runs, and triggers only matter to the scheduler.
 */
const sentAlone = (tags: string[] = [], actions: unknown = []): Pick<Event, "actions" | "tags" | "triggers"> => ({
  tags,
  actions: actions as Event["actions"],
  triggers: [],
});

function isStrict({ actor, config }: PlanContext): boolean {
  const mayEdit = actor.privileges["admin"] || actor.privileges["edit_events"];
  return config["run_event_overrides"] === "strict" && !mayEdit;
}

export function inputOf(input: unknown): { data?: Record<string, unknown>; files?: Record<string, unknown>[] } {
  if (input === undefined || input === null) return {};
  if (typeof input !== "object" || Array.isArray(input))
    throw new InputError("Malformed event parameter: input (must be object)");
  const { data, files } = input as { data?: unknown; files?: unknown };
  const records = Array.isArray(files) ? files.map((file: unknown) => ({ ...membersOf(file) })) : undefined;
  const foreign = foreignPath(records ?? []);
  if (foreign !== undefined) throw unknownPath(foreign);
  return {
    ...(data === undefined ? {} : { data: { ...membersOf(data) } }),
    ...(records ? { files: records } : {}),
  };
}

/** `state` can only delay the start: `until` counts only with the state `start_delay`. */
function untilOf({ state, until: sent }: Sent): { until?: number } {
  const until = typeof sent === "number" || typeof sent === "string" ? Number(sent) : Number.NaN;
  return state === "start_delay" && Number.isFinite(until) && sent !== "" ? { until } : {};
}

interface LaunchContext extends Pick<CommandContext, "audit" | "emit" | "tx"> {
  readonly services: Pick<CommandContext["services"], "launcher">;
}

/** Throws `DomainError` "Failed to launch job: …". */
export async function launchJob(
  request: LaunchRequest,
  key: string | undefined,
  { audit, emit, services, tx }: LaunchContext,
): Promise<string> {
  try {
    if (key !== undefined) return await services.launcher.launchIdempotent({ tx, emit, audit }, request, key);
    const job = await services.launcher.launch({ tx, emit, audit }, request);
    if (!job) throw new DomainError("event", "failed", "Failed to launch job: No job was made");
    return job.id;
  } catch (error) {
    if (!(error instanceof SignalboxError) || error.message.startsWith("Failed to launch job:")) throw error;
    throw new DomainError("event", "conflict", `Failed to launch job: ${error.message}`, { cause: error });
  }
}
