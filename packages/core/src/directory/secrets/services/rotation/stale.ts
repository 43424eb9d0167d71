import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { afterId, allOf, equal, type SearchNode } from "../../../../search/ast.ts";
import { payloadCollection } from "../../collection.ts";
import type { SecretPayload } from "../../model.ts";
import type { KeyRing } from "../keys/key-ring.ts";

/** Records that the current key did not seal. */
export interface StaleSecrets {
  /** The next few with an id after `after` that were not given up; `last` is undefined when there are no more. */
  next(tx: ReadTx, after?: string): Promise<StaleBatch>;
  count(tx: ReadTx): Promise<number>;
  /** Gives up a record that no key opens: it is not retried until it changes or the engine restarts. */
  giveUp(payload: SecretPayload): void;
  /** Ids of records that were given up. */
  givenUp(): readonly string[];
}

export interface StaleBatch {
  readonly todo: readonly SecretPayload[];
  /** Id after which the next batch begins. */
  readonly last: string | undefined;
}

/** Number of records per transaction. */
const BATCH = 20;

export function createStaleSecrets({ keyRing }: { readonly keyRing: KeyRing }): StaleSecrets {
  /** Salts by id: a changed record has a new salt. */
  const givenUp = new Map<string, string>();
  const isStale = (): SearchNode => ({ kind: "not", node: equal("fp", keyRing.current()) });

  async function pageAfter(tx: ReadTx, after: string): Promise<SecretPayload[]> {
    const where = allOf([isStale(), afterId(after)]);
    return (await tx.collection(payloadCollection).find(where, { sortBy: "id", limit: BATCH })).rows;
  }

  return {
    async next(tx, after = "") {
      for (let from = after; ; ) {
        const page = await pageAfter(tx, from);
        const last = page.at(-1)?.id;
        const todo = page.filter(({ id, salt }) => givenUp.get(id) !== salt);
        if (last === undefined || todo.length > 0) return { todo, last };
        from = last;
      }
    },
    count: async (tx) => (await tx.collection(payloadCollection).find(isStale(), { limit: 0 })).total,
    giveUp: ({ id, salt }) => void givenUp.set(id, salt),
    givenUp: () => [...givenUp.keys()],
  };
}
