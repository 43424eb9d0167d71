import * as z from "zod";
import { mayAccess } from "../../directory/access/require-access.ts";
import type { Actor } from "../../kernel/calls/context.ts";
import { admin, credentials, defineCommand } from "../../kernel/calls/operation.ts";
import { flag, pageNumber } from "../../wire/fields/fields.ts";
import { Done, NoParameters } from "../../wire/schemas/lists.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { asksForSections, atPath, withPrefix } from "./rules.ts";

const Stats = object(() => ({ stats: z.looseObject({}) }));

export const adminStats = defineCommand({
  name: "admin_stats",
  method: "GET",
  summary: "Read versions, sizes, rows of each table, caches and connections of this node.",
  access: admin,
  input: NoParameters,
  output: Stats,
  // Each table is counted in its own snapshot, one after the other.
  prepare: async (_input, { services }) => services.statistics.everything(),
  handler: async (_input, { prepared }) => ({ stats: prepared }),
});

/** Counters by event or server name things that limited callers may not know of. */
const isUnlimited = (actor: Actor): boolean => mayAccess(actor, { category: "*", group: "*" });

export const dashStats = defineCommand({
  name: "dash_stats",
  method: "GET",
  summary:
    "Read the counters of the day and the load of this node; without limits also the counters of single records.",
  access: credentials,
  input: NoParameters,
  output: Stats,
  async prepare(_input, { actor, services }) {
    services.traffic.handOver();
    return services.jobs.stats.history.current(isUnlimited(actor));
  },
  async handler(_input, { prepared, services }) {
    const { statistics } = services;
    const unbase = { indexes: statistics.indexes() };
    return { stats: { day: prepared.data, ...statistics.load(), unbase, cache: statistics.cached() } };
  },
});

const Period = object(() => ({ epoch: z.number(), date: z.string(), data: z.unknown() }));
const MAX_LIMIT = 1000;

export const searchStatHistory = defineCommand({
  name: "search_stat_history",
  method: "GET",
  summary: "Read the counters of past days, the newest first; limited callers get the sums of the installation.",
  access: credentials,
  input: looseObject(() => ({
    offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: pageNumber(1, MAX_LIMIT).optional(),
    path: z.string().max(1000).default("").describe("Dotted path of the members that are wanted: `events.e1`."),
    key_prefix: z.string().max(1000).default("").describe("Only members whose names begin so."),
    current_day: flag().default(false).describe("The day that is not over comes first."),
  })),
  output: object(() => ({ items: z.array(Period), list: z.object({ length: z.int() }) })),
  async prepare({ offset = 0, limit = 1, path, current_day }, { actor, services }) {
    services.traffic.handOver();
    const { history } = services.jobs.stats;
    const sections = isUnlimited(actor) && asksForSections(path);
    const page = { offset, limit: Math.max(1, limit) };
    if (!current_day) return history.page(page, sections);
    // The current day is the first of the list.
    const skipped = offset > 0;
    const rest = { offset: Math.max(0, offset - 1), limit: Math.max(1, skipped ? page.limit : page.limit - 1) };
    const { rows, total } = await history.page(rest, sections);
    const closed = skipped ? rows : rows.slice(0, page.limit - 1);
    return { rows: skipped ? closed : [await history.current(sections), ...closed], total: total + 1 };
  },
  async handler({ path, key_prefix }, { prepared: { rows, total } }) {
    const items = rows.map((row) => ({ ...row, data: withPrefix(atPath(row.data, path) ?? {}, key_prefix) }));
    return { items, list: { length: total } };
  },
});

export const adminResetDailyStats = defineCommand({
  name: "admin_reset_daily_stats",
  summary: "Close the counters of the day and start at zero, daily limits of events included.",
  access: admin,
  input: NoParameters,
  output: Done,
  async handler(_input, { audit }) {
    audit("notice", { description: "The counters of the day were reset." });
    return {};
  },
  async afterCommit(_result, { services }) {
    services.traffic.handOver();
    await services.jobs.stats.reset();
    return {};
  },
});
