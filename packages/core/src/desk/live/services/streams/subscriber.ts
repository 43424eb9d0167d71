import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { MachinePage, ReadingsPage } from "../../rules/page.ts";
import type { Outbox, Sendable } from "./outbox.ts";

/** One open stream. */
export interface Subscriber {
  /** The caller when the stream was opened. */
  readonly opened: Actor;
  /** Pages that the caller looks at. */
  pages: readonly string[];
  /** Jobs whose pages are among them. */
  jobs: readonly string[];
  /** Pages of servers and groups among them. */
  machines: readonly MachinePage[];
  /** Pages of readings among them. */
  readings: readonly ReadingsPage[];
  readonly outbox: Outbox;
  /** The caller with its current rights; undefined = it may no longer listen. */
  current(): Actor | undefined;
  /** The audience that it belonged to when something was last sent to it. */
  audience: string | undefined;
  /** The caller's rights have changed since changes were last sent to it, so it may hold records that it can no longer see. */
  isRenewed: boolean;
  /** Bytes of output that were left out for lack of room, by job. */
  readonly leftOutBytes: Map<string, number>;
}

/** Sends a message, and drops a client that reads too slowly. */
export type Send = (subscriber: Subscriber, item: Sendable) => void;

export const createSend =
  ({ log }: Pick<Cradle, "log">): Send =>
  (subscriber, item) => {
    if (subscriber.outbox.push(item) || subscriber.outbox.ended) return;
    log.info({ caller: subscriber.opened.id }, "A client that reads too slowly was given up");
    subscriber.outbox.end("now");
  };

/** Keys of audiences: callers with the same key see the same. Cached by actor, which lives as long as its record. */
export function createAudienceKeys(): (actor: Actor) => string {
  const known = new WeakMap<Actor, string>();
  return (actor) => {
    const found = known.get(actor);
    if (found !== undefined) return found;
    const key = JSON.stringify([Object.keys(actor.privileges).sort(), actor.categories, actor.groups]);
    known.set(actor, key);
    return key;
  };
}
