import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@signalbox/core";
import type pg from "pg";
import type { Borrowed, Connections } from "../sessions/connections.ts";

/** `auto` tests the connections themselves. */
export type Bus = "auto" | "notify" | "poll";

/** How nodes reach each other. */
export interface Carrier {
  /**
   * True where statements of one connection may run in different sessions of the server, as behind a transaction-pooling proxy:
   * notifications do not arrive, no session holds a lock, and a setting stays with another client.
   */
  readonly polls: boolean;
  /**
   * Finds out how nodes reach each other before anything else is asked of the database; `client` is a connection outside of the
   * pool.
   */
  settle(client: pg.Client): Promise<void>;
}

/** A busy server may be late once. */
const TRIES = 2;
const HEARD_WITHIN_MS = 1000;
const POLLING = `Messages of PostgreSQL are not heard here, as behind a proxy that pools transactions: the nodes look for them. \
It is slower; give directConnectionString, or bus: "poll" to say that it is meant so`;

export function createCarrier(bus: Bus, connections: Connections, log: Logger): Carrier {
  let polls = bus === "poll";
  return {
    get polls() {
      return polls;
    },
    async settle(client) {
      if (bus === "auto" && !(await hears(client, connections))) {
        polls = true;
        log.warn({}, POLLING);
      }
      if (polls) connections.askInTurn();
    },
  };
}

/** Whether a listening connection receives a notification of another one, which works only where both are sessions. */
async function hears(client: pg.Client, { borrow }: Connections): Promise<boolean> {
  const channel = `signalbox_${randomBytes(12).toString("hex")}`;
  const heard = new AbortController();
  client.on("notification", (said) => said.channel === channel && heard.abort());
  await client.query(`listen ${channel}`);
  const speaker = await borrow();
  for (let tries = 0; tries < TRIES && !heard.signal.aborted; tries++) {
    await speak(speaker, channel);
    // The notification aborts the pause: that is no error.
    await sleep(HEARD_WITHIN_MS, undefined, { signal: heard.signal }).catch(() => undefined);
  }
  // This connection was opened before the outcome was known; it is closed if nothing was heard.
  speaker.release(!heard.signal.aborted);
  return heard.signal.aborted;
}

async function speak({ client, release }: Borrowed, channel: string): Promise<void> {
  try {
    await client.query("select pg_notify($1, '')", [channel]);
  } catch (error) {
    release(true);
    throw error;
  }
}
