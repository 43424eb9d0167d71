import { parentPort } from "node:worker_threads";
import type { EventRun } from "@signalbox/core";

type Run<Params = Record<string, unknown>> = EventRun<Params>;

export const name = "not a function";

/** Logs and returns all of its arguments. */
export function run({ params, data, secrets, input, job, files, log, progress, tag }: Run): unknown {
  log("first");
  log("second\n");
  progress(0.5, "Half way");
  tag("nightly", "big");
  return { params, data, secrets, input, job, files: files.input, when: new Date(0), skip: undefined };
}

/** Uses the clock, random numbers and `fetch` of its argument. */
export async function live({ clock, random, fetch }: Run): Promise<unknown> {
  const began = clock.monotonicMs();
  await new Promise<void>((resolve) => void clock.after(20, resolve));
  const { status } = await fetch("data:,hello");
  const took = clock.monotonicMs() - began;
  return { now: clock.now(), took, bytes: random.bytes(8).length, chance: random.fraction(), status };
}

/** Computes without a pause, for `ms` milliseconds. */
export function burn({ params }: Run<{ ms: number }>): unknown {
  const end = performance.now() + params.ms;
  let turns = 0;
  while (performance.now() < end) turns += 1;
  return { turns };
}

/** Computes until its signal aborts, which it can learn only when it sends a message. */
export function heed({ signal, progress, log }: Run): unknown {
  log("started");
  while (!signal.aborted) progress(Math.random());
  log(`Heard: ${signal.reason.message}`);
  throw signal.reason;
}

export function deaf({ log }: Run): never {
  log("deaf");
  for (;;);
}

/** Blocks its thread without using the processor. */
export function numb(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

export async function wait({ signal, log }: Run): Promise<never> {
  log("waiting");
  signal.throwIfAborted();
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

export const fail = (): never => {
  throw Object.assign(new Error("No disk"), { code: "ENOSPC" });
};

export const plain = (): never => {
  throw "plain";
};

export const circular = (): unknown => {
  const a: Record<string, unknown> = {};
  a["a"] = a;
  return a;
};

export const large = (): unknown => ({ text: "x".repeat(5 * 1_048_576) });

export function leave(): void {
  process.exit(3);
}

/** Throws outside its own promise. */
export const stumble = (): Promise<never> =>
  new Promise(() =>
    setImmediate(() => {
      throw new Error("Beside the point");
    }),
  );

export function fill(): unknown {
  const kept: number[][] = [];
  for (;;) kept.push(new Array(100_000).fill(kept.length + 0.5));
}

let count = 0;
/** Counts calls in this thread; a number that repeats means another thread. */
export function number(): unknown {
  count += 1;
  return { count };
}

/** Sends messages after it has ended. */
export function echo({ log, progress }: Run): void {
  setTimeout(() => {
    log("too late");
    progress(0.9);
  }, 20);
}

export function chatter({ log, params }: Run<{ lines: number }>): void {
  for (let line = 0; line < params.lines; line++) log(`${line} ${"x".repeat(1000)}`);
}

export async function copy({ files }: Run): Promise<unknown> {
  await files.write("copy of it.bin", files.read("in.bin"));
  await files.write("text.txt", "Grüße");
  await files.write("bytes.bin", new Uint8Array([1, 2, 3]));
  return {};
}

export const keep = ({ files }: Run): Promise<void> => files.write("text.txt", "text");

export async function missing({ files }: Run): Promise<void> {
  for await (const _piece of files.read("nothing.bin"));
}

export async function broken({ files }: Run): Promise<void> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array([1]);
    throw new Error("The source broke");
  }
  await files.write("half.bin", pieces());
}

/** Leaves a file open. */
export function forget({ files }: Run): void {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array([1]);
    await new Promise(() => undefined);
  }
  files.write("half.bin", pieces()).catch(() => undefined);
}

/** Sends messages of its own on the port of its thread, as some libraries do in every worker. */
export async function posts(): Promise<object> {
  for (const message of [null, undefined, "text", 5, {}, { kind: "log" }, { kind: "done", call: 1, data: "{" }])
    parentPort?.postMessage(message);
  return { posted: true };
}
