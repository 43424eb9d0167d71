import type { PluginRecord } from "../../../../directory/plugins/model.ts";
import { CHECKS_PLUGIN } from "../../../../directory/plugins/rules/presets.ts";
import { identityOf } from "../../../../directory/plugins/rules/process-identity.ts";

/** Configuration that agents get; `host` is where they reconnect to. */
export interface AgentConfig {
  readonly config: Readonly<Record<string, unknown>> & { readonly host?: string | undefined };
}

/** The members of a script definition that agents need. */
type Script = Pick<PluginRecord, "id" | "type" | "command" | "script" | "enabled" | "groups" | "uid" | "gid">;

/** Script definitions for jobs, reduced to what agents read (docs/contract/satellites.md#joined). */
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

/** Returns the decrypted secrets of a monitor plugin by its id; undefined = not decrypted yet. */
export type PluginSecrets = (plugin: string) => Readonly<Record<string, string>> | undefined;

/** What decides, besides the definitions, which monitor plugins a server runs. */
export interface CommandFacts {
  readonly groups: readonly string[];
  readonly secretsOf: PluginSecrets;
  /** User and group for plugins that name none. */
  readonly identity: Pick<PluginRecord, "uid" | "gid">;
}

/**
 * Monitor plugins that a server runs (docs/contract/plugins.md#monitor-plugins): enabled, for one of its groups, and
 * never without their secrets. Agents need the list of groups. The script that runs checks is left out, as it differs
 * per server.
 */
export function monitorCommands(
  records: readonly Script[],
  { groups, secretsOf, identity }: CommandFacts,
): Record<string, unknown>[] {
  return records
    .filter(({ id, type, enabled }) => type === "monitor" && Boolean(enabled) && id !== CHECKS_PLUGIN)
    .map((record) => ({
      ...record,
      ...identityOf(record, identity),
      groups: record.groups ?? [],
      sec: secretsOf(record.id),
    }))
    .filter((record) => record.groups.length === 0 || record.groups.some((id) => groups.includes(id)))
    .filter(({ sec }) => sec !== undefined);
}

export interface Welcome extends CommandFacts {
  readonly agentConfig: AgentConfig;
  readonly airgap: unknown;
  /** Hosts that the agent tries when its connection ends. */
  readonly hosts: readonly string[];
  readonly plugins: readonly Script[];
  /** Further scripts for this server only: its checks. */
  readonly own: readonly Record<string, unknown>[];
  readonly numServers: number;
  /** True for an agent in this process, which reports ends of jobs by message; all others use HTTP. */
  readonly trusted: boolean;
}

/** Data of the `joined` message. */
export function joinedData(welcome: Welcome): Record<string, unknown> {
  const { agentConfig, airgap, hosts, groups, plugins, own, numServers, trusted } = welcome;
  return {
    config: { ...agentConfig.config, airgap: airgap ?? { enabled: false, whitelist: [], blacklist: [] } },
    masterData: { masters: [...hosts] },
    groups: [...groups],
    plugins: eventPlugins(plugins),
    commands: [...monitorCommands(plugins, welcome), ...own],
    numServers,
    features: { api_finish_job: !trusted },
  };
}
