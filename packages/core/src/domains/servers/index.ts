import type { Cradle } from "../../kernel/container.ts";
import { definePlugin } from "../../kernel/plugin.ts";
import type { AgentTransportContext } from "../../ports/agent-transport.ts";
import { hostCollection, serverCollection } from "./collection.ts";
import { getActiveServer, getActiveServers, getServer } from "./operations.ts";
import { createServers } from "./service.ts";

/** Comes after every domain that agents talk to: from its start on they connect. */
export const servers = definePlugin({
  id: "servers",
  after: ["auth", "activity", "plugins", "groups", "monitors", "alerts"],
  collections: [serverCollection, hostCollection],
  operations: [getActiveServers, getActiveServer, getServer],
  services: { servers: createServers },
  loops: [
    {
      name: "servers.links",
      everySec: 1,
      on: "every-node",
      run: async (_now, cradle) => cradle.servers.tick(),
    },
  ],
  on: {
    "definitions.changed": async ({ collection }, cradle) => {
      if (collection === "groups") await cradle.servers.regroup();
      if (collection === "plugins") cradle.servers.announcePlugins();
    },
  },
  async start(cradle) {
    for (const transport of cradle.agents) await transport.start(contextOf(cradle));
  },
  async stop(cradle) {
    cradle.servers.beginStop();
    for (const transport of cradle.agents) await transport.stop();
    await cradle.monitors.idle();
    await cradle.servers.idle();
  },
});

function contextOf({ servers, clock, ids, log, registry }: Cradle): AgentTransportContext {
  const functions = new Map(Array.from(registry.hostEvents, ([id, { run }]) => [id, run] as const));
  return { receiver: servers.receiver, clock, ids, log, functions };
}
