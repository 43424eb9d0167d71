import { type Actor, anonymous, type Upload } from "../../src/kernel/calls/context.ts";
import { sha256Hex } from "../../src/lib/secrecy/hash.ts";
import { memoryBlobStore } from "../../src/memory/memory-blob-store.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type JobsOptions, startJobs } from "../../src/testing/test-jobs.ts";
import { recordingLogger } from "../engine.ts";

export type Members = Record<string, unknown>;

export const KEY = "EXAMPLE_CLUSTER_KEY";

export const START = 1_795_253_600;

export const REFUSED = { code: "auth", description: "Authentication failure" };

export const serverToken = (id = "s1") => sha256Hex(id + KEY);

export const runnerToken = (job: string, id = "s1") => sha256Hex(job + serverToken(id));

export const jobToken = (job: string) => sha256Hex(job + KEY);

export async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export async function setUp(options: JobsOptions = {}, event: Members = {}) {
  const log = recordingLogger();
  const blobs = options.blobs ?? memoryBlobStore({ clock: fakeClock(START) });
  const jobs = await startJobs({ log, ...options, blobs });
  const { api, execute } = jobs.signalbox;
  const server = await jobs.connect();
  const { id } = await api.runEvent({ id: await jobs.event(event) });
  await jobs.settle();
  const call = (operation: string, input: Members, more: { actor?: Actor; uploads?: readonly Upload[] } = {}) =>
    execute({ operation, input, actor: anonymous, ...more });
  return {
    ...jobs,
    api,
    id,
    log,
    server,
    read: async (of = id) => (await api.getJob({ id: of })).job,
    finish: (job: Members, more: Members = {}, actor: Actor = anonymous) =>
      call("finish_job", { id, auth: jobToken(id), job, ...more }, { actor }),
    async upload(
      more: Members = {},
      { actor = anonymous, field = "file1", text = "a,1\n", filename = "Report 1.CSV" } = {},
    ) {
      const key = `tmp/up/${filename.replace(/[^\w.]/g, "_")}`;
      const { sizeBytes } = await jobs.blobs.put(key, chunks(text));
      const uploads = [{ field, filename, sizeBytes, key }];
      const input = { id, auth: jobToken(id), ...more };
      return (await call("upload_job_file", input, { actor, uploads })) as { key: string; size: number };
    },
    stored: () => jobs.blobs.list("files/", { limit: 10 }),
  };
}

export const done = (members: Members = {}) => ({
  state: "complete",
  complete: true,
  code: 0,
  progress: 1,
  ...members,
});

/** A storage that fails while the test says so. */
export function failing(what: "everything" | "writes") {
  const clock = fakeClock(START);
  const inner = memoryStorage({ clock });
  const state = { isDown: false };
  const down = () => Promise.reject(new Error("The disk is full"));
  const storage: Storage = {
    ...inner,
    read: (work) => (state.isDown && what === "everything" ? down() : inner.read(work)),
    write: (work) => (state.isDown ? down() : inner.write(work)),
  };
  return { clock, state, storage };
}
