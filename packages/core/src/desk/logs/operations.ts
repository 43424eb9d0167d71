import * as z from "zod";
import { admin, defineCommand } from "../../kernel/calls/operation.ts";
import { csv, flag, number } from "../../wire/fields/fields.ts";
import { listOf } from "../../wire/schemas/lists.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { COLUMNS, filterOf } from "./rules.ts";
import { matching } from "./service.ts";

const MAX_NAME = 64;
const MAX_MATCH = 1000;
const MAX_ROWS = 1000;

/** A command, because it reads files for a long time, and no snapshot of the storage may wait for that. */
export const adminSearchLogs = defineCommand({
  name: "admin_search_logs",
  summary: "Read the newest lines of a log that hold a text or match a pattern; `list.length` counts all lines.",
  access: admin,
  refuses: ["admin"],
  input: looseObject(() => ({
    log: z.string().max(MAX_NAME).regex(/^\w+$/).describe("A component, `Error` or `Signalbox`."),
    rows: number().pipe(z.int().min(1).max(MAX_ROWS)).default(100).describe("Lines that are answered."),
    match: z.string().max(MAX_MATCH).default("").describe("Empty = all lines."),
    regex: flag().default(false).describe("`match` is a regular expression."),
    case: flag().default(false).describe("Case counts."),
    cols: csv(z.enum(COLUMNS)).optional().describe("Columns of the answer; absent = all."),
    date: z
      .string()
      .regex(/^(?:\d{4}-\d\d-\d\d)?$/)
      .optional()
      .describe("A past day, local; absent = today."),
  })),
  output: listOf(z.record(z.string(), z.string())),
  async prepare({ log, rows, match, regex, case: isExact, cols, date }, { services, signal }) {
    const filter = matching(() => filterOf({ match, regex, isExact }));
    return services.logs.search({ log, rows, columns: cols, date: date || undefined, filter, signal });
  },
  handler: async (_input, { prepared: { rows, lines } }) => ({ rows, list: { length: lines } }),
});
