import * as z from "zod";
import { BLOCKED_NAMES, NEW_EVENT } from "./config-defaults.ts";
import { hooksSection, shellExecFlag } from "./config-hooks.ts";
import { compilesQuickly } from "./expressions/index.ts";

/** What is declared for later parts stands in the schema, so that a wrong value is refused today. */
export const LATER = "Without effect in this version.";

/** A regular expression in a text. */
export const pattern = () => z.string().refine(isPattern, { error: "not a regular expression" });

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return compilesQuickly(text);
  } catch {
    // The message of the engine would only say the same at length.
    return false;
  }
}

/** IANA names; `Intl` throws for others. */
export const isZone = (zone: string): boolean => isKnown(() => new Intl.DateTimeFormat("en-US", { timeZone: zone }));
export const isLocale = (locale: string): boolean => isKnown(() => new Intl.NumberFormat(locale));

function isKnown(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export const pluginsSection = z
  .looseObject({
    local_exec: z
      .boolean()
      .default(true)
      .describe("Lets plugins run as processes of this machine, where the host gives a way to start them."),
  })
  .prefault({});

export const webServerSection = z
  .looseObject({
    max_upload_size: z.int().positive().default(1_073_741_824).describe("Bytes of any request body."),
    response_headers: z.record(z.string(), z.string()).default({}).describe("Headers of every answer."),
    server_signature: z.string().optional().describe("Value of the header `Server`; absent = none is sent."),
  })
  .prefault({});

export const filesSection = z
  .looseObject({
    require_auth_for_plain_paths: z
      .boolean()
      .default(true)
      .describe("Asks for credentials where a path can be guessed: files of `upload_files`."),
  })
  .prefault({});

const uploads = (count: string, note = "") =>
  z
    .looseObject({
      [count]: z.int().nonnegative().default(100).describe(`Files of one record.${note}`),
      max_file_size: z.int().nonnegative().default(1_073_741_824).describe(`Bytes of one file.${note}`),
      accepted_file_types: z
        .string()
        .default("")
        .describe(`Types or endings, separated by commas; empty = all.${note}`),
    })
    .prefault({});

/** The other spelling: what it leaves out is read from the one below `client`, so it has no defaults. */
const ticketUploads = z
  .looseObject({
    max_files_per_ticket: z.int().nonnegative().optional().describe("Files of one ticket."),
    max_file_size: z.int().nonnegative().optional().describe("Bytes of one file."),
    accepted_file_types: z.string().optional().describe("Types or endings, separated by commas; empty = all."),
  })
  .optional()
  .describe("Bounds of the files of tickets; wins over `client.ticket_upload_settings`, member by member.");

export const clientSection = z
  .looseObject({
    name: z.string().default("Signalbox").describe("Name of the product: first word of hook texts and mails."),
    bucket_upload_settings: uploads("max_files_per_bucket", ` ${LATER}`),
    ticket_upload_settings: uploads("max_files_per_ticket"),
    job_upload_settings: z
      .looseObject({
        max_files_per_job: z.int().nonnegative().default(100).describe("Input files of one launch."),
        max_file_size: z.int().nonnegative().default(1_073_741_824).describe("Bytes of one input file."),
        accepted_file_types: z
          .string()
          .default("")
          .describe("Types or endings of input files, separated by commas; empty = all."),
        user_file_expiration: z
          .string()
          .default("30 days")
          .describe("Text duration that input files of callers are kept; `0` = until somebody removes them."),
        plugin_file_expiration: z
          .string()
          .default("30 days")
          .describe("The same of files that scheduler plugins give to jobs."),
      })
      .prefault({}),
    new_event_template: z
      .record(z.string(), z.unknown())
      .default(NEW_EVENT)
      .describe("What forms for new events begin with; the API adds nothing of it."),
    new_ticket_template: z
      .record(z.string(), z.unknown())
      .default({ status: "open", type: "change", assignees: [], cc: [], notify: [], tags: [] })
      .describe("What forms begin with; `cc`, `notify` and `due` also count for tickets that actions open."),
  })
  .prefault({});

export const userSection = z
  .looseObject({
    session_expire_days: z.number().positive().default(365).describe("Days without use after which a session ends."),
    max_failed_logins_per_hour: z
      .int()
      .nonnegative()
      .default(5)
      .describe(
        "Wrong passwords per account and hour; then it is locked, and guesses of an administrator's are delayed.",
      ),
    max_forgot_passwords_per_hour: z.int().nonnegative().default(3).describe("Recovery mails per account and hour."),
    free_accounts: z.boolean().default(false).describe("Lets anybody make an account."),
    self_delete: z.boolean().default(true).describe("Lets users delete their own account."),
    use_csrf: z.boolean().default(true).describe("Asks cookie sessions for their token with every change."),
    min_password_length: z.int().positive().default(1).describe("Characters of a new password."),
    valid_username_match: pattern().default("^[\\w\\-\\.]+$").describe("Pattern of user names."),
    block_username_match: pattern()
      .default(BLOCKED_NAMES)
      .describe("Pattern of names that nobody may register, without regard to case."),
    cookie_settings: z
      .union([
        z.literal(false),
        z.looseObject({
          path: z.string().default("/"),
          secure: z.union([z.boolean(), z.literal("auto")]).default("auto"),
          httpOnly: z.boolean().default(true),
          sameSite: z.enum(["Lax", "Strict", "None"]).default("Lax"),
        }),
      ])
      .prefault({})
      .describe("Attributes of the session cookie; `false` = no cookie, login answers the session id instead."),
  })
  .prefault({});

export const secretsSection = z
  .looseObject({
    max_value_size: z
      .int()
      .positive()
      .max(131_072)
      .default(131_072)
      .describe("Bytes of one value; the bound of one environment entry on Linux."),
    cache_derived_keys: z
      .boolean()
      .default(true)
      .describe("Keeps keys derived from the secret key in memory, ten minutes unused or an hour at most."),
  })
  .prefault({});

const rows = (what: string, fallback = 100_000) =>
  z.looseObject({ max_rows: z.int().nonnegative().default(fallback).describe(what) }).prefault({});

export const retentionSection = z
  .looseObject({
    jobs: rows("Newest finished jobs that are kept by the daily maintenance, with logs and files."),
    alerts: rows(
      "Newest alert invocations that are kept by the daily maintenance; live ones stay whatever the number.",
    ),
    snapshots: z
      .looseObject({
        max_rows: z.int().nonnegative().default(100_000).describe("Newest snapshots that are kept."),
        max_age: z.string().optional().describe("Text duration that snapshots are kept; absent = any age."),
      })
      .prefault({}),
    activity: rows("Newest rows of the activity log that are kept by the daily maintenance."),
    servers: rows(
      "Servers that are kept by the daily maintenance, oldest ids going first; connected ones stay.",
      10_000,
    ),
  })
  .prefault({});

const identity = (note = "") =>
  z
    .looseObject({
      uid: z.union([z.string(), z.number()]).default("").describe(`User that runs it; empty = the agent's own.${note}`),
      gid: z
        .union([z.string(), z.number()])
        .default("")
        .describe(`Group that runs it; empty = the agent's own.${note}`),
    })
    .prefault({});
const laterIdentity = identity(` ${LATER}`);
const trialIdentity = identity(" Read by trial runs alone in this version.");

export const credentialsSection = z
  .looseObject({ event: identity(), monitor: laterIdentity, action: identity(), scheduler: trialIdentity })
  .prefault({});

const DATE = "[dddd], [mmmm] [mday], [yyyy]";

const moreValues = (what: string) =>
  z
    .array(z.object({ id: z.string().regex(/^\w+$/), title: z.string(), color: z.string().optional() }))
    .default([])
    .describe(`${what} of tickets beside the built-in ones, each with an id and a title.`);

export const ticketsSection = z
  .looseObject({
    more_statuses: moreValues("Statuses"),
    more_types: moreValues("Types"),
    templates: z
      .record(z.string(), z.string())
      .default({})
      .describe("Texts of tickets that jobs and alerts make, by name, in place of the built-in ones; may hold macros."),
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
      .describe("Local time at which assignees of overdue tickets are told, once a day."),
    overdue_query: z.string().default("status:open due:<today").describe("What counts as overdue."),
    due_date_format: z
      .string()
      .default(DATE)
      .describe("How mails write days; `[yyyy]`, `[mmm]` and others are places."),
    date_time_format: z.string().default(`${DATE} [hour12]:[mi] [ampm]`).describe("How mails write times."),
  })
  .prefault({});

/** Keys at the top that belong to parts without operations yet. */
export const laterKeys = {
  file_expiration: z
    .string()
    .default("5 years")
    .describe("Text duration that files of tickets and of `upload_files` are kept; `0` = for ever."),
  ticket_upload_settings: ticketUploads,
  tickets: ticketsSection,
  mail_settings: z
    .record(z.string(), z.unknown())
    .default({ host: "localhost", port: 25 })
    .describe(`How mail is sent; the mailer of the host decides. ${LATER}`),
  email_format: z
    .enum(["html", "text"])
    .default("html")
    .describe("Form of mails: HTML beside the plain text, or plain text alone."),
  email_logo: z
    .string()
    .default("inline")
    .describe("Picture at the head of mails: that of the template; with `inline` our own otherwise; `none` = never."),
  email_log_links: z
    .boolean()
    .default(true)
    .describe("Lets mails about jobs link to the whole log; whoever has such a link can read it."),
  max_emails_per_day: z
    .int()
    .nonnegative()
    .default(0)
    .describe("Mails of jobs, alerts, tickets and people per local day; 0 = unlimited."),
  hooks: hooksSection,
  hook_shell_exec: shellExecFlag,
  ttl: z.number().nonnegative().default(300).describe(`Seconds that public files may be cached. ${LATER}`),
  max_jobs_per_workflow: z.int().nonnegative().default(1000).describe(`Jobs of one workflow run. ${LATER}`),
  redirect_master_requests: z.boolean().optional().describe(`Redirects calls to the primary. ${LATER}`),
  local_api_hostname: z.string().default("localhost").describe(`Host that local plugins call. ${LATER}`),
};
