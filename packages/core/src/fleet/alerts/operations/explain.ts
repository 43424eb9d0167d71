import * as z from "zod";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { isKnownZone } from "../../../lib/time/calendar.ts";
import { Id, pageNumber, WordId } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { requireServer } from "../../servers/require-server.ts";
import { alertCollection } from "../collection.ts";
import { Explanation, type Subject } from "../model.ts";
import { kindOf } from "../rules/definition/subjects.ts";
import { serversOf } from "../services/backtest/servers-of.ts";
import { sourceOf } from "../subjects/watched-source.ts";

const MAX_SERVERS = 200;

export const explainAlert = defineQuery({
  name: "explain_alert",
  method: "ANY",
  summary:
    "Explain per server, event, heartbeat or check what the last evaluation of an alert read, how far it has come, and why nothing was sent.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({
    alert: Id,
    server: WordId.optional(),
    event: WordId.optional(),
    heartbeat: WordId.optional(),
    check: WordId.optional(),
    timezone: z.string().refine(isKnownZone).optional().describe("Of the times in `reason` and `notices`."),
    offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: pageNumber(50, MAX_SERVERS).optional(),
  })),
  output: listOf(Explanation),
  async handler({ alert: id, server, timezone, offset = 0, limit = 50, ...named }, context) {
    const { actor, services, tx } = context;
    const alert = await tx.collection(alertCollection).get(id);
    if (!alert) throw new NotFoundError(`Failed to locate alert: ${id}`);
    const { explain } = services.alerts;
    const kind = kindOf(alert);
    const source = sourceOf(services, kind);
    if (source) {
      const sights = await source.visible(tx, actor, named[kind as Subject["type"]]);
      const rows = await explain.onWatched(tx, alert, sights.slice(offset, offset + limit));
      return asList(await withNotices(context, rows, timezone), sights.length);
    }
    const all = server === undefined ? await serversOf(context, {}) : [await requireServer(server, context)];
    const page = all.slice(offset, offset + limit);
    const rows = await explain.onServers(tx, alert, page, { reader: actor, timezone });
    return asList(await withNotices(context, rows, timezone), all.length);
  },
});

/** Adds the state of notices to live firings: which receivers were notified, and which were not. */
async function withNotices(
  { clock, services, tx }: QueryContext,
  rows: readonly Explanation[],
  timezone: string | undefined,
) {
  const told: Explanation[] = [];
  const breathe = createBreath(clock);
  for (const row of rows) {
    const { invocation } = row;
    const notices = invocation?.active ? await services.problems.explain(tx, { invocation, timezone }) : undefined;
    told.push(notices ? { ...row, notices } : row);
    await breathe();
  }
  return told;
}
