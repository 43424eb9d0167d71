import type { Actor } from "../../src/kernel/calls/context.ts";
import { keyWith } from "../engine.ts";
import type { Fleet, FleetOptions } from "./fleet.ts";

/** No actions from the configuration, so that only the test itself takes snapshots. */
export const quiet: FleetOptions = { config: { alert_universal_actions: [] } };

export const minuteData = {
  load: [1, 2, 3],
  memory: { total: 8, available: 4 },
  processes: { all: 2, list: [{ pid: 1, command: "init" }] },
  conns: [{ type: "tcp4", local_addr: "127.0.0.1" }],
  mounts: { root: { use: 10 } },
  commands: { uptime: "1" },
  interfaces: { eth0: { rx: 1 } },
};

/** Connects a server and waits for the second in which it connects. */
export async function joinAs(fleet: Fleet, id = "s1", groups = ["main"]) {
  const server = await fleet.agent.connect({ hostname: `${id}.example.internal`, id, initial: { groups } });
  await fleet.clock.advance(1);
  return server;
}

export const snapshotter = (...groups: string[]): Actor =>
  keyWith(["create_snapshots", "delete_snapshots"], { groups });

/** A group that matches no hostname, so that servers only join it manually. */
export const createGroupOf = (fleet: Fleet, id: string) =>
  fleet.signalbox.api.createGroup({ id, title: id, hostname_match: "^nothing$" });
