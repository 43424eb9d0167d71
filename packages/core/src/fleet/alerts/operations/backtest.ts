import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, InputError, NotFoundError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { Id, lenient, WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { isInScope } from "../../monitors/rules/readings/evaluate.ts";
import type { Server } from "../../servers/model.ts";
import { alertCollection } from "../collection.ts";
import type { Alert } from "../model.ts";
import type { Span } from "../rules/backtest/replay.ts";
import { MAX_PATIENCE, readCount } from "../rules/definition/inputs.ts";
import { isForPlace, KINDS, type Kind, keyOfSubject, kindOf } from "../rules/definition/subjects.ts";
import type { Patience } from "../rules/evaluation/evaluate.ts";
import type { AlertService } from "../service.ts";
import type { Lane } from "../services/backtest/alert.ts";
import { minutesOf } from "../services/backtest/minutes.ts";
import { presenceOver } from "../services/backtest/presence.ts";
import { serversOf } from "../services/backtest/servers-of.ts";
import { NETWORK } from "../services/telling/upstream.ts";
import { sourceOf } from "../subjects/watched-source.ts";

const Text = z.string().regex(/\S/);
const seconds = lenient(readCount, z.number().nonnegative());

const secondsOfWeek = lenient(readCount, z.int().min(0).max(MAX_PATIENCE));

const Input = looseObject(() => ({
  alert: Id.optional(),
  expression: Text.optional(),
  message: z.string().optional(),
  samples: lenient(readCount, z.int().min(1).max(10_000)).optional(),
  for: secondsOfWeek.optional(),
  keep_firing_for: secondsOfWeek.optional(),
  recovery: z.string().optional(),
  server: WordId.optional(),
  event: WordId.optional(),
  heartbeat: WordId.optional(),
  check: WordId.optional(),
  subject: z.enum(KINDS).optional().describe("Of an alert that is not stored; default what is named, else servers."),
  group: WordId.optional(),
  from: seconds.optional(),
  to: seconds.optional(),
}));

const PastInvocation = object(() => ({
  server: z.string(),
  event: z.string().optional(),
  heartbeat: z.string().optional(),
  check: z.string().optional(),
  date: z.number(),
  fired: z.number(),
  cleared: z.number().optional(),
  stale: z.boolean().optional(),
  message: z.string(),
  true_minutes: z.number(),
}));

/** Bounds the work: subjects times minutes. */
const MAX_POINTS = 1_000_000;
const MINUTE = 60;
const DAY = 86_400;

const refuse = (text: string): never => {
  throw new DomainError("alert", "malformed", text);
};

export const backtestAlert = defineCommand({
  name: "backtest_alert",
  summary:
    "Run an alert over stored data of servers, jobs, calls or checks, and answer the invocations that would have happened.",
  access: privilege("edit_alerts"),
  refuses: ["alert", "notfound"],
  input: Input,
  output: object(() => ({
    invocations: z.array(PastInvocation),
    truncated: z.boolean(),
    servers: z.number(),
    points: z.number(),
    unknown_paths: z.array(z.string()),
    errors: z.object({ count: z.number(), text: z.string() }).optional(),
    from: z.number(),
    to: z.number(),
  })),
  // Runs before the transaction, which then has nothing to do: it takes long and reads in many short snapshots.
  async prepare(input, context) {
    const { services, signal, now } = context;
    const { alert, places } = await context.read(async (tx) => {
      const definition = await definitionOf(input, context, tx);
      return { alert: definition, places: await placesOf(input, definition, { ...context, tx }) };
    });
    const to = Math.min(input.to ?? now, now);
    const from = input.from ?? to - DAY;
    if (from >= to) refuse("The time that is looked at must begin before it ends.");
    const bounds = { from: Math.floor(from / MINUTE), to: Math.floor(to / MINUTE) + 1 };
    if ((bounds.to - bounds.from) * places.length > MAX_POINTS)
      refuse(
        `${places.length} ${alert.kind === "presence" ? "server" : alert.kind}s for that long are more than ${MAX_POINTS} minutes: ask for fewer, or less time.`,
      );
    const lanes = places.map((place) => laneOf(alert.kind, place, { ...bounds, until: to }, context));
    const report = await services.alerts.backtest({ alert, lanes, until: to, signal });
    return { ...report, from, to };
  },
  async handler(_input, { prepared }) {
    return { ...prepared, invocations: [...prepared.invocations], unknown_paths: [...prepared.unknown_paths] };
  },
});

/** A server, or the id of another subject. */
type Found = Server | string;

function laneOf(
  kind: Kind,
  place: Found,
  { until, ...bounds }: Span & { readonly until: number },
  { read, services }: PrepareContext,
): Lane {
  if (typeof place === "string") {
    const minutes = sourceOf(services, kind)?.past(place, { ...bounds, read });
    return { place: { server: "", [kind]: place }, minutes: minutes ?? nothing() };
  }
  const sent = minutesOf({ ...bounds, read }, place.id);
  const away = { server: place, isEphemeral: services.servers.isEphemeral(place), until };
  return { place: { server: place.id }, minutes: kind === "presence" ? presenceOver(sent, away) : sent };
}

async function* nothing(): AsyncGenerator<never> {}

type Scope = Pick<Alert, "groups" | "categories" | "subject_tags">;
type Lasting = Patience & Pick<Alert, "no_data">;
type Definition = Pick<Alert, "expression" | "message"> & Scope & Lasting & { readonly kind: Kind };

/** A stored definition with the members that the call overrides, or one made of the call alone. */
async function definitionOf(
  { alert: id, expression, message, ...sent }: z.infer<typeof Input>,
  { services: { alerts } }: PrepareContext,
  tx: ReadTx,
): Promise<Definition> {
  const stored = id === undefined ? undefined : await tx.collection(alertCollection).get(id);
  if (id !== undefined && !stored) throw new NotFoundError(`Failed to locate alert: ${id}`);
  const named = KINDS.find((each) => each !== "server" && each !== "presence" && sent[each] !== undefined);
  const kind = sent.subject ?? (stored ? kindOf(stored) : (named ?? "server"));
  const source = expression ?? stored?.expression;
  if (source === undefined) throw new InputError("Missing parameter: alert or expression");
  const text = message ?? stored?.message ?? "";
  const { groups = [], categories, subject_tags } = stored ?? {};
  const scope = { groups, categories, subject_tags };
  const definition = { expression: source, message: text, kind, ...patienceOf(sent, stored), ...scope };
  requireCompiling(definition, alerts);
  return definition;
}

function requireCompiling({ expression, message, recovery }: Definition, alerts: AlertService): void {
  const fault = alerts.expressionFault(expression);
  if (fault !== undefined) refuse(`Failed to compile alert expression: ${fault}`);
  const macroFault = alerts.messageFault(message);
  if (macroFault !== undefined) refuse(`Failed to compile macros in alert message: ${macroFault}`);
  const recoveryFault = recovery ? alerts.expressionFault(recovery) : undefined;
  if (recoveryFault !== undefined) refuse(`Failed to compile recovery expression: ${recoveryFault}`);
}

function patienceOf(sent: Partial<z.infer<typeof Input>>, stored: Lasting | undefined): Lasting {
  return {
    samples: sent.samples ?? stored?.samples ?? 1,
    for: sent.for ?? stored?.for,
    keep_firing_for: sent.keep_firing_for ?? stored?.keep_firing_for,
    recovery: sent.recovery ?? stored?.recovery,
    on_error: stored?.on_error,
    no_data: stored?.no_data,
  };
}

type Reading = Pick<PrepareContext, "actor" | "services"> & { readonly tx: ReadTx };

/** The subjects that the call asks for, that the alert applies to, and that are within the caller's reach. */
async function placesOf(input: z.infer<typeof Input>, definition: Definition, context: Reading): Promise<Found[]> {
  const { kind } = definition;
  const source = sourceOf(context.services, kind);
  if (!source || kind === "server" || kind === "presence") return serversFor(input, definition, context);
  const sights = await source.visible(context.tx, context.actor, input[kind]);
  // The engine's network has no stored past.
  const kept = sights.filter(({ watched: { subject } }) => keyOfSubject(subject) !== NETWORK);
  return kept.flatMap(({ watched }) =>
    isForPlace(definition, { groups: [], about: watched }) ? [watched.subject.id] : [],
  );
}

async function serversFor(
  { server: id, group }: z.infer<typeof Input>,
  { groups: scope }: Definition,
  context: Reading,
): Promise<Server[]> {
  const { actor, services, tx } = context;
  if (group !== undefined) requireAccess(actor, { group });
  const all = id === undefined ? await serversOf(context, { group }) : [await services.servers.find(tx, id)];
  const found = all.flatMap((server) => server ?? []);
  if (found.length === 0 && id !== undefined) throw new NotFoundError(`Failed to locate server: ${id}`);
  if (id !== undefined) requireAccess(actor, { serverGroups: found[0]?.groups ?? [], server: id });
  return found.filter(({ groups }) => isInScope(scope, groups));
}
