import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@signalbox/core";
import type { Pulse } from "../cluster/pulse.ts";
import type { Carrier } from "./carrier.ts";
import type { Mailbox } from "./mailbox.ts";
import { encode, NOTIFY, type Notification, notifyParameters } from "./messages.ts";

/** Milliseconds after a statement during which notifications wait for the next one. */
const MERGE_MS = 10;
/** Above this number, waiting notifications are sent as one gap: receivers read their data again. */
const MAX_WAITING = 1000;

interface Deps {
  readonly nodeId: string;
  readonly channel: string;
  readonly pulse: Pick<Pulse, "run">;
  readonly log: Logger;
  readonly carrier: Pick<Carrier, "polls">;
  readonly mailbox: Pick<Mailbox, "putForAll">;
}

export interface Wakes {
  /** Sends soon and in order; resolves when it is sent or sending failed, and at once after the end. */
  send(notifications: readonly Notification[]): Promise<void>;
  /** Resolves when all is sent; sends nothing afterwards, because the connection is closed next. */
  end(): Promise<void>;
}

/**
 * Sends notifications after the commit of their changes, on the connection of beats: PostgreSQL holds a single lock during the
 * flush of each durable transaction that notifies. If a notification is lost, its changes are found in the tables within a
 * second.
 */
export function createWakes({ nodeId, channel, pulse, log, carrier, mailbox }: Deps): Wakes {
  let waiting: Notification[] = [];
  let sending: Promise<void> | undefined;
  let isEnded = false;

  const speak = async (batch: readonly Notification[]): Promise<void> => {
    if (!carrier.polls) return void (await pulse.run(NOTIFY.sql, notifyParameters(channel, batch)));
    // Changes in the log and queued work are found by polling their tables.
    const told = batch.filter((one) => !one.logged && !("work" in one));
    if (told.length > 0) await mailbox.putForAll(told.map(encode));
  };
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = merged(waiting, nodeId);
      waiting = [];
      await speak(batch).catch((error: unknown) => log.warn({ error }, "Other nodes could not be told of changes"));
      await sleep(MERGE_MS, undefined, { ref: false });
    }
    sending = undefined;
  };
  return {
    async send(notifications) {
      if (isEnded) return;
      for (const one of notifications) waiting.push(one);
      // A statement may take seconds while commits continue.
      if (waiting.length > MAX_WAITING) waiting = merged(waiting, nodeId);
      sending ??= sendAll();
      await sending;
    },
    async end() {
      isEnded = true;
      await sending;
    },
  };
}

/** Merges calls for work into one for all their nodes, and too many messages into a gap. */
function merged(notifications: readonly Notification[], node: string): Notification[] {
  const calls = notifications.filter((one) => "work" in one);
  const rest = notifications.filter((one) => !("work" in one));
  const news: Notification[] = rest.length > MAX_WAITING ? [{ node, gap: true }] : rest;
  if (calls.length === 0) return news;
  const isForAll = calls.some(({ to }) => to === undefined);
  const to = [...new Set(calls.flatMap((call) => call.to ?? []))];
  return [...news, { node, work: true, ...(isForAll ? {} : { to }) }];
}
