import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import type { Server } from "../../../servers/model.ts";
import { minuteRecords } from "../../../servers/records.ts";
import type { PreviousMinute } from "../../rules/readings/evaluate.ts";
import type { CompiledMonitors } from "../compiled.ts";
import { timelineWriter } from "../timeline/timeline-writer.ts";
import type { HostReadingStore } from "./host-readings.ts";
import { createEvaluateMinute, type Minute, type MinuteMemory, previousOf } from "./minute.ts";
import {
  createStoreMinutes,
  type KeptMinutes,
  type StoreMinutes,
  type WrittenMinute,
  writeMinute,
} from "./minute-store.ts";

/** A minute whose server has to be remembered before it can be evaluated. */
export type RawMinute = Omit<Minute, "memory"> & { readonly memory: MinuteMemory | undefined };

/**
 * A server that has just connected. It is remembered before its first minute comes, so that the minute can be evaluated as
 * it arrives: parsed samples of many servers that wait for that grow old.
 */
export interface NewServer {
  readonly server: Server;
  readonly memory: MinuteMemory | undefined;
  readonly message?: undefined;
}

export type Waiting = RawMinute | EvaluatedMinute | NewServer;

/** Results of the first minutes of a slice, and the minutes for which there was no time. */
export interface Slice {
  /** Values to remember of each, in their order; undefined = nothing is known. */
  readonly done: readonly (MinuteMemory | undefined)[];
  readonly rest: readonly Waiting[];
}

/** Neither throws: failures are logged, and a minute that cannot be evaluated or stored takes no other one with it. */
export interface RunMinutes {
  /** The server's remembered values must be at hand; of the sample nothing is kept. */
  evaluate(minute: Minute): EvaluatedMinute;
  /**
   * Evaluates, where that is not done, and stores minutes of different servers together, as many from the front as fit
   * into the time of a slice. Takes them out of the list, so that samples that are read already are held no longer.
   */
  run(minutes: Waiting[]): Promise<Slice>;
}

/** Evaluating one slice may take so long; storing it takes about as long again. Milliseconds. */
const SLICE_MS = 5;

/** A minute after its evaluation: the records to store, or the values to remember of one that is not stored. */
type Evaluated = { readonly write: WrittenMinute } | { readonly memory: MinuteMemory | undefined };

export interface EvaluatedMinute {
  readonly evaluated: Evaluated;
}

/** Notes that a minute could not be stored. */
type Lose = (server: string, error: unknown) => undefined;

interface Stores extends KeptMinutes {
  readonly hostReadings: Pick<HostReadingStore, "added">;
}

type Deps = Pick<Cradle, "activity" | "alerts" | "clock" | "log" | "nodes" | "servers" | "snapshot" | "transact">;

export function createRunMinutes(
  deps: Deps,
  compiled: CompiledMonitors,
  { hostReadings, ...kept }: Stores,
): RunMinutes {
  const { log } = deps;
  const evaluate = createEvaluateMinute(deps, compiled, hostReadings);
  const lose: Lose = (server, error) => {
    // The stored state is unknown now, so the next minute reads it back.
    log.error({ server, error }, "The minute of a server could not be stored");
    return undefined;
  };
  const storeAll = createStoreAll(createStoreMinutes(deps, kept), deps, lose);
  const remember = createRemember(deps, lose);

  const evaluateOne = (minute: Minute): Evaluated => {
    try {
      const read = evaluate(minute);
      return read ? { write: writeMinute(read) } : { memory: minute.memory };
    } catch (error) {
      return { memory: lose(minute.server.id, error) };
    }
  };
  return {
    evaluate: (minute) => ({ evaluated: evaluateOne(minute) }),
    async run(waiting) {
      const minutes = await remember(waiting.splice(0));
      const evaluated = evaluateFirst(minutes, evaluateOne, deps);
      const memories = await storeAll(evaluated.flatMap((each) => ("write" in each ? [each.write] : [])));
      let next = 0;
      return { done: evaluated.map((each) => ("write" in each ? memories[next++] : each.memory)), rest: minutes };
    },
  };
}

/** Takes minutes off the list: at least one, and all when there is time. */
function evaluateFirst(
  minutes: (Minute | EvaluatedMinute)[],
  evaluate: (minute: Minute) => Evaluated,
  { clock }: Pick<Deps, "clock">,
): Evaluated[] {
  const deadlineMs = clock.monotonicMs() + SLICE_MS;
  const evaluated: Evaluated[] = [];
  for (let minute = minutes.shift(); minute; minute = minutes.shift()) {
    evaluated.push("evaluated" in minute ? minute.evaluated : evaluate(minute));
    if (clock.monotonicMs() >= deadlineMs) break;
  }
  return evaluated;
}

type StoreAll = (minutes: readonly WrittenMinute[]) => Promise<(MinuteMemory | undefined)[]>;

/** Stores minutes together or, when that fails, each for itself. */
function createStoreAll(store: StoreMinutes, cradle: Pick<Cradle, "snapshot">, lose: Lose): StoreAll {
  const storeAlone = async (minute: WrittenMinute): Promise<MinuteMemory | undefined> => {
    const { server, record, sampled, memory } = minute;
    try {
      // The transaction of the slice may have been committed although it failed for us.
      const head = await cradle.snapshot((tx) => timelineWriter.head(tx, server.id));
      if (sampled && timelineWriter.refusal(head, record.date)) return undefined;
      const [next] = await store([{ ...minute, memory: { ...memory, head } }]);
      return next;
    } catch (error) {
      return lose(server.id, error);
    }
  };
  return async (minutes) => {
    try {
      return minutes.length > 0 ? await store(minutes) : [];
    } catch {
      // The faulty minute shows, and is logged, when each has a transaction of its own.
      const memories: (MinuteMemory | undefined)[] = [];
      for (const minute of minutes) memories.push(await storeAlone(minute));
      return memories;
    }
  };
}

type Remember = (waiting: readonly Waiting[]) => Promise<(Minute | EvaluatedMinute)[]>;

/** Reads back values that are not remembered; a minute for which that fails is lost, and a new server has not begun. */
function createRemember({ snapshot }: Pick<Cradle, "snapshot">, lose: Lose): Remember {
  const readBack = async (unknown: readonly (RawMinute | NewServer)[]): Promise<ReadonlyMap<string, MinuteMemory>> => {
    const servers = unknown.map(({ server }) => server.id);
    try {
      return servers.length > 0 ? await snapshot((tx) => readMemories(tx, servers)) : new Map();
    } catch (error) {
      for (const { server, message } of unknown) if (message) lose(server.id, error);
      return new Map();
    }
  };
  return async (waiting) => {
    const unknown = waiting.flatMap((minute) => ("evaluated" in minute || minute.memory ? [] : [minute]));
    const known = await readBack(unknown);
    return waiting.map((minute) => {
      if ("evaluated" in minute) return minute;
      const memory = minute.memory ?? known.get(minute.server.id);
      return memory && minute.message ? { ...minute, memory } : { evaluated: { memory } };
    });
  };
}

async function readMemories(tx: ReadTx, servers: readonly string[]): Promise<ReadonlyMap<string, MinuteMemory>> {
  const records = await tx.collection(minuteRecords).getMany(servers);
  const known = new Map<string, MinuteMemory>();
  for (const [index, id] of servers.entries()) {
    const head = await timelineWriter.head(tx, id);
    const stored = previousOf(records[index]);
    // A new server has no minute that could say more.
    const previous = head.minute === undefined ? stored : await readPrevious(tx, id, stored);
    known.set(id, { previous, head, savedAt: undefined });
  }
  return known;
}

/** The stored record may be minutes old; the numbers of the newest minute are in the timeline. */
async function readPrevious(
  tx: ReadTx,
  server: string,
  stored: PreviousMinute | undefined,
): Promise<PreviousMinute | undefined> {
  const [newest] = await tx.timeline.latest({ server, system: "hourly" }, 1);
  if (!newest || (stored && stored.date >= newest.date)) return stored;
  // A server reports at the same second of each minute.
  return { date: newest.date + ((stored?.date ?? 0) % 60), monitors: newest.totals };
}
