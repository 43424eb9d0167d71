import * as z from "zod";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { recordsById } from "../../../kernel/searches/pages-by-id.ts";
import { SearchInput } from "../../../kernel/searches/search-page.ts";
import { searchRows } from "../../../kernel/searches/search-rows.ts";
import { everything } from "../../../search/ast.ts";
import { asList, listOf, NoParameters } from "../../../wire/schemas/lists.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { serverCollection, serverSearch } from "../collection.ts";
import { PublicServer, type Server } from "../model.ts";
import { countFacts, FACT_FIELDS, type Summaries } from "../rules/shown/facts.ts";
import { visibleServers } from "../rules/shown/visible.ts";
import { shown } from "./visible.ts";

export const searchServers = defineQuery({
  name: "search_servers",
  method: "ANY",
  summary: "Search the stored servers that the caller may see, connected or not.",
  access: credentials,
  refuses: ["db"],
  input: SearchInput,
  output: listOf(PublicServer),
  async handler(input, context) {
    const { actor, services } = context;
    services.jobs.stats.count(["search"]);
    const target = { collection: serverCollection, table: serverSearch, restriction: visibleServers(actor) };
    const show = (server: Server) => shown(actor, server, services.servers.whereabouts(server.id));
    const { rows, total } = await searchRows(context, input, target, { show });
    return asList(rows, total);
  },
});

const PAGE = 200;

export const getServerSummaries = defineQuery({
  name: "get_server_summaries",
  method: "ANY",
  summary: "Count the stored servers the caller may see by system, distribution, release, architecture and processor.",
  access: credentials,
  input: NoParameters,
  output: object(() => ({
    summaries: z.record(
      z.string(),
      z
        .object({
          id: z.string(),
          values: z.record(z.string(), z.number()),
          labels: z.record(z.string(), z.string()),
          modified: z.number(),
        })
        .partial(),
    ),
  })),
  async handler(_input, context) {
    const summaries: Summaries = {};
    for await (const server of visibleTo(context)) countFacts(summaries, server);
    // Clients look at each fact, so those without a value are there as well.
    return { summaries: { ...Object.fromEntries(FACT_FIELDS.map((id) => [id, {}])), ...summaries } };
  },
});

/** Servers that the caller may see, read in pages, so that ten thousand of them are never in memory at once. */
const visibleTo = ({ actor, tx }: QueryContext): AsyncGenerator<Server> =>
  recordsById((work) => work(tx), serverCollection, { where: visibleServers(actor) ?? everything, size: PAGE });
