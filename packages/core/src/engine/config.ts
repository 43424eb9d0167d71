import * as z from "zod";
import { checkShellHooks, hooksConfig } from "../desk/hooks/config.ts";
import { logsConfig } from "../desk/logs/config.ts";
import { mailConfig } from "../desk/mail/config.ts";
import { noticesConfig } from "../desk/notices/config.ts";
import { ticketsClientConfig, ticketsConfig } from "../desk/tickets/config.ts";
import { activityRetention } from "../directory/activity/config.ts";
import { bucketsClientConfig } from "../directory/buckets/config.ts";
import { filesConfig } from "../directory/files/config.ts";
import { pluginsConfig } from "../directory/plugins/config.ts";
import { secretsConfig } from "../directory/secrets/config.ts";
import { usersConfig } from "../directory/users/config.ts";
import { webHooksConfig } from "../directory/web-hooks/config.ts";
import { alertsConfig, alertsRetention } from "../fleet/alerts/config.ts";
import { checksConfig } from "../fleet/checks/config.ts";
import { monitorsConfig } from "../fleet/monitors/config.ts";
import { satellitesConfig } from "../fleet/satellites/config.ts";
import { serversConfig, serversRetention } from "../fleet/servers/config.ts";
import { snapshotsRetention } from "../fleet/snapshots/config.ts";
import { type Config, type ConfigSource, kernelClientConfig, kernelConfig } from "../kernel/config/config.ts";
import type { Plugin } from "../kernel/plugins/plugin.ts";
import { knownOf, unknownMembers } from "../wire/schemas/known-members.ts";
import { looseObject } from "../wire/schemas/objects.ts";
import { eventsClientConfig } from "../work/events/config.ts";
import { jobsConfig, jobsRetention } from "../work/jobs/config.ts";
import { runsClientConfig, runsConfig } from "../work/runs/config.ts";
import { schedulesConfig } from "../work/schedules/config.ts";

/** Sections of the built-in domains, each declared in the folder of its domain. */
const members = looseObject(() => ({
  ...kernelConfig,
  ...hooksConfig,
  ...logsConfig,
  ...mailConfig,
  ...ticketsConfig,
  ...filesConfig,
  ...pluginsConfig,
  ...secretsConfig,
  ...usersConfig,
  ...webHooksConfig,
  ...alertsConfig,
  ...checksConfig,
  ...monitorsConfig,
  ...satellitesConfig,
  ...serversConfig,
  ...jobsConfig,
  ...runsConfig,
  ...noticesConfig,
  ...schedulesConfig,
  client: z
    .looseObject({
      ...kernelClientConfig,
      ...ticketsClientConfig,
      ...bucketsClientConfig,
      ...eventsClientConfig,
      ...runsClientConfig,
    })
    .prefault({}),
  db_maint: z
    .looseObject({
      ...activityRetention,
      ...alertsRetention,
      ...serversRetention,
      ...snapshotsRetention,
      ...jobsRetention,
    })
    .prefault({}),
}));

/** Configuration (docs/contract/configuration.md). Every key is optional here; unknown keys are kept and readable. */
export const configSchema = members.superRefine(checkShellHooks);

/** The configuration as a host gives it: every member is optional and has a default. */
export type ConfigInput = z.input<typeof configSchema>;

/** Throws `Error` naming the path of the first invalid member. */
export const parseConfig = (input: unknown): Config => parse(configSchema, input);

type Declared = readonly Pick<Plugin, "id" | "config">[];

/** Throws like `parseConfig`; checks sections of plugins too. */
export function readConfig(
  input: ConfigInput | undefined,
  plugins: Declared,
): { readonly config: Config; readonly source: ConfigSource; readonly warnings: readonly string[] } {
  const sections = sectionsOf(plugins);
  const ids = Object.keys(sections);
  const schema = ids.length === 0 ? configSchema : withSections(sections);
  const config = parse(schema, input);
  const given = Object.fromEntries(ids.map((id) => [id, input?.[id] ?? {}]));
  return { config, source: { schema, base: { ...config, ...given } }, warnings: unknownWarnings(schema, input) };
}

/** The schema with the sections of plugins added. No section has the name of a member, so the members keep their types. */
const withSections = (sections: Record<string, z.ZodType>): typeof configSchema =>
  (members.extend(sections) as typeof members).superRefine(checkShellHooks);

/** Warnings about unknown members: they are kept and readable, but a misspelt member has no effect. */
function unknownWarnings(schema: z.ZodType, input: ConfigInput | undefined): string[] {
  if (input === undefined) return [];
  const unknown = unknownMembers(knownOf(schema) ?? {}, input);
  if (!unknown) return [];
  return [
    `Nothing reads these members of the configuration: ${unknown.join(", ")}. Look for a misspelling, or leave them if they are your own.`,
  ];
}

function sectionsOf(plugins: Declared): Record<string, z.ZodType> {
  const sections: Record<string, z.ZodType> = {};
  for (const { id, config } of plugins) {
    if (!config) continue;
    if (Object.hasOwn(members.shape, id))
      throw new Error(
        `Plugin ${id} cannot have a configuration of its own, since ${id} is a member of the configuration already`,
      );
    // A plugin's own rule for unknown members applies; without one, zod would drop them.
    sections[id] = (config.def.catchall ? config : config.loose()).prefault({});
  }
  return sections;
}

function parse(schema: z.ZodType<Config>, input: unknown): Config {
  // Interpreted: the schema runs once, so generating code for it would cost more than it saves.
  const result = schema.safeParse(input ?? {}, { jitless: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`Configuration ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "malformed"}`);
}
