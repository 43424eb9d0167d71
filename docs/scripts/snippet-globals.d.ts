/** Globals for the snippets of the guides: their imports, and the few objects of the host that they name. */
import type * as adaptersAgents from "@signalbox/adapters/agents";
import type * as adaptersLocal from "@signalbox/adapters/local-agent";
import type * as adaptersWebHook from "@signalbox/adapters/web-hook";
import type * as core from "@signalbox/core";
import type * as plugins from "@signalbox/core/plugin";
import type * as storages from "@signalbox/core/storage";
import type * as http from "@signalbox/http-hono";
import type * as sqlite from "@signalbox/storage-sqlite";
import type { Client } from "pg";
import type * as zod from "zod";

declare global {
  const createSignalbox: typeof core.createSignalbox;
  const defineEvent: typeof core.defineEvent;
  const definePlugin: typeof plugins.definePlugin;
  const createRouter: typeof http.createRouter;
  const createHandler: typeof http.createHandler;
  const trustedHeaderUser: typeof http.trustedHeaderUser;
  const behindProxies: typeof http.behindProxies;
  const localAgent: typeof adaptersLocal.localAgent;
  const wsAgents: typeof adaptersAgents.wsAgents;
  const fetchWebHookClient: typeof adaptersWebHook.fetchWebHookClient;
  const sqliteStorage: typeof sqlite.sqliteStorage;
  const z: typeof zod;

  const signalbox: ReturnType<typeof core.createSignalbox>;
  const storage: storages.Storage;
  const secretKey: string;
  const newKey: string;
  const oldKey: string;
  const filename: string;
  const client: Client;
  const order: { readonly id: string };
  const current: Uint8Array;
  const former: Uint8Array;
  function unwrap(wrapped: Uint8Array): Promise<string>;
  function removeExpiredCarts(signal: AbortSignal): Promise<number>;
}
