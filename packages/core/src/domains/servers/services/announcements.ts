import type { Cradle } from "../../../kernel/container.ts";
import { pluginCollection } from "../../plugins/collection.ts";
import type { PluginRecord } from "../../plugins/model.ts";
import type { Server } from "../model.ts";
import { eventPlugins, monitorCommands } from "../rules/joined.ts";
import type { Connection } from "./connection.ts";

/** Updates that agents get while they are connected (part 23 §4.2); only the four members of the contract. */
export interface Announcements {
  /** All script definitions. */
  plugins(): readonly PluginRecord[];
  changedPlugins(): void;
  groups(target: Target): void;
  /** Agents spread their minutes by the number of servers: told when it moved by more than a tenth. */
  serverCount(): void;
}

interface Target {
  readonly server: Server;
  readonly connection: Connection;
}

export function createAnnouncements(
  { definitions }: Pick<Cradle, "definitions">,
  targets: () => readonly Target[],
): Announcements {
  let announced = 0;
  const plugins = (): readonly PluginRecord[] => definitions.all(pluginCollection);
  const update = ({ connection }: Target, data: Record<string, unknown>): void =>
    void connection.link.send({ cmd: "update", data });
  return {
    plugins,
    changedPlugins() {
      const records = plugins();
      const jobs = eventPlugins(records);
      for (const target of targets())
        update(target, { plugins: jobs, commands: monitorCommands(records, target.server.groups) });
    },
    groups(target) {
      const { groups } = target.server;
      update(target, { groups: [...groups], commands: monitorCommands(plugins(), groups) });
    },
    serverCount() {
      const all = targets();
      if (Math.abs(all.length - announced) <= announced * 0.1) return;
      announced = all.length;
      for (const target of all) update(target, { numServers: all.length });
    },
  };
}
