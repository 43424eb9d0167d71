import { REGROUP_KIND } from "../../directory/groups/rules/work.ts";
import type { ConfigOf } from "../../kernel/config/config.ts";
import type { Cradle } from "../../kernel/container.ts";
import { ofScalars } from "../../kernel/plugins/event-bus.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { AgentTransportContext } from "../../ports/agents/agent-transport.ts";
import { deletedServerCollection, hostCollection, serverCollection, serverSearch } from "./collection.ts";
import type { serversConfig, serversRetention } from "./config.ts";
import type { ServerEvents } from "./events.ts";
import { Server } from "./model.ts";
import { deleteServer } from "./operations/delete.ts";
import { getActiveServer, getActiveServers, getServer, getServers } from "./operations/read.ts";
import { getServerSummaries, searchServers } from "./operations/search.ts";
import { updateServer, updateServerData } from "./operations/write.ts";
import { CLOSE_KIND, REMOVE_KIND, UNINSTALL_KIND } from "./rules/departure.ts";
import { CHANGED_MESSAGE } from "./rules/messages.ts";
import { storedServer } from "./rules/shown/public.ts";
import { createServers, type ServerRegistry } from "./service.ts";
import { regroupWorker } from "./services/groups/stored-groups.ts";
import { type AgentKeys, createAgentKeys } from "./services/joining/agent-keys.ts";
import { createDeletedServers, type DeletedServers } from "./services/removal/deleted-servers.ts";
import { closeWorker, removeSilent, removeWorker, uninstallWorker } from "./services/removal/removal.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof serversConfig> {}
  interface RetentionConfig extends ConfigOf<typeof serversRetention> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends ServerEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly servers: ServerRegistry;
    readonly agentKeys: AgentKeys;
    readonly deletedServers: DeletedServers;
  }
  interface KeyedServices {
    readonly agentKeys: true;
  }
}

/** Registered after every domain that agents talk to: agents connect as soon as it starts. */
export const servers = definePlugin({
  id: "servers",
  after: ["auth", "activity", "state", "plugins", "groups", "monitors", "alerts"],
  collections: [serverCollection, hostCollection, deletedServerCollection],
  transfer: {
    tables: {
      servers: {
        shape: Server,
        newest: "created",
        removedAlone: true,
        async settle({ deletedServers, servers, transact }, ids) {
          for (const id of ids) await servers.refresh(id);
          // Other servers may be connected to other nodes, which have them in memory.
          await transact(async ({ tx }) => {
            await deletedServers.forget(tx, ids);
            for (const id of ids) tx.publish({ type: CHANGED_MESSAGE, payload: { id } });
          });
        },
      },
    },
    own: [hostCollection],
  },
  searchTables: {
    servers: { collection: serverCollection, table: serverSearch, show: storedServer, remove: removeSilent },
  },
  operations: [
    getActiveServers,
    getActiveServer,
    getServer,
    getServers,
    getServerSummaries,
    searchServers,
    updateServer,
    updateServerData,
    deleteServer,
  ],
  services: { agentKeys: createAgentKeys, deletedServers: createDeletedServers, servers: createServers },
  workers: {
    [REGROUP_KIND]: regroupWorker,
    [UNINSTALL_KIND]: uninstallWorker,
    [CLOSE_KIND]: closeWorker,
    [REMOVE_KIND]: removeWorker,
  },
  loops: [
    {
      name: "servers.links",
      everySec: 1,
      on: "every-node",
      run: async (_now, cradle) => cradle.servers.tick(),
      isIdle: (_now, cradle) => cradle.servers.isIdle(),
    },
    {
      name: "servers.elsewhere",
      everySec: 30,
      on: "every-node",
      run: async (_now, cradle) => cradle.servers.far.ask(),
    },
    {
      name: "servers.midnight",
      everySec: 60,
      on: "every-node",
      run: async (now, cradle) => cradle.servers.forgetAtMidnight(now),
    },
    {
      name: "servers.maintenance",
      everySec: 60,
      on: "leader",
      run: (now, { servers: { maintain } }, signal) => maintain(now, signal),
    },
  ],
  maintenance: { Servers: (now, { servers: { maintain } }, signal) => maintain(now, signal, true) },
  on: {
    "definitions.changed": async ({ collection }, cradle) => {
      if (collection === "groups") await cradle.servers.regroup();
      if (collection === "plugins") cradle.servers.announcePlugins();
      if (collection === "secrets") cradle.servers.announceCommands();
    },
    // Monitor plugins may now run as other users.
    "config.changed": (_payload, cradle) => cradle.servers.announceCommands(),
    "secret_key.changed": async (_payload, cradle) => {
      await cradle.agentKeys.load();
      cradle.servers.renewTokens();
    },
    // Groups may have changed while the server was being admitted.
    "server.added": ofScalars(({ id }, cradle) => cradle.servers.regroup([id])),
    "server.updated": ofScalars(({ id }, cradle) => cradle.servers.refresh(id)),
    "server.removed": ofScalars(({ id }, cradle) => cradle.servers.departed(id)),
  },
  async start(cradle) {
    cradle.nodes.count("satellites", () => cradle.servers.active().length);
    await cradle.agentKeys.load();
    await cradle.servers.follow();
    await cradle.deletedServers.follow();
    for (const transport of cradle.agents) await transport.start(contextOf(cradle));
  },
  drain: ({ servers: registry }) => registry.handOff(),
  async stop(cradle) {
    await cradle.jobs.drain();
    cradle.servers.beginStop();
    cradle.deletedServers.unfollow();
    for (const transport of cradle.agents) await transport.stop();
    await cradle.monitors.stop();
    await cradle.servers.idle();
  },
});

type Ports = Pick<Cradle, "blobs" | "clock" | "fetch" | "files" | "ids" | "log" | "random">;
type Deps = Ports & Pick<Cradle, "handlers" | "registry" | "servers">;

function contextOf({ blobs, files, handlers, servers, registry, ...ports }: Deps): AgentTransportContext {
  const { channels } = handlers;
  const { clock, fetch, ids, log, random } = ports;
  const functions = new Map(Array.from(registry.hostEvents).flatMap(([id, { run }]) => (run ? [[id, run]] : [])));
  // Jobs get paths, as on satellites; the content of some files is stored elsewhere.
  const store = { ...blobs, get: files.get, head: files.head };
  return { receiver: servers.receiver, channels, clock, fetch, ids, log, random, functions, blobs: store };
}
