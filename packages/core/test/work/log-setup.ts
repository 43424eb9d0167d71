import { memoryBlobStore } from "../../src/memory/memory-blob-store.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { activeJobCollection, jobCollection, jobLogChunkCollection } from "../../src/work/jobs/collection.ts";
import { createJobLogs } from "../../src/work/jobs/logs/job-logs.ts";
import { chunksOf } from "../../src/work/jobs/logs/log-writers.ts";
import type { ActiveJob, FinalJob } from "../../src/work/jobs/model.ts";
import { recordingLogger } from "../engine.ts";

export const running = {
  ...{ id: "j1", launched: 1, details: { activity: [] } },
  job: { id: "j1", event: "e1", state: "active", started: 1 },
};

export const LIMIT = 1_048_576;

export async function setUp() {
  const clock = fakeClock();
  const storage = memoryStorage({ clock });
  const blobs = memoryBlobStore({ clock });
  await storage.open([activeJobCollection, jobCollection, jobLogChunkCollection]);
  await storage.write((tx) => tx.collection(activeJobCollection).insert(running as unknown as ActiveJob));
  const logs = createJobLogs({ storage, blobs, log: recordingLogger() });
  return {
    blobs,
    logs,
    storage,
    async write(...texts: string[]) {
      for (const text of texts) {
        logs.append("j1", text, 0);
        await logs.flush(["j1"]);
      }
    },
    /** Ends the job as the engine does. */
    async finish(): Promise<FinalJob> {
      const final = await storage.write(async (tx) => {
        const { text, sizeBytes } = await logs.conclude(tx, "j1", { limit: LIMIT, rest: "", isOwn: false });
        const output = text === undefined ? {} : { output: text };
        const job = { ...running.job, state: "complete", log_file_size: sizeBytes, ...output } as FinalJob;
        await tx.collection(jobCollection).insert(job);
        await tx.collection(activeJobCollection).delete("j1");
        return job;
      });
      logs.forget("j1");
      return final;
    },
    chunkCount: async () =>
      (await storage.read((tx) => tx.collection(jobLogChunkCollection).find(chunksOf("j1")))).total,
    record: () => storage.read((tx) => tx.collection(jobCollection).get("j1")),
    tail: async (bytes: number) => (await storage.read((tx) => logs.tail(tx, "j1", bytes))).text,
  };
}

export const bytesOf = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(content));

export const read = async (content: AsyncIterable<Uint8Array>): Promise<string> => (await bytesOf(content)).toString();

export async function* nothing(): AsyncGenerator<Uint8Array> {}

export const line = (count: number): string => `line ${count}\n`;
