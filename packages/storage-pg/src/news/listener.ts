import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@signalbox/core";
import type pg from "pg";
import { type Letters, nodeChannel } from "../cluster/letters.ts";
import type { Connections } from "../sessions/connections.ts";
import { hangUp, inTime } from "../sessions/silent.ts";
import { channelOf } from "./messages.ts";
import type { Subscribers } from "./subscribers.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

export interface Listener {
  /** Resolves when the node listens. */
  start(): Promise<void>;
  /** Reconnects when the server does not answer on this connection: notifications may not arrive any more. */
  check(): void;
  stop(): Promise<void>;
}

interface ListenerDeps {
  readonly connections: Connections;
  readonly schema: string;
  readonly nodeId: string;
  readonly log: Logger;
}

interface Receivers {
  readonly subscribers: Subscribers;
  readonly letters: Pick<Letters, "deliver">;
}

/** Opens a connection that listens for messages to all nodes and to this one. */
async function listenAlone({ connections, schema, nodeId }: ListenerDeps, { subscribers, letters }: Receivers) {
  const client = await connections.connectAlone("listen");
  const own = nodeChannel(schema, nodeId);
  client.on("notification", ({ channel, payload }) => {
    if (channel === own) letters.deliver(payload);
    else subscribers.deliver(payload);
  });
  try {
    await inTime(client, client.query(`listen "${channelOf(schema)}"; listen "${own}"`));
  } catch (error) {
    await hangUp(client);
    throw error;
  }
  return client;
}

/** One LISTEN connection for the node. Replaces a lost connection, and tells subscribers when they may have missed something. */
export function createListener(deps: ListenerDeps, receivers: Receivers): Listener {
  const { log } = deps;
  const stopping = new AbortController();
  let client: pg.Client | undefined;

  const connect = async (): Promise<void> => {
    const next = await listenAlone(deps, receivers);
    if (stopping.signal.aborted) return hangUp(next);
    client = next;
    next.once("end", () => {
      if (!stopping.signal.aborted) reconnect().catch((error: unknown) => log.error({ error }, "Listening ended"));
    });
  };
  const reconnect = async (): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        await connect();
        return receivers.subscribers.gap();
      } catch (error) {
        log.warn({ error }, "Cannot listen for messages of other nodes; trying again");
      }
      // Stopping aborts the pause: that is no error.
      await sleep(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    start: connect,
    check() {
      // If this ends the connection, the loop opens the next one.
      if (client) inTime(client, client.query("select 1")).catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      if (client) await hangUp(client);
    },
  };
}
