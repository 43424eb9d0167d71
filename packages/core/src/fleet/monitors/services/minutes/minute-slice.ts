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

/** A minute that may need its server's memory read back before it can be evaluated. */
export type RawMinute = Omit<Minute, "memory"> & { readonly memory: MinuteMemory | undefined };

/**
 * A server that has just connected. Its memory is read before its first minute comes, so that the minute can be
 * evaluated on arrival: parsed samples of many servers that wait for it would burden the garbage collector.
 */
export interface NewServer {
  readonly server: Server;
  readonly memory: MinuteMemory | undefined;
  readonly message?: undefined;
}

export type Waiting = RawMinute | EvaluatedMinute | NewServer;

/** Results for the first minutes of a slice, and the minutes that did not fit. */
export interface Slice {
  /** New memory of each server, in order; undefined = unknown. */
  readonly done: readonly (MinuteMemory | undefined)[];
  readonly rest: readonly Waiting[];
}

/**
 * Neither function throws: failures are logged, and a minute that cannot be evaluated or stored does not affect others.
 */
export interface RunMinutes {
  /** Evaluates a minute whose server's memory is loaded. Does not retain the sample. */
  evaluate(minute: Minute): EvaluatedMinute;
  /**
   * Stores minutes of different servers together, and first evaluates those that are not evaluated yet: as many from
   * the front as fit into the time of a slice. Removes them from the list, so that processed samples can be collected.
   */
  run(minutes: Waiting[]): Promise<Slice>;
}

/** Milliseconds for evaluating one slice; storing it takes about as long again. */
const SLICE_MS = 5;

/** An evaluated minute: the records to store, or the memory to keep if nothing is stored. */
type Evaluated = { readonly write: WrittenMinute } | { readonly memory: MinuteMemory | undefined };

export interface EvaluatedMinute {
  readonly evaluated: Evaluated;
}

/** Logs that a minute could not be stored. */
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
    // The stored state is now unknown, so the next minute reads it back.
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

/** Evaluates minutes from the front of the list until the time is up, but at least one. */
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

/** Stores minutes together, or one by one if that fails. */
function createStoreAll(store: StoreMinutes, cradle: Pick<Cradle, "snapshot">, lose: Lose): StoreMinutes {
  const storeAlone = async (minute: WrittenMinute): Promise<MinuteMemory | undefined> => {
    const { server, record, sampled, memory, isLate } = minute;
    try {
      // The transaction of the slice may have been committed although it reported a failure.
      const head = await cradle.snapshot((tx) => timelineWriter.head(tx, server.id));
      if (sampled && !isLate && timelineWriter.refusal(head, record.date)) return undefined;
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
      // One transaction each, so that the faulty minute shows and is logged.
      const memories: (MinuteMemory | undefined)[] = [];
      for (const minute of minutes) memories.push(await storeAlone(minute));
      return memories;
    }
  };
}

type Remember = (waiting: readonly Waiting[]) => Promise<(Minute | EvaluatedMinute)[]>;

/** Reads back missing memories. If that fails, the minute is lost, and a new server counts as not begun. */
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
    // A server without a timeline has no minute that could be newer.
    const previous = head.minute === undefined ? stored : await readPrevious(tx, id, stored);
    known.set(id, { previous, head, savedAt: undefined });
  }
  return known;
}

/** The stored record may be minutes old; the timeline has the numbers of the newest minute. */
async function readPrevious(
  tx: ReadTx,
  server: string,
  stored: PreviousMinute | undefined,
): Promise<PreviousMinute | undefined> {
  const [newest] = await tx.timeline.latest({ server, system: "hourly" }, 1);
  if (!newest || (stored && stored.date >= newest.date)) return stored;
  // A server reports at the same second of every minute.
  return { date: newest.date + ((stored?.date ?? 0) % 60), monitors: newest.totals };
}
