import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { byPlaceAndAlert } from "../../../fleet/alerts/rules/visible.ts";
import { publicServer } from "../../../fleet/servers/rules/shown/public.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { AccessError, DomainError } from "../../../kernel/errors/errors.ts";
import { hasWord } from "../../../search/ast.ts";
import { flag, lenient } from "../../../wire/fields/fields.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { listActive } from "../../../work/jobs/records.ts";
import { LISTS } from "../service.ts";

const refuse = (text: string): never => {
  throw new DomainError("admin", "malformed", text);
};

/** Errors of this member have a code of their own (docs/contract/records.md#several-lists-at-once). */
const Lists = lenient((value) => {
  if (value === undefined || value === null || value === "") refuse("Missing required request property: lists");
  const lists = typeof value === "string" ? value.split(/,\s*/).filter(Boolean) : value;
  if (!Array.isArray(lists)) return refuse("Invalid request (lists must be an array).");
  const isValid = (list: unknown): boolean => list === "all" || LISTS.has(list as string);
  if (!lists.every(isValid)) refuse("One or more values are not valid lists.");
  return lists;
}, z.array(z.string())).meta({ type: "array", items: { type: "string" } });

const Flag = flag().optional();

export const getMultiple = defineQuery({
  name: "get_multiple",
  method: "ANY",
  summary: "Read several lists of definitions in one call; `all` means every list the caller may see.",
  access: credentials,
  refuses: ["admin"],
  example: { lists: ["tags", "categories"] },
  input: looseObject(() => ({
    lists: Lists,
    jobs: Flag,
    alerts: Flag,
    servers: Flag,
    state: Flag,
    stats: Flag,
    serverCache: Flag,
  })),
  output: looseObject(() => ({ epoch: z.number() })),
  async handler({ lists, ...flags }, context) {
    const { actor, clock, services } = context;
    if (!mayAccess(actor, { category: "*", group: "*" }))
      throw new AccessError("Category or group limited users may not use this API");
    if (lists.includes("api_keys")) requireAccess(actor, { privilege: "admin" }, services.lists.privileges);
    const answer: Record<string, unknown> = {};
    for (const list of namesOf(lists, Boolean(actor.privileges["admin"]))) answer[list] = services.lists.read(list);
    return { epoch: clock.now(), ...answer, ...(await readFlags(flags, context)) };
  },
});

function namesOf(lists: readonly string[], isAdmin: boolean): readonly string[] {
  if (!lists.includes("all")) return lists;
  return [...LISTS].filter((list) => isAdmin || list !== "api_keys");
}

interface Flags {
  readonly jobs?: boolean | undefined;
  readonly alerts?: boolean | undefined;
  readonly servers?: boolean | undefined;
  readonly state?: boolean | undefined;
  readonly stats?: boolean | undefined;
  readonly serverCache?: boolean | undefined;
}

const byId = <T extends { id: string }>(records: readonly T[]): Record<string, T> =>
  Object.fromEntries(records.map((record) => [record.id, record]));

async function readFlags(flags: Flags, { actor, services, tx }: QueryContext): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  if (flags.jobs) {
    const { live } = services.jobs.desk;
    // Comes first, so that no snapshot of the database waits for other nodes.
    answer["internalJobs"] = actor.privileges["admin"] ? byId(await services.internalJobs.everywhere()) : {};
    const records = await listActive(tx);
    answer["activeJobs"] = byId(records.map((record) => live.view(record).job));
  }
  if (flags.alerts) {
    const active = hasWord("active", "true");
    answer["activeAlerts"] = byPlaceAndAlert((await tx.collection(invocationRecords).find(active)).rows);
  }
  if (flags.servers)
    answer["servers"] = byId(
      services.servers.everywhere().map((server) => publicServer(server, services.servers.whereabouts(server.id))),
    );
  // Names and states of servers that left not long ago, for records that still point to them.
  if (flags.serverCache)
    answer["serverCache"] = byId(services.servers.recent().map((server) => publicServer(server, { online: false })));
  if (flags.stats) answer["stats"] = await services.jobs.stats.sums(tx);
  if (flags.state) answer["state"] = await services.shownState(tx, Boolean(actor.privileges["admin"]));
  return answer;
}
