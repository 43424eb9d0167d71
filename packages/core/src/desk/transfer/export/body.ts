import { createBreath } from "../../../kernel/running/breath.ts";
import { gzipped } from "../../../lib/files/gzipped.ts";
import type { TransferItem } from "../rules/items.ts";
import type { TransferDeps } from "../running/deps.ts";
import { exportLines, packed } from "./lines.ts";
import type { ExportTools } from "./tools.ts";

export interface ExportRequest {
  readonly items: readonly TransferItem[];
  readonly username: string;
  readonly signal: AbortSignal;
}

/**
 * The compressed file. Its internal job lasts from the first requested byte to the last, or until the reader disconnects. The job
 * is quiet, since the reader, who waits for the file, sees its end.
 */
export async function* exportBody(cradle: TransferDeps, request: ExportRequest): AsyncGenerator<Uint8Array> {
  const ended = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const counts = new Map<string, number>();
  let noted = (_name: string, _value: number): void => undefined;
  cradle.internalJobs.start(
    { title: "Data export", type: "storage", username: request.username, quiet: true, params: paramsOf(request) },
    async (job) => {
      noted = job.stat;
      job.signal.addEventListener("abort", () => stopping.abort(), { once: true });
      await ended.promise;
    },
  );
  const signal = AbortSignal.any([request.signal, stopping.signal]);
  const tools: ExportTools = {
    cradle,
    now: cradle.clock.now(),
    signal,
    breath: createBreath(cradle.clock, signal),
    count(name, by) {
      counts.set(name, (counts.get(name) ?? 0) + by);
      noted(name, counts.get(name) ?? 0);
    },
  };
  // If the job never started, nothing else would handle this rejection.
  ended.promise.catch(() => undefined);
  try {
    yield* gzipped(packed(exportLines(tools, request.items)), signal);
  } catch (error) {
    // A reader that goes away is no failure.
    if (!request.signal.aborted) ended.reject(error);
    throw error;
  } finally {
    ended.resolve();
  }
}

const paramsOf = ({ items }: ExportRequest) => ({ items: items.map(({ type, ...rest }) => ({ type, ...rest })) });
