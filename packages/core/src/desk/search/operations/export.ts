import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { credentials, defineStream, type StreamResult } from "../../../kernel/calls/operation.ts";
import type { Config } from "../../../kernel/config/config.ts";
import { AccessError, InputError } from "../../../kernel/errors/errors.ts";
import { searchAll, searchParameters } from "../../../kernel/searches/search-page.ts";
import { filePrefix } from "../../../lib/files/file-prefix.ts";
import { gzipped } from "../../../lib/files/gzipped.ts";
import { createDays } from "../../../lib/time/days.ts";
import { csv } from "../../../wire/fields/fields.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { shown } from "../../../wire/schemas/shown-members.ts";
import { CONTENT_TYPES, FORMATS, type Format, headOf, rowOf } from "../rules/cells.ts";

const MAX_COLUMNS = 200;
/** Characters sent at a time. */
const CHUNK = 65_536;

const { limit: _limit, ...query } = searchParameters;
const TRUE: ReadonlySet<unknown> = new Set(["", "0", "false"]);

const Input = looseObject(() => ({
  index: z.string(),
  columns: csv(z.string()).pipe(z.array(z.string()).min(1).max(MAX_COLUMNS)),
  format: z.enum(FORMATS),
  compress: shown(z.boolean().describe("Anything true: gzip.")),
  ...query,
}));

/** Exports the results of a query as one file, which is read and sent in pieces (docs/contract/search.md#export). */
export const bulkSearchExport = defineStream({
  name: "bulk_search_export",
  method: "ANY",
  summary: "Download all that a query finds as CSV, TSV or lines of JSON; for callers without limits.",
  access: credentials,
  refuses: ["db", "ticket"],
  example: { index: "jobs", query: "tags:nightly", columns: ["id", "event", "elapsed"], format: "csv" },
  input: Input,
  async handler(input, { actor, config, ids, now, services, signal }): Promise<StreamResult> {
    const target = services.search.tables.get(input.index);
    if (!target) throw new InputError(`Index not found: ${input.index}`);
    if (!mayAccess(actor, { category: "*", group: "*" }))
      throw new AccessError("You do not have the required account privileges to use this API.");
    if (target.adminOnly) requireAccess(actor, { privilege: "admin" }, services.lists.privileges);
    const records = searchAll({ now, config, read: services.search.read }, input, target);
    services.jobs.stats.count(["search"]);
    const { format, columns } = input;
    const isGzip = Boolean(input.compress) && !TRUE.has(input.compress);
    const lines = chunks(headOf(format, columns), records, (record) =>
      rowOf(format, columns, target.show ? target.show(record as never) : record),
    );
    return {
      contentType: isGzip ? "application/gzip" : CONTENT_TYPES[format],
      headers: {
        "Content-Disposition": `attachment; filename="${fileName(config, { ...input, now, id: ids.short("x"), isGzip })}"`,
        "Cache-Control": "no-store",
      },
      body: isGzip ? gzipped(lines, signal) : lines,
    };
  },
});

interface Named {
  readonly index: string;
  readonly format: Format;
  readonly now: number;
  readonly id: string;
  readonly isGzip: boolean;
}

function fileName(config: Config, { index, format, now, id, isGzip }: Named): string {
  return `${filePrefix(config.client.name)}-${index}-export-${createDays(config)(now)}-${id}.${format}${isGzip ? ".gz" : ""}`;
}

async function* chunks<T>(
  head: string,
  records: AsyncIterable<T>,
  lineOf: (record: T) => string,
): AsyncGenerator<Uint8Array> {
  let text = head;
  for await (const record of records) {
    text += lineOf(record);
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}
