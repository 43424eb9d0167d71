import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { alertRecords } from "../../../fleet/alerts/records.ts";
import { readCount } from "../../../fleet/alerts/rules/inputs.ts";
import { reachOf } from "../../../fleet/alerts/rules/subjects.ts";
import { visibleFirings } from "../../../fleet/alerts/rules/visible.ts";
import type { PrepareContext } from "../../../kernel/context.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { defineCommand, privilege } from "../../../kernel/operation.ts";
import { isKnownZone } from "../../../lib/calendar.ts";
import { lenient, WordId } from "../../../wire/fields.ts";
import { looseObject } from "../../../wire/objects.ts";
import { receiverCollection, routeCollection } from "../collection.ts";
import { PastReport, reportOf } from "../rules/backtest/report.ts";
import { readTrial, type Trial } from "../rules/backtest/trial.ts";
import { pastNotices } from "../services/backtest/past.ts";

const seconds = lenient(readCount, z.number().nonnegative());
const replacements = z.record(WordId, z.looseObject({}).nullable()).default({});

const DAY = 86_400;
const MAX_DAYS = 8;
const MAX_NOTICES = 10_000;

const refuse = (text: string): never => {
  throw new DomainError("notice", "malformed", text);
};

export const backtestNotices = defineCommand({
  name: "backtest_notices",
  summary:
    "Run routes and receivers over the firings that are stored, and answer the notices that there would have been beside those that there were.",
  access: privilege("edit_alerts"),
  refuses: ["notice"],
  input: looseObject(() => ({
    from: seconds.optional(),
    to: seconds.optional(),
    server: WordId.optional(),
    group: WordId.optional(),
    /** By id: members that are another way, or null = without it. */
    routes: replacements,
    receivers: replacements,
    alerts: replacements,
    /** Minutes after which each firing is acknowledged; absent = as it was. */
    acknowledge_after: lenient(readCount, z.number().min(0).max(10_080)).optional(),
    timezone: z.string().refine(isKnownZone).optional(),
  })),
  output: PastReport,
  // Reads in many short snapshots, so it comes before the transaction, which then has nothing to do.
  async prepare(input, context) {
    const { actor, config, now, read, services, signal } = context;
    const to = Math.floor(Math.min(input.to ?? now, now));
    const from = Math.floor(input.from ?? to - 7 * DAY);
    if (from >= to) refuse("The time that is looked at must begin before it ends.");
    if (to - from > MAX_DAYS * DAY) refuse(`That is more than ${MAX_DAYS} days: ask for less time.`);
    const { routes, receivers, alerts } = await trialOf(input, context);
    const alertOf = (id: string) => alerts.get(id);
    const { server, group } = input;
    const tried = await services.problems.backtest({
      ...{ from, to, read, signal, routes: [...routes.values()], receivers, alertOf },
      acknowledgeAfter: input.acknowledge_after,
      isMeant: (invocation) =>
        mayAccess(actor, reachOf(invocation)) &&
        (server === undefined || invocation.server === server) &&
        (group === undefined || invocation.groups.includes(group)),
    });
    if (!tried) return refuse("That is more than 5000 firings: ask for fewer servers or less time.");
    const stored = await pastNotices(read, { from, to }, visibleFirings(actor, "categories"), MAX_NOTICES);
    const { name: product } = config.client;
    const titleOf = (id: string): string => services.servers.get(id)?.title || services.servers.get(id)?.hostname || id;
    return reportOf({
      ...tried,
      from,
      to,
      stored,
      alertOf,
      receivers,
      titleOf,
      product,
      timezone: input.timezone ?? config.tz,
    });
  },
  handler: async (_input, { prepared }) => prepared,
});

async function trialOf(input: Parameters<typeof readTrial>[1], { read }: PrepareContext): Promise<Trial> {
  const stored = await read(async (tx) => ({
    routes: await tx.collection(routeCollection).list(),
    receivers: await tx.collection(receiverCollection).list(),
    alerts: await tx.collection(alertRecords).list(),
  }));
  const trial = readTrial(stored, input);
  return typeof trial === "string" ? refuse(trial) : trial;
}
