import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Server } from "../../../servers/model.ts";
import { MinuteMessage } from "../../rules/minutes/host-record.ts";
import type { MinuteMemory } from "./minute.ts";
import type { EvaluatedMinute, RunMinutes, Waiting } from "./minute-slice.ts";

/**
 * Takes the minute messages of connected servers: per server one is in work and at most one waits
 * (docs/contract/monitors.md#intake).
 */
export interface MinuteQueue {
  joined(server: string): void;
  gone(server: string): void;
  /** A message that finds another one waiting replaces it. */
  push(server: string, message: unknown, text?: Uint8Array): void;
  /** Messages that were no minute messages, since the start. */
  dropped(): number;
  /** Waits for minutes in work. */
  idle(): Promise<void>;
}

interface Slot {
  readonly server: string;
  /** Undefined = it has to be read back. */
  memory: MinuteMemory | undefined;
  /** Minute of the last accepted message by the agent's clock. */
  lastMinute: number | undefined;
  /** Its memory is read, before any message of it is in work. */
  isNew: boolean;
  /** A message is in work. */
  isBusy: boolean;
  waiting: Report | undefined;
}

function openSlot(slots: Map<string, Slot>, server: string): Slot {
  const slot: Slot = {
    ...{ server, memory: undefined, lastMinute: undefined },
    ...{ isNew: true, isBusy: false, waiting: undefined },
  };
  slots.set(server, slot);
  return slot;
}

/** A message and, where it is at hand, the JSON text of its data in UTF-8. */
interface Report {
  readonly message: MinuteMessage;
  readonly text: Uint8Array | undefined;
}

interface OfSlot {
  readonly slot: Slot;
}
/**
 * A message in work, or a server that has just connected and has sent none; one that found no time in a slice brings along
 * the memory that was read for it.
 */
type Job = OfSlot &
  (((Report | { readonly message?: undefined }) & { memory?: MinuteMemory | undefined }) | EvaluatedMinute);
type SliceJob = OfSlot & Waiting;

/** Servers whose minutes share a transaction. */
const SLICE_SIZE = 128;
/** Slices in work at a time: one is evaluated while the database is busy with another. */
const LANES = 2;

type Deps = Pick<Cradle, "log" | "servers">;

/** Minutes that arrive together are worked on in slices; between two of them others get their turn of the loop. */
export function createMinuteQueue(deps: Deps, minutes: RunMinutes): MinuteQueue {
  const begin = createBegin(deps, minutes);
  const slots = new Map<string, Slot>();
  const inWork = new Set<string>();
  let jobs: Job[] = [];
  let dropped = 0;

  const settle = (slot: Slot, memory: MinuteMemory | undefined): void => {
    const { isNew, waiting } = slot;
    Object.assign(slot, { memory, isNew: false });
    if (isNew) return;
    slot.waiting = undefined;
    slot.isBusy = waiting !== undefined;
    if (waiting) jobs.push({ slot, ...waiting });
  };
  const lanes = createLanes(deps.log, async () => {
    const slice = takeSlice(jobs, inWork, deps.servers.get);
    const taken = slice.map(({ slot }) => slot);
    const { done, rest } = await minutes.run(slice);
    for (const { server } of taken) inWork.delete(server);
    // Minutes that did not fit into the time of this slice come first in the next one.
    const left = taken.slice(done.length).flatMap((slot, at) => (rest[at] ? [{ ...rest[at], slot }] : []));
    jobs = [...left, ...jobs];
    for (const [index, memory] of done.entries()) if (taken[index]) settle(taken[index], memory);
    // Minutes left when a slice is empty wait for a server that another lane has in work.
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
    idle: lanes.idle,
  };
}

/**
 * Evaluates a minute as it arrives, when the memory of its server is at hand. Parsed samples that wait for each
 * other grow old before they are used, and make the collector of garbage move and mark them.
 */
function createBegin(deps: Deps, minutes: RunMinutes): (slot: Slot, report: Report) => Job {
  return (slot, report) => {
    const { memory } = slot;
    const server = memory && deps.servers.get(slot.server);
    return { slot, ...(memory && server ? minutes.evaluate({ ...report, server, memory }) : report) };
  };
}

interface Lanes {
  /** Opens a lane unless enough are open. */
  wake(): void;
  idle(): Promise<void>;
}

/**
 * Runs `step` again and again, each time in a turn of its own, until it says that there is nothing left for this lane.
 */
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
      // Before anything else runs: a minute that comes now must not take this lane for an open one.
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

/**
 * Takes the first jobs of connected servers out of the list, each server once and none that is in work: the second
 * message of one that has just connected anew builds on the first.
 */
function takeSlice(jobs: Job[], inWork: Set<string>, serverOf: (id: string) => Server | undefined): SliceJob[] {
  const slice: SliceJob[] = [];
  while (slice.length < SLICE_SIZE) {
    const [job] = jobs;
    if (!job || inWork.has(job.slot.server)) break;
    jobs.shift();
    const server = serverOf(job.slot.server);
    if (!server) continue;
    inWork.add(server.id);
    slice.push("evaluated" in job ? job : { ...job, server, memory: job.memory ?? job.slot.memory });
  }
  return slice;
}
