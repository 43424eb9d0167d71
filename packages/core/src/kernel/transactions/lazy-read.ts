import { type Awaitable, andThen } from "../../lib/turns/awaitable.ts";
import type { CollectionDefinition, ReadCollection, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx, Storage } from "../../ports/storage/storage.ts";
import type { ReadTimeline } from "../../ports/storage/timeline.ts";
import { StorageError } from "../errors/errors.ts";

type Source = Pick<Storage, "read">;

/**
 * Runs `work` with a snapshot that is taken at the first read from the storage and held until `work` ends. Most reads of
 * definitions are answered from memory, so they neither take a snapshot nor queue for one; synchronous work returns
 * synchronously.
 */
export function readLazily<R>(storage: Source, work: (tx: ReadTx) => Awaitable<R>): Awaitable<R> {
  const snapshot = new LazySnapshot(storage);
  let result: Awaitable<R>;
  try {
    result = work(snapshot);
  } catch (error) {
    void snapshot.end()?.catch(() => undefined);
    throw error;
  }
  return result instanceof Promise ? finish(snapshot, result) : endWith(snapshot, result);
}

async function finish<R>(snapshot: LazySnapshot, working: Promise<R>): Promise<R> {
  let result: R;
  try {
    result = await working;
  } catch (error) {
    throw await snapshot.fail(error);
  }
  return endWith(snapshot, result);
}

function endWith<R>(snapshot: LazySnapshot, result: R): Awaitable<R> {
  return andThen(snapshot.end(), () => result);
}

/** A class, because every read creates one: as closures it was the largest allocation of a small query. */
class LazySnapshot implements ReadTx {
  readonly #storage: Source;
  #opened: Promise<ReadTx> | undefined;
  #held: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;
  #ended = false;

  constructor(storage: Source) {
    this.#storage = storage;
  }

  /** An own property, because work may destructure it from the transaction. */
  readonly collection = <T extends StoredRecord>(definition: CollectionDefinition<T>): ReadCollection<T> => {
    const collection = async (): Promise<ReadCollection<T>> => (await this.#open()).collection(definition);
    return {
      get: async (id) => (await collection()).get(id),
      getMany: async (ids) => (await collection()).getMany(ids),
      list: async () => (await collection()).list(),
      find: async (where, page) => (await collection()).find(where, page),
    };
  };

  get timeline(): ReadTimeline {
    const timeline = async (): Promise<ReadTimeline> => (await this.#open()).timeline;
    return {
      latest: async (...about) => (await timeline()).latest(...about),
      range: async (...about) => (await timeline()).range(...about),
      bounds: async (...about) => (await timeline()).bounds(...about),
    };
  }

  async counted(name: string): Promise<number> {
    return (await this.#open()).counted(name);
  }

  #open(): Promise<ReadTx> {
    if (this.#ended)
      return Promise.reject(new Error("The snapshot has ended: every read must be awaited inside the work"));
    this.#opened ??= new Promise((resolve, reject) => {
      this.#held = this.#storage.read(
        (tx) =>
          new Promise((done, fail) => {
            this.#release = done;
            this.#fail = fail;
            // The work ended without waiting for this read.
            if (this.#ended) done();
            resolve(tx);
          }),
      );
      this.#held.catch(reject);
    });
    return this.#opened;
  }

  /** Undefined when nothing was read. */
  end(): Promise<void> | undefined {
    this.#ended = true;
    this.#release?.();
    return this.#held;
  }

  /**
   * Ends the snapshot with the error of the work, and resolves to the error to throw: the storage's own if there is one, since it
   * is only known when the read ends; otherwise the error of the work, which says more than the end of the snapshot.
   */
  async fail(error: unknown): Promise<unknown> {
    this.#ended = true;
    this.#fail?.(error);
    const told: unknown = await this.#held?.catch((failure: unknown) => failure);
    return told instanceof StorageError ? told : error;
  }
}
