import type { PluginRecord } from "../../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../../directory/plugins/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { AgentMessage } from "../../../../ports/agents/agent-transport.ts";
import type { Server } from "../../model.ts";
import { eventPlugins, monitorCommands, type PluginSecrets } from "../../rules/joining/joined.ts";
import type { ActiveServer } from "../known/fleet.ts";
import { type CommandSecrets, createCommandSecrets } from "./command-secrets.ts";
import type { Connection } from "./connection.ts";
import { createWaysBack, type WaysBack } from "./ways-back.ts";

/**
 * Updates that agents get while they are connected (docs/contract/satellites.md#to-the-agent); only the four members of
 * the contract.
 */
export interface Announcements {
  /** All script definitions. */
  plugins(): readonly PluginRecord[];
  /** Secrets of monitor plugins, as far as they are known without opening any. */
  readonly knownSecrets: PluginSecrets;
  /** Told in the welcome, and when nodes come and go. */
  readonly waysBack: WaysBack;
  /** Sends the monitor plugins that the welcome had to leave out until their secrets are opened. */
  welcomed(target: Target): void;
  changedPlugins(): void;
  /** Secrets of monitor plugins, or their users, may be others. */
  changedCommands(): void;
  groups(target: Target): void;
  /** The checks that a server asks are others. */
  commands(target: Target): void;
  /** Gives every satellite its token; the agent of this process has none. */
  tokens(tokenOf: (server: string) => string): void;
  /**
   * Agents spread their minutes by the number of servers: told when it moved by more than a tenth since they were
   * told.
   */
  serverCount(connection: Connection, count: number): void;
}

interface Target {
  readonly server: Server;
  readonly connection: Connection;
}

type Deps = Pick<Cradle, "checks" | "clock" | "config" | "definitions" | "log" | "nodes" | "vault">;

export function createAnnouncements(cradle: Deps, targets: () => readonly ActiveServer[]): Announcements {
  let counted: AgentMessage = { cmd: "update", data: { numServers: 0 } };
  const plugins = (): readonly PluginRecord[] => cradle.definitions.all(pluginRecords);
  const secrets = createCommandSecrets(cradle);
  const announce = createAnnounce(cradle, secrets, plugins);
  const announceToAll = (dataOf: DataOf): void => {
    secrets.forget();
    announce(targets, dataOf);
  };
  return {
    plugins,
    knownSecrets: secrets.known,
    waysBack: createWaysBack(cradle, targets),
    welcomed(target) {
      if (secrets.areUsed(plugins())) announce(() => [target], nothing);
    },
    changedPlugins() {
      const jobs = eventPlugins(plugins());
      announceToAll(() => ({ plugins: jobs }));
    },
    changedCommands: () => announceToAll(nothing),
    groups(target) {
      announce(
        () => [target],
        ({ server }) => ({ groups: [...server.groups] }),
      );
    },
    commands: (target) => announce(() => [target], nothing),
    tokens(tokenOf) {
      for (const { connection } of targets())
        if (!connection.link.trusted)
          connection.link.send({ cmd: "updateConfig", data: { auth_token: tokenOf(connection.id) } });
    },
    serverCount(connection, count) {
      const { toldServers, link } = connection;
      if (Math.abs(count - toldServers) <= toldServers * 0.1) return;
      connection.toldServers = count;
      // One message for all, so that transports encode it once.
      if ((counted.data as { numServers: number }).numServers !== count)
        counted = { cmd: "update", data: { numServers: count } };
      link.send(counted);
    },
  };
}

type DataOf = (target: Target) => Record<string, unknown>;
const nothing: DataOf = () => ({});

/** Sends data at once, and monitor plugins with them or, when they have secrets, once these are opened. */
function createAnnounce(deps: Deps, secrets: CommandSecrets, plugins: () => readonly PluginRecord[]) {
  const update = ({ connection }: Target, data: Record<string, unknown>): void =>
    void connection.link.send({ cmd: "update", data });
  const commandsOf = ({ server: { id, groups } }: Target, secretsOf: PluginSecrets) => {
    const identity = deps.config.default_plugin_credentials.monitor;
    return {
      commands: [...monitorCommands(plugins(), { groups, secretsOf, identity }), ...deps.checks.commandsOf(id)],
    };
  };
  const withheld = (error: unknown): PluginSecrets => {
    deps.log.error({ error }, "The secrets of monitor plugins could not be opened; these plugins are withheld");
    return secrets.known;
  };
  return (to: () => readonly Target[], dataOf: DataOf): void => {
    const opening = secrets.open(plugins());
    if (!opening) {
      for (const target of to()) update(target, { ...dataOf(target), ...commandsOf(target, secrets.known) });
      return;
    }
    if (dataOf !== nothing) for (const target of to()) update(target, dataOf(target));
    // Secrets opened meanwhile go by the groups and plugins of the moment they are sent.
    void opening
      .catch(withheld)
      .then((secretsOf) => {
        for (const target of to()) update(target, commandsOf(target, secretsOf));
      })
      .catch((error: unknown) => deps.log.error({ error }, "Commands of monitor plugins could not be sent"));
  };
}
