import * as z from "zod";
import { LATER, template } from "../../kernel/config/config-fields.ts";
import { partsOfTemplate } from "../texts/template.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const mailConfig = {
  mail_templates: z
    .record(z.string(), template(partsOfTemplate))
    .default({})
    .describe("Texts of mails in Markdown, by name, instead of the built-in ones; may contain macros."),
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
    .describe("Picture at the head of mails: the template's; with `inline` our own otherwise; `none` = never."),
  email_log_links: z
    .boolean()
    .default(true)
    .describe("Lets mails about jobs link to the whole log; anyone who has such a link can read it."),
  max_emails_per_day: z
    .int()
    .nonnegative()
    .default(0)
    .describe("Mails of jobs, alerts, tickets and people per local day; 0 = unlimited."),
};
