import type { Actor } from "../../../kernel/context.ts";
import type { Outbox } from "./outbox.ts";

/** One open stream. */
export interface Subscriber {
  /** As the caller was when the stream was opened. */
  readonly opened: Actor;
  /** Where in the pages the caller is. */
  readonly loc: string | undefined;
  readonly outbox: Outbox;
  /** The caller with its rights of this moment; undefined = it may not listen any more. */
  current(): Actor | undefined;
  /** The audience that it belonged to when it was last sent something. */
  audience: string | undefined;
}

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
