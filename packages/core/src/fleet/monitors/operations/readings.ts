import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { AccessError, DomainError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { csv, WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { PublicHostRecord } from "../../servers/model.ts";
import { requireServer } from "../../servers/require-server.ts";
import { publicHostRecord } from "../../servers/rules/shown/public.ts";
import { monitorCollection } from "../collection.ts";
import { Digits, QuickColumns, RowLimit, type QuickSample as Sample, type System, TimelineColumns } from "../model.ts";
import { isWhole } from "../rules/readings/coerce.ts";
import { quickColumns, quickValues } from "../rules/readings/quick.ts";
import {
  columnsOf,
  historicalRange,
  latestRange,
  type RowRange,
  rowsOf,
  systemNamed,
} from "../rules/timeline/timeline-rows.ts";
import { type TimelineReader, timelineReader } from "../services/timeline/timeline-reader.ts";

const MAX_NAMED = 1000;
/** Ours: `shape` of the answer, and the monitors that columns are for. */
const form = {
  shape: z.enum(["rows", "columns"]).optional(),
  monitors: csv(z.string().max(MAX_NAMED)).optional(),
};
const answer = {
  rows: z.array(z.record(z.string(), z.unknown())),
  columns: TimelineColumns.optional(),
};

/** A list of a server's timelines. An unknown one is refused before access is checked. */
const SystemName = WordId.transform((name): System => {
  const system = systemNamed(name);
  if (!system) throw new DomainError("monitor", "unknown", `Unknown system: ${name}`);
  return system;
}) as unknown as z.ZodType<System, string>;

interface Stretch {
  readonly reader: TimelineReader;
  readonly system: System;
  readonly range: RowRange | undefined;
  readonly form: { readonly shape?: "rows" | "columns" | undefined; readonly monitors?: string[] | undefined };
}

/** The buckets of a range, as rows or as one column per monitor. */
async function readStretch(tx: ReadTx, { reader, system, range, form }: Stretch) {
  const { from, to } = range ?? { from: 0, to: 0 };
  const points = range ? await reader.points(system, from, to) : [];
  const known = (range ? await tx.collection(monitorCollection).list() : []).map(
    ({ id, delta, data_type }) => [id, { delta: Boolean(delta), whole: isWhole(data_type) }] as const,
  );
  const monitors = new Map(known);
  if (form.shape !== "columns") return { rows: rowsOf(points, { system, from, to }, monitors) };
  const wanted = form.monitors ? { wanted: new Set(form.monitors) } : {};
  return { rows: [], columns: columnsOf(points, { system, from, to }, { monitors, ...wanted }) };
}

export const getLatestMonitorData = defineQuery({
  name: "get_latest_monitor_data",
  method: "ANY",
  summary: "Read the newest rows of one of a server's timelines, and its last minute.",
  access: credentials,
  refuses: ["monitor", "notfound"],
  input: looseObject(() => ({ server: WordId, sys: SystemName, limit: RowLimit, ...form })),
  example: { server: "web_1", sys: "hourly", limit: 60 },
  output: object(() => ({ ...answer, data: PublicHostRecord })),
  async handler({ server: id, sys: system, limit, ...form }, context) {
    const { tx } = context;
    const record = (await context.services.servers.newestRecords(tx, [id])).get(id);
    await requireServer(id, context);
    if (!record) throw new DomainError("monitor", "unknown", "Failed to load server data: Error: Item not found");
    const reader = timelineReader(tx, id);
    const range = latestRange(system, await reader.extent(system), limit);
    return {
      ...(await readStretch(tx, { reader, system, range, form })),
      data: publicHostRecord(context.actor, record),
    };
  },
});

export const getHistoricalMonitorData = defineQuery({
  name: "get_historical_monitor_data",
  method: "ANY",
  summary: "Read consecutive rows of one of a server's timelines from a time on.",
  access: credentials,
  refuses: ["monitor", "notfound"],
  input: looseObject(() => ({ server: WordId, sys: SystemName, date: Digits, limit: RowLimit, ...form })),
  example: { server: "web_1", sys: "hourly", date: 1_767_225_600, limit: 60 },
  output: object(() => answer),
  async handler({ server: id, sys: system, date, limit, ...form }, context) {
    const { tx } = context;
    await requireServer(id, context);
    const reader = timelineReader(tx, id);
    const range = historicalRange(system, await reader.extent(system), { date, limit });
    return readStretch(tx, { reader, system, range, form });
  },
});

const QuickValue = object(() => ({ id: z.string(), value: z.number(), date: z.number() }));
const QuickSample = z.record(z.string(), z.number());

export const getQuickmonData = defineQuery({
  name: "get_quickmon_data",
  method: "ANY",
  summary: "Read the last minute of per-second readings of connected servers.",
  access: credentials,
  input: looseObject(() => ({
    // An unknown server is echoed in the answer.
    server: z.string().max(MAX_NAMED).optional(),
    group: z.string().max(MAX_NAMED).optional(),
    // Ours: `servers` limits the answer to these; `columns` are the newest values by monitor, for those in `monitors`.
    servers: csv(z.string().max(MAX_NAMED)).optional(),
    shape: z.enum(["values", "samples", "columns"]).optional(),
    monitors: csv(z.string().max(MAX_NAMED)).optional(),
  })),
  output: object(() => ({
    servers: z.record(z.string(), z.union([z.array(QuickValue), z.array(QuickSample)])),
    columns: QuickColumns.optional(),
  })),
  async handler({ shape, monitors: named, ...targets }, context) {
    const { client, services } = context;
    const wanted = shape ?? (client.method === "POST" && client.versioned ? "values" : "samples");
    const { monitors } = services;
    const show = (samples: readonly Sample[]) =>
      wanted === "values" ? quickValues(monitors.quickDefinitions(), samples) : [...samples];
    const rings = await monitors.quickEverywhere.read(quickTargets(context, targets));
    if (wanted === "columns") return { servers: {}, columns: quickColumns(monitors.quickDefinitions(), rings, named) };
    return { servers: Object.fromEntries(rings.map(([id, samples]) => [id, show(samples)])) };
  },
});

interface QuickTargets {
  readonly server?: string | undefined;
  readonly group?: string | undefined;
  readonly servers?: readonly string[] | undefined;
}

/**
 * Servers whose samples a caller gets (docs/contract/monitors.md#readings). The parameter `server` overrides the
 * others.
 */
function quickTargets({ actor, services }: QueryContext, { server, group, servers }: QuickTargets): string[] {
  if (server) {
    const connected = services.servers.anywhere(server);
    // Callers with a limited reach must not learn whether a server exists.
    if (!connected) return mayAccess(actor, { group: "*" }) ? [server] : [];
    requireAccess(actor, { serverGroups: connected.groups, server });
    return [server];
  }
  if (group && !mayAccess(actor, { group }))
    throw new AccessError(`You do not have the required account privileges to access group ID ${group}.`);
  const visible = services.servers.everywhere().filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
  const named = servers && new Set(servers);
  return visible
    .filter(({ id, groups }) => (!group || groups.includes(group)) && (!named || named.has(id)))
    .map(({ id }) => id);
}
