import { defineCollection } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { analyseWords } from "../../search/text/analyse.ts";
import type { DeletedServer, HostRecord, Server } from "./model.ts";
import { FACT_FIELDS, factWords } from "./rules/shown/facts.ts";

const MAX_WORD_LENGTH = 64;

export const serverCollection = defineCollection<Server>({
  name: "servers",
  noun: "Server",
  columns: {
    hostname: { type: "text", read: ({ hostname }) => hostname },
    ip: { type: "text", read: ({ ip }) => ip },
    created: { type: "integer", read: ({ created }) => created },
    modified: { type: "integer", read: ({ modified }) => modified },
  },
  terms: {
    groups: ({ groups }) => groups,
    autoGroup: ({ autoGroup }) => [String(autoGroup)],
    keywords: ({ keywords }) => analyseWords(keywords, MAX_WORD_LENGTH),
    ...Object.fromEntries(FACT_FIELDS.map((field) => [field, (server: Server) => factWords(server, field)])),
  },
});

/** Search fields of servers (docs/contract/search.md#fields). `date` is the last contact. */
export const serverSearch: SearchTable = {
  fields: {
    groups: { kind: "keywords" },
    autoGroup: { kind: "keyword" },
    created: { kind: "hour" },
    modified: { kind: "hour" },
    keywords: { kind: "words", maxLength: MAX_WORD_LENGTH },
    ...Object.fromEntries(FACT_FIELDS.map((field) => [field, { kind: "keyword", alphanum: true }] as const)),
  },
  defaultField: "keywords",
  sorters: { hostname: "hostname", ip: "ip", date: "modified" },
};

/** Servers that were deleted recently. */
export const deletedServerCollection = defineCollection<DeletedServer>({
  name: "deleted_servers",
  noun: "Deleted server",
});

/** The last minute of each server; overwritten every minute. */
export const hostCollection = defineCollection<HostRecord>({ name: "hosts", noun: "Host record" });
