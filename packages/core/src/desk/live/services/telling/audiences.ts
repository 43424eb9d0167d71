import { sessionRecords } from "../../../../directory/auth/records.ts";
import { isExpired } from "../../../../directory/auth/rules/session.ts";
import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { encodeEvent } from "../../../../lib/network/event-stream.ts";
import type { Sendable } from "../streams/outbox.ts";
import { createAudienceKeys, type Subscriber } from "../streams/subscriber.ts";
import type { Command } from "./render.ts";
import { type Audience, audienceOf } from "./render.ts";

/** Subscribers that get the same messages. */
export interface Group extends Audience {
  readonly members: readonly Subscriber[];
}

/** Groups subscribers by their current rights. A subscriber that no longer has any is sent a logout, and its stream ends. */
export type Grouping = (subscribers: Iterable<Subscriber>) => readonly Group[];

export function createGrouping(): Grouping {
  const keyOf = createAudienceKeys();
  return (subscribers) => {
    const groups = new Map<string, Audience & { readonly members: Subscriber[] }>();
    for (const { subscriber, actor } of known(subscribers)) {
      const key = keyOf(actor);
      const group = groups.get(key) ?? { ...audienceOf(actor), members: [] };
      groups.set(key, group);
      group.members.push(subscriber);
      subscriber.isRenewed ||= (subscriber.audience ?? key) !== key;
      subscriber.audience = key;
    }
    return [...groups.values()];
  };
}

function known(subscribers: Iterable<Subscriber>): { readonly subscriber: Subscriber; readonly actor: Actor }[] {
  return [...subscribers].flatMap((subscriber) => {
    const actor = subscriber.outbox.ended ? undefined : subscriber.current();
    if (!actor) logOut(subscriber);
    return actor ? [{ subscriber, actor }] : [];
  });
}

function logOut({ outbox }: Subscriber): void {
  outbox.push(LOGOUT);
  outbox.end("after");
}

/** Maximum bytes that may wait for a client before it is sent no readings; the next readings replace those it misses. */
const MAX_WAITING = 65_536;

/** Whether a client reads readings as fast as they are sent. */
export const keepsUp = ({ outbox }: Subscriber): boolean => outbox.waitingBytes <= MAX_WAITING;

/** Ends the streams of sessions that have ended or expired. */
export async function checkSessions(
  { clock, storage }: Pick<Cradle, "clock" | "storage">,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const bySession = subscribers.filter(({ opened }) => opened.session !== undefined);
  if (bySession.length === 0) return;
  const ids = bySession.map(({ opened }) => opened.session ?? "");
  const sessions = await storage.read((tx) => tx.collection(sessionRecords).getMany(ids));
  for (const [index, subscriber] of bySession.entries()) {
    const session = sessions[index];
    if (!session || isExpired(session, clock.now())) logOut(subscriber);
  }
}

export function sendable({ cmd, data }: Pick<Command, "cmd" | "data">, id?: string): Sendable {
  let frame: string | undefined;
  return {
    update: { cmd, data, ...(id === undefined ? {} : { id }) },
    bytes: encodeEvent(cmd, data, id),
    frame: () => (frame ??= JSON.stringify({ cmd, data })),
  };
}

const LOGOUT = sendable({ cmd: "logout", data: {} });
