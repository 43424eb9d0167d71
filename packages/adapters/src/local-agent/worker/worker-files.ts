import type { FunctionFiles } from "@signalbox/core/adapter";
import { raceAgainst } from "../race.ts";
import type { FileStep } from "./worker-messages.ts";

/** The files of one job, step by step, for a function in a worker thread. */
export interface WorkerFiles {
  /** Takes one step. Rejects with a message for the function. */
  take(file: number, step: FileStep): Promise<Uint8Array | undefined>;
  /** Called when the function is over: closes its open files and drops unfinished ones. */
  close(): void;
}

type Answer = Promise<Uint8Array | undefined>;

export function createWorkerFiles(files: FunctionFiles): WorkerFiles {
  const [inputs, outputs] = [createInputs(files), createOutputs(files)];
  return {
    async take(file, step): Answer {
      switch (step.step) {
        case "open":
          return inputs.open(file, step.filename);
        case "next":
          return inputs.next(file);
        case "close":
          return inputs.close(file);
        case "create":
          return outputs.create(file, step.filename);
        case "push":
          return outputs.push(file, step.piece);
        case "end":
          return outputs.end(file);
        case "fail":
          return outputs.fail(file, new Error(step.message));
      }
    },
    close() {
      inputs.closeAll();
      outputs.failAll(new Error("The function ended before its file"));
    },
  };
}

function createInputs(files: FunctionFiles) {
  const open = new Map<number, AsyncIterator<Uint8Array>>();
  return {
    open: (file: number, filename: string): undefined =>
      void open.set(file, files.read(filename)[Symbol.asyncIterator]()),
    async next(file: number): Answer {
      const got = await open.get(file)?.next();
      return got && !got.done ? got.value : undefined;
    },
    async close(file: number): Promise<undefined> {
      const input = open.get(file);
      open.delete(file);
      await input?.return?.();
    },
    closeAll() {
      // Nobody is left to handle an error on closing.
      for (const input of open.values()) void input.return?.().catch(() => undefined);
    },
  };
}

interface Output {
  readonly pieces: Pipe;
  readonly stored: Promise<void>;
}

function createOutputs(files: FunctionFiles) {
  const open = new Map<number, Output>();
  return {
    create(file: number, filename: string): undefined {
      const pieces = createPipe();
      const stored = files.write(filename, pieces.content);
      // The error reaches the function with its next write, or at the end.
      stored.catch((error: unknown) => pieces.fail(error));
      open.set(file, { pieces, stored });
    },
    push: async (file: number, piece: Uint8Array): Promise<undefined> =>
      void (await open.get(file)?.pieces.push(piece)),
    async end(file: number): Promise<undefined> {
      const output = open.get(file);
      open.delete(file);
      await output?.pieces.end();
      await output?.stored;
    },
    fail(file: number, error: Error): undefined {
      open.get(file)?.pieces.fail(error);
      open.delete(file);
    },
    failAll(error: Error) {
      for (const { pieces } of open.values()) pieces.fail(error);
    },
  };
}

interface Pipe {
  readonly content: AsyncIterable<Uint8Array>;
  /** Resolves when the reader asks for more. */
  push(piece: Uint8Array): Promise<void>;
  end(): Promise<void>;
  fail(error: unknown): void;
}

/** A pipe that passes one piece at a time from the writer to the reader. */
function createPipe(): Pipe {
  let wanted = Promise.withResolvers<void>();
  let next = Promise.withResolvers<Uint8Array | undefined>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const orFailed = raceAgainst(failed.promise);
  const orUnwanted = raceAgainst(failed.promise);
  async function* content(): AsyncGenerator<Uint8Array> {
    for (;;) {
      wanted.resolve();
      const piece = await orFailed(next.promise);
      next = Promise.withResolvers();
      if (!piece) return;
      yield piece;
    }
  }
  const put = async (piece: Uint8Array | undefined): Promise<void> => {
    await orUnwanted(wanted.promise);
    // The reader asks for no more until it has this piece.
    wanted = Promise.withResolvers();
    next.resolve(piece);
  };
  return { content: content(), push: put, end: () => put(undefined), fail: (error) => failed.reject(error) };
}
