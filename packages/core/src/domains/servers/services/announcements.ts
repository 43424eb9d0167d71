import type { Cradle } from "../../../kernel/container.ts";
import type { AgentMessage } from "../../../ports/agent-transport.ts";
import { pluginCollection } from "../../plugins/collection.ts";
import type { PluginRecord } from "../../plugins/model.ts";
import type { Server } from "../model.ts";
import { eventPlugins, monitorCommands, type PluginSecrets } from "../rules/joined.ts";
import { createCommandSecrets } from "./command-secrets.ts";
import type { Connection } from "./connection.ts";

/** Updates that agents get while they are connected (part 23 §4.2); only the four members of the contract. */
export interface Announcements {
  /** All script definitions. */
  plugins(): readonly PluginRecord[];
  /** Secrets of monitor plugins, as far as they are known without opening any. */
  readonly knownSecrets: PluginSecrets;
  /** Sends the monitor plugins that the welcome had to leave out until their secrets are opened. */
  welcomed(target: Target): void;
  /** Script definitions changed, or secrets that may be theirs. */
  changedPlugins(): void;
  groups(target: Target): void;
  /** Agents spread their minutes by the number of servers: told when it moved by more than a tenth since they were told. */
  serverCount(connection: Connection, count: number): void;
}

interface Target {
  readonly server: Server;
  readonly connection: Connection;
}

export function createAnnouncements(
  cradle: Pick<Cradle, "clock" | "definitions" | "log" | "vault">,
  targets: () => readonly Target[],
): Announcements {
  let counted: AgentMessage = { cmd: "update", data: { numServers: 0 } };
  const plugins = (): readonly PluginRecord[] => cradle.definitions.all(pluginCollection);
  const secrets = createCommandSecrets(cradle);
  const update = ({ connection }: Target, data: Record<string, unknown>): void =>
    void connection.link.send({ cmd: "update", data });
  /** What is opened meanwhile goes by the groups and plugins of the moment it is sent. */
  const whenOpened = (send: (secretsOf: PluginSecrets) => void): void => {
    const opening = secrets.open(plugins());
    if (!opening) return;
    opening.then(send).catch((error: unknown) => {
      cradle.log.error({ error }, "The secrets of monitor plugins could not be sent");
    });
  };
  const commandsOf = ({ server }: Target, secretsOf: PluginSecrets) =>
    monitorCommands(plugins(), server.groups, secretsOf);
  const sendCommands = (target: Target, secretsOf: PluginSecrets): void =>
    update(target, { commands: commandsOf(target, secretsOf) });
  return {
    plugins,
    knownSecrets: secrets.known,
    welcomed: (target) => whenOpened((secretsOf) => sendCommands(target, secretsOf)),
    changedPlugins() {
      secrets.forget();
      const jobs = eventPlugins(plugins());
      for (const target of targets()) update(target, { plugins: jobs, commands: commandsOf(target, secrets.known) });
      whenOpened((secretsOf) => {
        for (const target of targets()) sendCommands(target, secretsOf);
      });
    },
    groups(target) {
      update(target, { groups: [...target.server.groups], commands: commandsOf(target, secrets.known) });
      whenOpened((secretsOf) => sendCommands(target, secretsOf));
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
