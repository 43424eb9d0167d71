import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Server } from "../../../servers/model.ts";
import { MinuteMessage } from "../../rules/minutes/host-record.ts";
import type { MinuteMemory } from "./minute.ts";
import type { EvaluatedMinute, RunMinutes, Waiting } from "./minute-slice.ts";

/**
 * Takes the minute messages of connected servers. Per server one is processed and at most one waits
 * (docs/contract/monitors.md#intake).
 */
export interface MinuteQueue {
  joined(server: string): void;
  gone(server: string): void;
  /** Queues a message; it replaces one that is already waiting. */
  push(server: string, message: unknown, text?: Uint8Array): void;
  /** Number of malformed minute messages since the start. */
  dropped(): number;
  /** Waits for the minute of one server that is being stored. */
  settled(server: string): Promise<void>;
  /** Waits for minutes that are being processed. */
  idle(): Promise<void>;
}

interface Slot {
  readonly server: string;
  /** Undefined = it must be read back from the storage. */
  memory: MinuteMemory | undefined;
  /** Minute of the last accepted message, by the agent's clock. */
  lastMinute: number | undefined;
  /** True while its memory is being read, before its first message is processed. */
  isNew: boolean;
  /** True while a message is being processed. */
  isBusy: boolean;
  waiting: Report | undefined;
}

function openSlot(slots: Map<string, Slot>, server: string): Slot {
  const slot: Slot = {
    server,
    memory: undefined,
    lastMinute: undefined,
    isNew: true,
    isBusy: false,
    waiting: undefined,
  };
  slots.set(server, slot);
  return slot;
}

/** Keeps the memory after a job of the slot. Returns the message that waited for it, as the next job. */
function settle(slot: Slot, memory: MinuteMemory | undefined): Job[] {
  const { isNew, waiting } = slot;
  Object.assign(slot, { memory, isNew: false });
  if (isNew) return [];
  slot.waiting = undefined;
  slot.isBusy = waiting !== undefined;
  return waiting ? [{ slot, ...waiting }] : [];
}

/** A message and, if available, the JSON text of its data in UTF-8. */
interface Report {
  readonly message: MinuteMessage;
  readonly text: Uint8Array | undefined;
}

interface OfSlot {
  readonly slot: Slot;
}
/**
 * A message to process, or a server that has just connected and sent none yet. A message that did not fit into a slice
 * carries the memory that was read for it.
 */
type Job = OfSlot &
  (((Report | { readonly message?: undefined }) & { memory?: MinuteMemory | undefined }) | EvaluatedMinute);
type SliceJob = OfSlot & Waiting;

/** Most servers whose minutes share a transaction. */
const SLICE_SIZE = 128;
/** Slices that are processed concurrently: one is evaluated while the database works on the other. */
const LANES = 2;

/** The slices that are being processed, by server. */
type InWork = Map<string, Promise<unknown>>;

type Deps = Pick<Cradle, "log" | "servers">;

/** Processes minutes that arrive together in slices, and yields to other work between them. */
export function createMinuteQueue(deps: Deps, minutes: RunMinutes): MinuteQueue {
  const begin = createBegin(deps, minutes);
  const slots = new Map<string, Slot>();
  const inWork: InWork = new Map();
  let jobs: Job[] = [];
  let dropped = 0;

  const lanes = createLanes(deps.log, async () => {
    const slice = takeSlice(jobs, inWork, deps.servers.get);
    const taken = slice.map(({ slot }) => slot);
    const { done, rest } = await noted(inWork, taken, minutes.run(slice));
    // Minutes that did not fit into this slice come first in the next one.
    const left = taken.slice(done.length).flatMap((slot, at) => (rest[at] ? [{ ...rest[at], slot }] : []));
    jobs = [...left, ...jobs];
    for (const [index, memory] of done.entries()) if (taken[index]) jobs.push(...settle(taken[index], memory));
    // An empty slice with minutes left means that they wait for a server which another lane is processing.
    return taken.length > 0 && jobs.length > 0;
  });
  const work = (job: Job): void => {
    jobs.push(job);
    lanes.wake();
  };
  return {
    joined: (server) => work({ slot: openSlot(slots, server) }),
    gone: (server) => void slots.delete(server),
    push(server, raw, text) {
      const slot = slots.get(server);
      const parsed = MinuteMessage.safeParse(raw);
      if (!parsed.success) dropped += 1;
      const minute = parsed.success ? Math.floor(parsed.data.date / 60) : undefined;
      if (!slot || !parsed.success || minute === slot.lastMinute) return;
      slot.lastMinute = minute;
      const report: Report = { message: parsed.data, text };
      if (slot.isBusy) slot.waiting = report;
      else work(begin(slot, report));
      slot.isBusy = true;
    },
    dropped: () => dropped,
    settled: async (server) => void (await inWork.get(server)),
    idle: lanes.idle,
  };
}

/**
 * Evaluates a minute as soon as it arrives, if the memory of its server is loaded. Parsed samples that wait for each
 * other are promoted to the old generation, where they cost the garbage collector time to mark and move.
 */
function createBegin(deps: Deps, minutes: RunMinutes): (slot: Slot, report: Report) => Job {
  return (slot, report) => {
    const { memory } = slot;
    const server = memory && deps.servers.get(slot.server);
    return { slot, ...(memory && server ? minutes.evaluate({ ...report, server, memory }) : report) };
  };
}

interface Lanes {
  /** Starts a lane unless enough are running. */
  wake(): void;
  idle(): Promise<void>;
}

/** Runs `step` repeatedly, each time in a new turn of the event loop, until it returns false. */
function createLanes(log: Cradle["log"], step: () => Promise<boolean>): Lanes {
  const running = new Set<Promise<void>>();
  let open = 0;
  const run = async (): Promise<void> => {
    try {
      do await nextTurn();
      while (await step());
    } catch (error) {
      log.error({ error }, "A slice of minutes was lost");
    } finally {
      // Synchronously, so that a minute which arrives now does not mistake this lane for an open one.
      open -= 1;
    }
  };
  return {
    wake() {
      if (open >= LANES) return;
      open += 1;
      const lane = run().finally(() => running.delete(lane));
      running.add(lane);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Notes the servers of a slice while it is being processed. */
async function noted<T>(inWork: InWork, slots: readonly Slot[], slice: Promise<T>): Promise<T> {
  for (const { server } of slots) inWork.set(server, slice);
  try {
    return await slice;
  } finally {
    for (const { server } of slots) inWork.delete(server);
  }
}

/**
 * Takes jobs of connected servers from the front of the list, up to the first server that is already being processed:
 * the second message of a server that has just reconnected builds on the first.
 */
function takeSlice(jobs: Job[], inWork: InWork, serverOf: (id: string) => Server | undefined): SliceJob[] {
  const slice: SliceJob[] = [];
  const taken = new Set<string>();
  while (slice.length < SLICE_SIZE) {
    const [job] = jobs;
    if (!job || inWork.has(job.slot.server) || taken.has(job.slot.server)) break;
    jobs.shift();
    const server = serverOf(job.slot.server);
    if (!server) continue;
    taken.add(server.id);
    slice.push("evaluated" in job ? job : { ...job, server, memory: job.memory ?? job.slot.memory });
  }
  return slice;
}
