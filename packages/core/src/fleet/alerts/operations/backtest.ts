import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import type { PrepareContext } from "../../../kernel/context.ts";
import { DomainError, InputError, NotFoundError } from "../../../kernel/errors.ts";
import { defineCommand, privilege } from "../../../kernel/operation.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { Id, lenient, WordId } from "../../../wire/fields.ts";
import { isInScope } from "../../monitors/rules/evaluate.ts";
import type { Server } from "../../servers/model.ts";
import { alertCollection } from "../collection.ts";
import type { Alert } from "../model.ts";
import type { Patience } from "../rules/evaluate.ts";
import { MAX_PATIENCE, readCount } from "../rules/inputs.ts";
import { isOnPresence } from "../rules/presence.ts";
import type { AlertService } from "../service.ts";
import { serversOf } from "./servers-of.ts";

const Text = z.string().regex(/\S/);
const seconds = lenient(readCount, z.number().nonnegative());

const secondsOfWeek = lenient(readCount, z.int().min(0).max(MAX_PATIENCE));

const Input = z.looseObject({
  alert: Id.optional(),
  expression: Text.optional(),
  message: z.string().optional(),
  samples: lenient(readCount, z.int().min(1).max(10_000)).optional(),
  for: secondsOfWeek.optional(),
  keep_firing_for: secondsOfWeek.optional(),
  recovery: z.string().optional(),
  server: WordId.optional(),
  group: WordId.optional(),
  from: seconds.optional(),
  to: seconds.optional(),
});

const PastInvocation = z.object({
  server: z.string(),
  date: z.number(),
  fired: z.number(),
  cleared: z.number().optional(),
  stale: z.boolean().optional(),
  message: z.string(),
  true_minutes: z.number(),
});

/** Servers times minutes. */
const MAX_POINTS = 1_000_000;
const MINUTE = 60;
const DAY = 86_400;

const refuse = (text: string): never => {
  throw new DomainError("alert", "malformed", text);
};

export const backtestAlert = defineCommand({
  name: "backtest_alert",
  summary: "Run an alert over the minutes that are stored and answer the invocations that would have happened.",
  access: privilege("edit_alerts"),
  input: Input,
  output: z.object({
    invocations: z.array(PastInvocation),
    truncated: z.boolean(),
    servers: z.number(),
    points: z.number(),
    unknown_paths: z.array(z.string()),
    errors: z.object({ count: z.number(), text: z.string() }).optional(),
    from: z.number(),
    to: z.number(),
  }),
  // It takes its time and reads in many short snapshots, so it comes before the transaction, which then has nothing to
  // do.
  async prepare(input, context) {
    const { services, signal, now } = context;
    const { alert, servers } = await context.read(async (tx) => {
      const definition = await definitionOf(input, context, tx);
      return { alert: definition, servers: await subjectsOf(input, definition, { ...context, tx }) };
    });
    const to = Math.min(input.to ?? now, now);
    const from = input.from ?? to - DAY;
    if (from >= to) refuse("The time that is looked at must begin before it ends.");
    const bounds = { from: Math.floor(from / MINUTE), to: Math.floor(to / MINUTE) + 1 };
    if ((bounds.to - bounds.from) * servers.length > MAX_POINTS)
      refuse(
        `${servers.length} servers for that long are more than ${MAX_POINTS} minutes: ask for fewer, or less time.`,
      );
    const ids = servers.map(({ id }) => id);
    const read = <R>(work: (tx: ReadTx) => Promise<R>): Promise<R> => context.read(work);
    const report = await services.alerts.backtest({ alert, servers: ids, ...bounds, read, signal });
    return { ...report, from, to };
  },
  async handler(_input, { prepared }) {
    return { ...prepared, invocations: [...prepared.invocations], unknown_paths: [...prepared.unknown_paths] };
  },
});

type Definition = Pick<Alert, "expression" | "message" | "groups"> & Patience;

/** A stored definition, changed by what the caller sends, or one that is not stored at all. */
async function definitionOf(
  { alert: id, expression, message, ...sent }: z.infer<typeof Input>,
  { services: { alerts } }: PrepareContext,
  tx: ReadTx,
): Promise<Definition> {
  const stored = id === undefined ? undefined : await tx.collection(alertCollection).get(id);
  if (id !== undefined && !stored) throw new NotFoundError(`Failed to locate alert: ${id}`);
  if (stored && isOnPresence(stored)) refuse("An alert on the presence of servers has no minutes to be run over.");
  const source = expression ?? stored?.expression;
  if (source === undefined) throw new InputError("Missing parameter: alert or expression");
  const text = message ?? stored?.message ?? "";
  const definition = { expression: source, message: text, ...patienceOf(sent, stored), groups: stored?.groups ?? [] };
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

function patienceOf(sent: Partial<z.infer<typeof Input>>, stored: Patience | undefined): Patience {
  return {
    samples: sent.samples ?? stored?.samples ?? 1,
    for: sent.for ?? stored?.for,
    keep_firing_for: sent.keep_firing_for ?? stored?.keep_firing_for,
    recovery: sent.recovery ?? stored?.recovery,
    on_error: stored?.on_error,
  };
}

type Reading = Pick<PrepareContext, "actor" | "services"> & { readonly tx: ReadTx };

/** The servers that are asked for and that the alert is for; nobody sees more than their own. */
async function subjectsOf(
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
