import * as z from "zod";
import { UNSET_ADDRESS } from "../../lib/network/unset-address.ts";
import { baseAddress, LATER } from "./config-fields.ts";
import { airgapSection, apiSection, clusterSection, webServerSection } from "./config-network.ts";

/** Whether `Intl` knows the IANA name; it throws for unknown ones. The usual ones need no formatter, which is slow to make. */
const isZone = (zone: string): boolean =>
  zone === "UTC" || isKnown(() => new Intl.DateTimeFormat("en-US", { timeZone: zone }));
const isLocale = (locale: string): boolean => locale === "en-US" || isKnown(() => new Intl.NumberFormat(locale));

function isKnown(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An address, alone or after a display name; empty = no mails are sent. */
const SENDER = /^(?:[^\s@<>,;]+@[^\s@<>,;]+|[^<>\r\n]*<[^\s@<>,;]+@[^\s@<>,;]+>)?$/;

/** Members that belong to no domain (docs/contract/configuration.md#keys). */
export const kernelConfig = {
  base_app_url: baseAddress().default("http://localhost:5522").describe("Where people reach the service, for links."),
  base_api_url: baseAddress()
    .optional()
    .describe("Where the API answers, for links that call it; absent = `<base_app_url>/api`."),
  debug: z
    .boolean()
    .default(false)
    .describe("Checks the answer of every operation against its schema; for tests and development."),
  presets: z.boolean().default(true).describe("Writes the default definitions into a fresh store."),
  api: apiSection,
  WebServer: webServerSection,
  airgap: airgapSection,
  cluster: clusterSection,
  tz: z
    .string()
    .refine(isZone, { error: "not a time zone" })
    .optional()
    .describe("IANA name of the zone of schedules and days; absent = the zone of the process."),
  locale: z
    .string()
    .refine(isLocale, { error: "not a locale" })
    .default("en-US")
    .describe("BCP 47 name of how texts write numbers and dates."),
  maintenance: z
    .string()
    .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, { error: "not a time like 04:30" })
    .default("04:00")
    .describe("Local time of the daily clean-up."),
  action_timeout: z.number().positive().default(300).describe("Seconds that one action may take."),
  email_from: z
    .string()
    .regex(SENDER, { error: "not a mail address" })
    .default(UNSET_ADDRESS)
    .describe("Sender of mails."),
  redirect_master_requests: z.boolean().optional().describe(`Redirects calls to the primary. ${LATER}`),
};

/** Members of `client` that belong to no domain. */
export const kernelClientConfig = {
  name: z.string().default("Signalbox").describe("Name of the product: first word of hook texts and mails."),
};

/** A part of the configuration with its defaults filled in. */
export type ConfigOf<Members extends z.ZodRawShape> = z.output<z.ZodObject<Members>>;

/** Section with display options and default values of forms. Domains widen it as they widen `Config`. */
export interface ClientConfig extends ConfigOf<typeof kernelClientConfig> {
  [name: string]: unknown;
}

/** Section that says how much daily maintenance keeps. Domains widen it as they widen `Config`. */
export interface RetentionConfig {
  [name: string]: unknown;
}

/**
 * The configuration with all defaults filled in. Each domain and plugin widens it in its own folder by declaration merging;
 * undeclared members are kept and readable.
 */
export interface Config extends ConfigOf<typeof kernelConfig> {
  readonly client: ClientConfig;
  readonly db_maint: RetentionConfig;
  [name: string]: unknown;
}

/** Sources for rebuilding the configuration when a setting changes while the engine runs. */
export interface ConfigSource {
  /** All members as parsed, but sections of plugins as the host gave them, since their schemas may transform values. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly schema: z.ZodType<Config>;
}
