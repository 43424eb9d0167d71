import { messageOf } from "../lib/message-of.ts";
import type { AuditDetail } from "./calls/context.ts";
import type { Cradle } from "./container.ts";
import { storageErrorIn } from "./errors/errors.ts";

/** A record that is worked on beside others. */
export interface Matter {
  /** The work, as a sentence names it: "notices". */
  readonly task: string;
  /** Kind of the record, as a sentence begins with it: "Route". */
  readonly noun: string;
  readonly id: string;
  /** A sentence for people who can mend the record. */
  readonly remedy?: string;
  /** Of the loop that works: the error of a round that was ended says nothing about a record. */
  readonly signal?: AbortSignal;
}

/**
 * Works on each of many records by itself: a record that cannot be handled, as one of an older version or of an import may be,
 * is left out and told of once a day, in the log and in the activity log, and the others go on. Failures of a store that are
 * about all records are passed on.
 */
export interface Apart {
  /** The result of the work; undefined when it has failed. */
  run<T>(matter: Matter, work: () => Promise<T>): Promise<T | undefined>;
  /** The same for work that is done at once, also within a transaction. */
  now<T>(matter: Matter, work: () => T): T | undefined;
  /** Works on several together and, where that fails, on each by itself. */
  together<T>(
    items: readonly T[],
    matterOf: (item: T) => Matter,
    work: (items: readonly T[]) => Promise<unknown>,
  ): Promise<void>;
  /** Writes rows about the records that were left out; for a loop, since the work may be within a transaction. */
  note(): Promise<void>;
}

/** A definition, which people can mend. */
export const definitionIn = (task: string, noun: string, id: string, signal?: AbortSignal): Matter => ({
  ...{ task, noun, id, remedy: "Save it with correct values, or delete it." },
  ...(signal ? { signal } : {}),
});

const AGAIN_SEC = 86_400;
/** Records that are remembered as told. */
const MAX_TOLD = 1000;

type Deps = Pick<Cradle, "clock" | "log" | "transact">;

export function createApart(deps: Deps): Apart {
  const { tell, note } = createTelling(deps);
  const leaveOut = (matter: Matter, error: unknown): undefined => {
    const fault = storageErrorIn(error)?.fault;
    if (matter.signal?.aborted || (fault !== undefined && fault !== "damaged")) throw error;
    tell(matter, error);
  };
  const run: Apart["run"] = async (matter, work) => {
    try {
      return await work();
    } catch (error) {
      return leaveOut(matter, error);
    }
  };
  return {
    run,
    async together(items, matterOf, work) {
      try {
        await work(items);
      } catch {
        // The one at fault shows when each is worked on by itself.
        for (const item of items) await run(matterOf(item), () => work([item]));
      }
    },
    now(matter, work) {
      try {
        return work();
      } catch (error) {
        return leaveOut(matter, error);
      }
    },
    note,
  };
}

function createTelling({ clock, log, transact }: Deps) {
  let waiting: AuditDetail[] = [];
  /** Unix seconds of the last word about a record, the oldest first. */
  const told = new Map<string, number>();
  const tell = ({ task, noun, id, remedy }: Matter, error: unknown): void => {
    const key = `${task} ${noun} ${id}`;
    const now = clock.now();
    if (Math.abs(now - (told.get(key) ?? Number.NEGATIVE_INFINITY)) < AGAIN_SEC) return;
    told.delete(key);
    told.set(key, now);
    if (told.size > MAX_TOLD) told.delete(told.keys().next().value as string);
    const fault = messageOf(error).replace(/\.$/, "");
    const why = `${noun} ${id} was left out of ${task}, since looking at it failed: ${fault}. The others go on.`;
    const description = remedy === undefined ? why : `${why} ${remedy}`;
    log.error({ id, error }, description);
    waiting.push({ description, keywords: [id] });
  };
  const note = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const details = [...waiting];
    await transact(async ({ audit }) => {
      for (const detail of details) audit("warning", detail);
    });
    waiting = waiting.slice(details.length);
  };
  return { tell, note };
}
