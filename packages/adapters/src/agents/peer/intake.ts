import type { Clock } from "@signalbox/core/adapter";
import { type Arrivals, createSlices } from "../entrance/slices.ts";
import type { Limits } from "../options.ts";
import { createGather, type Gather } from "./gather.ts";

/** Queues of messages that have arrived but are not handled yet. */
export interface Intake {
  /** Opens the queue of one socket. */
  open(ends: InletEnds): Inlet;
  /** Runs a task other than a message, such as opening a socket; tasks take turns with messages. */
  run(task: () => void): void;
  /** Resolves when everything that waited has been handled. */
  idle(): Promise<void>;
}

/** The queue of one socket. */
export interface Inlet {
  push(frame: Buffer): void;
  /** Accepts no more frames; `ended` is called once the waiting ones are handled. */
  finish(): void;
  /** Drops waiting and later messages. */
  drop(): void;
}

interface InletEnds {
  /** Must not throw. */
  readonly handle: (frame: Buffer) => void;
  /** Called when the queue becomes full, and when it has room again. */
  readonly setFull: (isFull: boolean) => void;
  readonly ended: () => void;
}

interface Queue extends InletEnds {
  readonly frames: Buffer[];
  bytes: number;
  isFull: boolean;
  isFinished: boolean;
  isDropped: boolean;
}

type IntakeLimits = Pick<Limits, "maxQueued" | "maxQueuedBytes">;

const QUICK = Buffer.from('{"cmd":"quickmon"');
const isQuick = (frame: Buffer): boolean => frame.subarray(0, QUICK.length).equals(QUICK);
const MINUTE = Buffer.from('{"cmd":"monitor"');
const isMinute = (frame: Buffer): boolean => frame.subarray(0, MINUTE.length).equals(MINUTE);
/**
 * Batches minutes. In a quiet fleet they come one by one, and each alone would cost a flush to the disk: 1.2 ms of
 * processor time. Stored together, the minutes of a tenth of a second cost a third of that each. Any other message of a
 * satellite is handled at once, together with its waiting minute.
 */
const MINUTES_TOGETHER = { ms: 100, size: 16 };

interface Context {
  readonly limits: IntakeLimits;
  /** Non-empty queues, in the order of their turns. */
  readonly ready: Set<Queue>;
  /** Queues that hold only a minute. */
  readonly minutes: Gather<Queue>;
  readonly tasks: Set<() => void>;
  /** Bytes in all queues. */
  bytes: number;
  isTasksTurn: boolean;
}

/**
 * Hands messages on round-robin, one socket at a time, so that the busiest sender waits longest. It works in slices of
 * time, so that thousands that come at once do not block the host (docs/contract/satellites.md#bounds).
 */
export function createIntake(clock: Clock, limits: IntakeLimits, arrivals: Arrivals): Intake {
  const ready = new Set<Queue>();
  const wake = createSlices(clock, arrivals, () => next(context));
  const minutes = createGather<Queue>(clock, {
    ...MINUTES_TOGETHER,
    release(queues) {
      for (const queue of queues) ready.add(queue);
      wake();
    },
  });
  const context: Context = { limits, ready, minutes, tasks: new Set(), bytes: 0, isTasksTurn: false };
  return {
    open(ends) {
      const queue: Queue = { ...ends, frames: [], bytes: 0, isFull: false, isFinished: false, isDropped: false };
      return {
        push(frame) {
          if (!isTaken(context, queue, frame)) return;
          put(context, queue, frame);
          wake();
        },
        finish() {
          queue.isFinished = true;
          if (queue.frames.length === 0) end(queue);
        },
        drop: () => drop(context, queue),
      };
    },
    run(task) {
      context.tasks.add(task);
      wake();
    },
    async idle() {
      minutes.flush();
      while (ready.size > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Tasks and messages take turns. */
function next(context: Context): (() => void) | undefined {
  const { ready, tasks } = context;
  context.isTasksTurn = !context.isTasksTurn;
  const [task] = tasks;
  const [queue] = ready;
  if (task && (context.isTasksTurn || !queue)) {
    tasks.delete(task);
    return task;
  }
  if (!queue) return undefined;
  ready.delete(queue);
  return () => handleOne(context, queue);
}

function handleOne(context: Context, queue: Queue): void {
  const frame = queue.frames.shift();
  if (frame) {
    release(context, queue, frame.length);
    queue.handle(frame);
  }
  if (queue.frames.length > 0) context.ready.add(queue);
  else if (queue.isFinished) end(queue);
}

const isTaken = ({ limits }: Context, { frames, isDropped, isFinished }: Queue, frame: Buffer): boolean =>
  !isDropped && !isFinished && !(frames.length >= limits.maxQueued / 2 && isQuick(frame));

function put(context: Context, queue: Queue, frame: Buffer): void {
  const { limits, minutes, ready } = context;
  queue.frames.push(frame);
  queue.bytes += frame.length;
  context.bytes += frame.length;
  if (queue.frames.length === 1 && isMinute(frame)) minutes.add(queue);
  else {
    minutes.delete(queue);
    ready.add(queue);
  }
  if (queue.isFull || (queue.frames.length < limits.maxQueued && context.bytes <= limits.maxQueuedBytes)) return;
  queue.isFull = true;
  queue.setFull(true);
}

function release(context: Context, queue: Queue, bytes: number): void {
  queue.bytes -= bytes;
  context.bytes -= bytes;
  if (!queue.isFull || queue.frames.length > context.limits.maxQueued / 4) return;
  queue.isFull = false;
  queue.setFull(false);
}

function drop(context: Context, queue: Queue): void {
  queue.isDropped = true;
  context.bytes -= queue.bytes;
  queue.bytes = 0;
  queue.frames.length = 0;
  context.ready.delete(queue);
  context.minutes.delete(queue);
}

/** Calls `ended`, only once. */
function end(queue: Queue): void {
  if (queue.isDropped) return;
  queue.isDropped = true;
  queue.ended();
}
