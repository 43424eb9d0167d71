import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import type { Alert, Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { placeOf, reachOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { watchedAt } from "../../../fleet/alerts/subjects/watched-source.ts";
import { Telling } from "../../../fleet/alerts/telling.ts";
import { requireServer } from "../../../fleet/servers/require-server.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { InputError, NotFoundError } from "../../../kernel/errors/errors.ts";
import { isKnownZone } from "../../../lib/time/calendar.ts";
import { allOf, below, hasWord, type SearchNode } from "../../../search/ast.ts";
import { Id, number, WordId } from "../../../wire/fields/fields.ts";
import { listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { receiverCollection } from "../collection.ts";
import { leadOf, unfired } from "../rules/texts/lead.ts";

const Input = looseObject(() => ({
  invocation: Id.optional(),
  alert: Id.optional(),
  subject: z.string().optional().describe('Id of a server, or type and id of something else: "event:e1".'),
  receiver: WordId.optional(),
  minute: number().optional().describe("Unix seconds: what was so in that minute, in place of now."),
  timezone: z.string().refine(isKnownZone).optional(),
}));
type Input = z.infer<typeof Input>;

export const explainNotice = defineQuery({
  name: "explain_notice",
  method: "ANY",
  summary:
    "Explain a firing, or an alert on a subject: who was notified, what holds it and why, for one receiver or all, now or at a minute.",
  access: credentials,
  refuses: ["notfound"],
  input: Input,
  output: object(() => ({
    ...Telling.omit({ receiver: true, title: true }).shape,
    /** Id of the firing; absent = it has not fired. */
    invocation: z.string().optional(),
    /** For a minute in which the alert was idle: values that its expression read, as far as they are stored. */
    readings: z.array(z.object({ path: z.string(), value: z.unknown() })).optional(),
    ...listOf(Telling).shape,
  })),
  async handler(input, context) {
    const { services, tx } = context;
    const { receiver, minute, timezone } = input;
    const invocation = input.invocation === undefined ? await newest(input, context) : await byId(input, context);
    const rows = invocation
      ? await services.problems.explain(tx, { invocation, receiver, minute, timezone })
      : [await nothingFired(input, context)];
    if (receiver !== undefined && invocation && !(await isKnown(receiver, rows, context)))
      throw new NotFoundError(`Failed to locate receiver: ${receiver}`);
    const { receiver: _receiver, title: _title, ...lead } = leadOf(rows);
    const readings = lead.state === "idle" ? await readingsOf(input, invocation, context) : undefined;
    const named = { ...(invocation ? { invocation: invocation.id } : {}), ...(readings ? { readings } : {}) };
    return { ...named, ...lead, rows, list: { length: rows.length } };
  },
});

/** Whether the receiver exists, or was the subject of a decision about the firing. */
const isKnown = async (receiver: string, rows: readonly Telling[], { tx }: QueryContext): Promise<boolean> =>
  rows.some(({ by, history }) => by?.kind !== "no_route" || history.some(({ verdict }) => verdict !== undefined)) ||
  (await tx.collection(receiverCollection).get(receiver)) !== undefined;

/** Readings of a minute; undefined when the request names no minute. */
async function readingsOf(
  { alert: id, subject = "", minute }: Input,
  invocation: Invocation | undefined,
  { services, tx }: QueryContext,
) {
  const alert = services.alerts.definition(invocation?.alert ?? id ?? "");
  if (minute === undefined || !alert) return undefined;
  return services.alerts.readingsAt(tx, { alert, place: invocation ? placeOf(invocation) : subject, minute });
}

async function byId({ invocation: id = "" }: Input, { actor, tx }: QueryContext): Promise<Invocation> {
  const invocation = await tx.collection(invocationRecords).get(id);
  if (!invocation) throw new NotFoundError(`Failed to locate alert invocation: ${id}`);
  requireAccess(actor, reachOf(invocation));
  return invocation;
}

function definitionOf({ alert: id }: Input, { services }: QueryContext): Alert {
  if (id === undefined) throw new InputError("Missing parameter: invocation, or alert and subject");
  const alert = services.alerts.definition(id);
  if (!alert) throw new NotFoundError(`Failed to locate alert: ${id}`);
  return alert;
}

/** The newest firing, or with `minute` the newest that had begun by then. */
async function newest(input: Input, context: QueryContext): Promise<Invocation | undefined> {
  const { id } = definitionOf(input, context);
  const { subject = "", minute } = input;
  await requireSubject(subject, context);
  const nodes: SearchNode[] = [
    hasWord("alert", id),
    hasWord("server", subject),
    ...(minute === undefined ? [] : [below("start", minute + 60)]),
  ];
  const page = { sortBy: "start", descending: true, limit: 1 };
  const { rows } = await context.tx.collection(invocationRecords).find(allOf(nodes), page);
  return rows[0];
}

/** Refuses a subject that does not exist or is outside the caller's reach; answers its name. */
async function requireSubject(subject: string, context: QueryContext): Promise<string> {
  const watched = await watchedAt(subject, context);
  if (watched) return watched.subject.title;
  return context.services.alerts.serverName(await requireServer(subject, context));
}

/** Explains an alert that has never fired on the subject, or not before the minute. */
async function nothingFired(input: Input, context: QueryContext): Promise<Telling> {
  const { services, tx } = context;
  const alert = definitionOf(input, context);
  const { subject = "", minute } = input;
  const { now, past } = await services.alerts.phases(tx, { alert: alert.id, place: subject });
  const place = await requireSubject(subject, context);
  return unfired({ title: alert.title, place, state: minute === undefined ? now.state : "idle", history: [...past] });
}
