import * as z from "zod";
import type { PluginRecord } from "../../plugins/model.ts";

const agentSection = z.looseObject({
  /** Members that replace the agent's own configuration. */
  config: z.looseObject({ host: z.string().optional() }).default({}),
  /** Agents without an id of their own may enrol with the cluster key. */
  allow_secret_key_join: z.boolean().default(true),
});
export type AgentConfig = z.infer<typeof agentSection>;

/** The `satellite` section of the configuration; a malformed one counts as absent. */
export function agentConfigOf(section: unknown): AgentConfig {
  const parsed = agentSection.safeParse(section ?? {});
  return parsed.success ? parsed.data : agentSection.parse({});
}

/** A script definition, as far as agents need it. */
type Script = Pick<PluginRecord, "id" | "type" | "command" | "script" | "enabled" | "groups">;

/** Script definitions for jobs, reduced to what an agent reads (part 23 §4.1). */
export function eventPlugins(records: readonly Script[]): Record<string, unknown>[] {
  return records
    .filter(({ type }) => type === "event")
    .map(({ id, type, command, script, enabled }) => ({
      id,
      type,
      command,
      ...(script === undefined ? {} : { script }),
      enabled,
    }));
}

/** Monitor plugins that a server runs (part 20 §8): enabled, and of one of its groups. Agents need the list of groups. */
export function monitorCommands(records: readonly Script[], groups: readonly string[]): Record<string, unknown>[] {
  return records
    .filter(({ type, enabled }) => type === "monitor" && Boolean(enabled))
    .map((record) => ({ ...record, groups: record.groups ?? [], sec: {} }))
    .filter((record) => record.groups.length === 0 || record.groups.some((id) => groups.includes(id)));
}

export interface Welcome {
  readonly agentConfig: AgentConfig;
  readonly airgap: unknown;
  readonly baseUrl: string;
  readonly groups: readonly string[];
  readonly plugins: readonly Script[];
  readonly numServers: number;
  /** Agents in this process end their jobs by message, all others by HTTP. */
  readonly trusted: boolean;
}

/** Data of the `joined` message (part 23 §4.1). */
export function joinedData(welcome: Welcome): Record<string, unknown> {
  const { agentConfig, airgap, baseUrl, groups, plugins, numServers, trusted } = welcome;
  return {
    config: { ...agentConfig.config, airgap: airgap ?? { enabled: false, whitelist: [], blacklist: [] } },
    masterData: { masters: [agentConfig.config.host ?? hostOf(baseUrl)] },
    groups: [...groups],
    plugins: eventPlugins(plugins),
    commands: monitorCommands(plugins, groups),
    numServers,
    features: { api_finish_job: !trusted },
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "localhost";
}
