import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { MachinePage, ReadingsPage } from "../../rules/page.ts";
import type { Outbox, Sendable } from "./outbox.ts";

/** One open stream. */
export interface Subscriber {
  /** The caller at the opening of the stream. */
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
  /** The caller with its rights of this moment; undefined = it may not listen any more. */
  current(): Actor | undefined;
  /** The audience that it belonged to when it was last sent something. */
  audience: string | undefined;
  /** The caller's rights have changed since it was last told of changes: it may hold records that it cannot see any more. */
  isRenewed: boolean;
  /** Bytes of output that there was no room for, by job. */
  readonly leftOutBytes: Map<string, number>;
}

/** Gives up a client that reads too slowly. */
export type Send = (subscriber: Subscriber, item: Sendable) => void;

export const createSend =
  ({ log }: Pick<Cradle, "log">): Send =>
  (subscriber, item) => {
    if (subscriber.outbox.push(item) || subscriber.outbox.ended) return;
    log.info({ caller: subscriber.opened.id }, "A client that reads too slowly was given up");
    subscriber.outbox.end("now");
  };

/** Callers who see the same. Actors are kept as long as their records, so their keys are too. */
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
