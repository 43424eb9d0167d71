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
 * Updates that connected agents get (docs/contract/satellites.md#to-the-agent); only the four members of the contract.
 */
export interface Announcements {
  /** All script definitions. */
  plugins(): readonly PluginRecord[];
  /** Secrets of monitor plugins, as far as they are known without decryption. */
  readonly knownSecrets: PluginSecrets;
  /** Hosts to reconnect to; sent in the welcome, and when nodes come and go. */
  readonly waysBack: WaysBack;
  /** Sends the monitor plugins that the welcome left out because their secrets were not decrypted yet. */
  welcomed(target: Target): void;
  changedPlugins(): void;
  /** Call it when secrets or users of monitor plugins may have changed. */
  changedCommands(): void;
  groups(target: Target): void;
  /** Call it when the checks of a server have changed. */
  commands(target: Target): void;
  /** Sends every satellite its token; the agent in this process has none. */
  tokens(tokenOf: (server: string) => string): void;
  /**
   * Sends the number of servers, by which agents spread their minutes, if it has changed by more than a tenth since the
   * agent last got it.
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
  const announceTo = (target: Target, dataOf: DataOf): void => announce(() => [target], dataOf);
  const announceToAll = (dataOf: DataOf): void => {
    secrets.forget();
    announce(targets, dataOf);
  };
  return {
    plugins,
    knownSecrets: secrets.known,
    waysBack: createWaysBack(cradle, targets),
    welcomed(target) {
      if (secrets.areUsed(plugins())) announceTo(target, nothing);
    },
    changedPlugins() {
      const jobs = eventPlugins(plugins());
      announceToAll(() => ({ plugins: jobs }));
    },
    changedCommands: () => announceToAll(nothing),
    groups: (target) => announceTo(target, ({ server }) => ({ groups: [...server.groups] })),
    commands: (target) => announceTo(target, nothing),
    tokens(tokenOf) {
      for (const { connection } of targets())
        if (!connection.link.trusted)
          connection.link.send({ cmd: "updateConfig", data: { auth_token: tokenOf(connection.id) } });
    },
    serverCount(connection, count) {
      const { toldServers, link } = connection;
      if (Math.abs(count - toldServers) <= toldServers * 0.1) return;
      connection.toldServers = count;
      // Reuses one message object for all, so that transports encode it once.
      if ((counted.data as { numServers: number }).numServers !== count)
        counted = { cmd: "update", data: { numServers: count } };
      link.send(counted);
    },
  };
}

type DataOf = (target: Target) => Record<string, unknown>;
const nothing: DataOf = () => ({});

/** Sends data at once. Monitor plugins go with it, or, if they have secrets, later when these have been decrypted. */
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
    // Groups and plugins are read when the decrypted secrets are sent, as they may have changed meanwhile.
    void opening
      .catch(withheld)
      .then((secretsOf) => {
        for (const target of to()) update(target, commandsOf(target, secretsOf));
      })
      .catch((error: unknown) => deps.log.error({ error }, "Commands of monitor plugins could not be sent"));
  };
}
