import * as z from "zod";
import { template, uploads } from "../../kernel/config/config-fields.ts";
import { queryFault } from "../../kernel/searches/search-page.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { partsOfTemplate } from "../texts/template.ts";
import { ticketTarget } from "./records.ts";

/** The alternative spelling. It has no defaults, because absent members are read from the setting below `client`. */
const ticketUploads = looseObject(() => ({
  max_files_per_ticket: z.int().nonnegative().optional().describe("Files of one ticket."),
  max_file_size: z.int().nonnegative().optional().describe("Bytes of one file."),
  accepted_file_types: z.string().optional().describe("Types or endings, separated by commas; empty = all."),
}))
  .optional()
  .describe("Bounds of the files of tickets; wins over `client.ticket_upload_settings`, member by member.");

const DATE = "[dddd], [mmmm] [mday], [yyyy]";

const moreValues = (what: string) =>
  z
    .array(object(() => ({ id: z.string().regex(/^\w+$/), title: z.string(), color: z.string().optional() })))
    .default([])
    .describe(`${what} of tickets beside the built-in ones, each with an id and a title.`);

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const ticketsConfig = {
  tickets: looseObject(() => ({
    more_statuses: moreValues("Statuses"),
    more_types: moreValues("Types"),
    templates: z
      .record(z.string(), template(partsOfTemplate))
      .default({})
      .describe(
        "Texts of tickets that jobs and alerts create, by name, instead of the built-in ones; may contain macros.",
      ),
    email_enabled: z.boolean().default(true).describe("Sends mails about tickets."),
    email_debounce_sec: z
      .number()
      .nonnegative()
      .default(30)
      .describe("Seconds without a change of a ticket until its mail leaves; ten times as long at most, 0 = at once."),
    overdue_schedule: z
      .string()
      .regex(/^([01]?\d|2[0-3]):[0-5]\d$/, "not a time like 04:30")
      .default("04:30")
      .describe("Local time at which assignees of overdue tickets are notified, once a day."),
    overdue_query: z
      .string()
      .superRefine((query, context) => {
        const fault = queryFault(query, ticketTarget);
        if (fault !== undefined) context.addIssue({ code: "custom", message: `not a query of tickets: ${fault}` });
      })
      .default("status:open due:<today")
      .describe("What counts as overdue."),
    due_date_format: z
      .string()
      .default(DATE)
      .describe("How mails write days; `[yyyy]`, `[mmm]` and others are placeholders."),
    date_time_format: z.string().default(`${DATE} [hour12]:[mi] [ampm]`).describe("How mails write times."),
  })).prefault({}),
  ticket_upload_settings: ticketUploads,
};

/** Members of `client`. */
export const ticketsClientConfig = {
  ticket_upload_settings: uploads("max_files_per_ticket"),
  new_ticket_template: z
    .record(z.string(), z.unknown())
    .default({ status: "open", type: "change", assignees: [], cc: [], notify: [], tags: [] })
    .describe("Initial values of forms; `cc`, `notify` and `due` also apply to tickets that actions open."),
};
