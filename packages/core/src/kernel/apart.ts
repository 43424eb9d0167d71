import { messageOf } from "../lib/message-of.ts";
import type { AuditDetail } from "./calls/context.ts";
import type { Cradle } from "./container.ts";
import { storageErrorIn } from "./errors/errors.ts";

/** A record that is processed separately from other records. */
export interface Matter {
  /** The work, as a log sentence names it: "notices". */
  readonly task: string;
  /** Kind of the record, capitalised to begin a sentence: "Route". */
  readonly noun: string;
  readonly id: string;
  /** Advice for people who can repair the record, as a sentence. */
  readonly remedy?: string;
  /** Signal of the loop that does the work: once it has aborted, an error says nothing about the record. */
  readonly signal?: AbortSignal;
}

/**
 * Isolates failures of single records: a record that cannot be processed, for example one of an older version or from an import,
 * is skipped and reported once a day in the log and the activity log, while the others continue. Failures of a store that concern
 * all records are passed on.
 */
export interface Apart {
  /** The result of the work; undefined when it failed. */
  run<T>(matter: Matter, work: () => Promise<T>): Promise<T | undefined>;
  /** The same for synchronous work, also within a transaction. */
  now<T>(matter: Matter, work: () => T): T | undefined;
  /** Processes several records together and, if that fails, each one separately. */
  together<T>(
    items: readonly T[],
    matterOf: (item: T) => Matter,
    work: (items: readonly T[]) => Promise<unknown>,
  ): Promise<void>;
  /** Writes activity rows about the skipped records. Loops call it, because the work itself may be inside a transaction. */
  note(): Promise<void>;
  /** True = no rows wait for `note`. */
  isIdle(): boolean;
}

/** A definition, which people can repair. */
export const definitionIn = (task: string, noun: string, id: string, signal?: AbortSignal): Matter => ({
  task,
  noun,
  id,
  remedy: "Save it with correct values, or delete it.",
  ...(signal ? { signal } : {}),
});

const AGAIN_SEC = 86_400;
/** Most records whose last report is remembered. */
const MAX_TOLD = 1000;

type Deps = Pick<Cradle, "clock" | "log" | "transact">;

export function createApart(deps: Deps): Apart {
  const { tell, note, isIdle } = createTelling(deps);
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
        // Separate runs show which record is at fault.
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
    isIdle,
  };
}

function createTelling({ clock, log, transact }: Deps) {
  let waiting: AuditDetail[] = [];
  /** Unix seconds of the last report about a record, oldest first. */
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
  return { tell, note, isIdle: () => waiting.length === 0 };
}
