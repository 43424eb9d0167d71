import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { SUBJECT_TYPES } from "../../../fleet/alerts/model.ts";
import { alertRecords } from "../../../fleet/alerts/records.ts";
import { readCount } from "../../../fleet/alerts/rules/definition/inputs.ts";
import { reachOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { visibleFirings } from "../../../fleet/alerts/rules/visible.ts";
import { sourceOf } from "../../../fleet/alerts/subjects/watched-source.ts";
import { silenceRecords } from "../../../fleet/silences/records.ts";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { isKnownZone } from "../../../lib/time/calendar.ts";
import { lenient, WordId } from "../../../wire/fields/fields.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { receiverCollection, rotaCollection, routeCollection } from "../collection.ts";
import { PastReport, reportOf } from "../rules/backtest/report.ts";
import { readTrial, type Trial } from "../rules/backtest/trial.ts";
import { readRoute } from "../rules/records/records.ts";
import { TooMuch } from "../services/backtest/happenings.ts";
import type { Subjects } from "../services/backtest/lanes.ts";
import { pastNotices } from "../services/backtest/past.ts";
import type { BacktestedNotices, NoticeBacktest } from "../services/backtest/run.ts";

const seconds = lenient(readCount, z.number().nonnegative());
const replacements = z.record(WordId, z.looseObject({}).nullable()).default({});

const DAY = 86_400;
const MAX_DAYS = 8;
const MAX_SERVERS = 2000;
const MAX_NOTICES = 10_000;

const refuse = (text: string): never => {
  throw new DomainError("notice", "malformed", text);
};

const Input = looseObject(() => ({
  from: seconds.optional(),
  to: seconds.optional(),
  /** Only firings of these servers count; `server` adds one more. */
  servers: z.array(WordId).max(MAX_SERVERS).optional(),
  server: WordId.optional(),
  group: WordId.optional(),
  /** Changes by id: changed members, a new record, or null to leave it out. */
  routes: replacements,
  receivers: replacements,
  alerts: replacements,
  silences: replacements,
  rotas: replacements,
  /** Minutes after which each firing counts as acknowledged; absent = as in the past. */
  acknowledge_after: lenient(readCount, z.number().min(0).max(10_080)).optional(),
  timezone: z.string().refine(isKnownZone).optional(),
}));
type Input = z.output<typeof Input>;

export const backtestNotices = defineCommand({
  name: "backtest_notices",
  summary:
    "Run alerts, silences, routes, receivers and rotas over stored data of a time, and answer the notices that would have been sent beside the ones that were.",
  access: privilege("edit_alerts"),
  refuses: ["notice"],
  input: Input,
  output: PastReport,
  // Reads in many short snapshots, so the work is done before the transaction, which then has nothing to do.
  async prepare(input, context) {
    const { actor, config, now, read, services, signal } = context;
    const { group, timezone = config.tz } = input;
    const chosen = chosenIn(input);
    const to = Math.floor(Math.min(input.to ?? now, now));
    const from = Math.floor(input.from ?? to - 7 * DAY);
    if (from >= to) refuse("The time that is looked at must begin before it ends.");
    if (to - from > MAX_DAYS * DAY) refuse(`That is more than ${MAX_DAYS} days: ask for less time.`);
    const trial = await trialOf(input, context);
    const tried = await triedOut(context, {
      from,
      to,
      read,
      signal,
      trial,
      acknowledgeAfter: input.acknowledge_after,
      subjects: await subjectsOf(input, context),
      isMeant: (invocation) =>
        mayAccess(actor, reachOf(invocation)) &&
        (chosen?.has(invocation.server) ?? true) &&
        (group === undefined || invocation.groups.includes(group)),
    });
    const all = await pastNotices(read, { from, to }, visibleFirings(actor, "categories"), MAX_NOTICES);
    // Leaves out notices about other servers, since the back-test has nothing to compare them with.
    const stored = all.filter(
      ({ groups, subjects = [] }) =>
        (chosen === undefined || subjects.some((subject) => chosen.has(subject))) &&
        (group === undefined || groups.includes(group)),
    );
    const titleOf = (id: string): string => services.servers.get(id)?.title || services.servers.get(id)?.hostname || id;
    const about = { from, to, stored, receivers: trial.receivers, titleOf, product: config.client.name, timezone };
    return reportOf({ ...tried, ...about });
  },
  handler: async (_input, { prepared }) => prepared,
});

async function triedOut({ services }: PrepareContext, request: NoticeBacktest): Promise<BacktestedNotices> {
  try {
    return await services.problems.backtest(request);
  } catch (error) {
    if (error instanceof TooMuch) refuse(`That is more than ${error.message}: ask for fewer servers or less time.`);
    throw error;
  }
}

/** The servers in the request; undefined = all of them. */
function chosenIn({ server, servers }: Input): ReadonlySet<string> | undefined {
  if (server === undefined) return servers && new Set(servers);
  return new Set([...(servers ?? []), server]);
}

/** Subjects in the request that the caller may see. If servers or a group are given, other kinds of subjects are left out. */
async function subjectsOf(input: Input, context: PrepareContext): Promise<Subjects> {
  const { group } = input;
  const { actor, services, read } = context;
  const chosen = chosenIn(input);
  if (group !== undefined) requireAccess(actor, { group });
  return read(async (tx) => {
    const all = await services.alerts.serversOf({ actor, services, tx }, { group });
    const servers = all.filter(({ id }) => chosen?.has(id) ?? true);
    if (chosen || group !== undefined) return { servers, watched: [] };
    const watched: Subjects["watched"][number][] = [];
    for (const kind of SUBJECT_TYPES)
      for (const sight of (await sourceOf(services, kind)?.visible(tx, actor)) ?? [])
        watched.push({ ...sight.watched, kind });
    return { servers, watched };
  });
}

async function trialOf(input: Input, { read, services: { alerts } }: PrepareContext): Promise<Trial> {
  const stored = await read(async (tx) => ({
    routes: (await tx.collection(routeCollection).list()).map(readRoute),
    receivers: await tx.collection(receiverCollection).list(),
    rotas: await tx.collection(rotaCollection).list(),
    alerts: await tx.collection(alertRecords).list(),
    silences: await tx.collection(silenceRecords).list(),
  }));
  const trial = readTrial(stored, input, alerts);
  return typeof trial === "string" ? refuse(trial) : trial;
}
