import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox, defineEvent, memoryStorage } from "@signalbox/core";
import { expect, onTestFinished, test } from "vitest";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { runToEnd, scriptEvent } from "../../test/shell-jobs.ts";
import { localAgent } from "./index.ts";

/** Starts a complete engine that runs jobs on this machine. */
async function start() {
  const tempDir = await mkdtemp(join(tmpdir(), "signalbox-buckets-"));
  onTestFinished(() => rm(tempDir, { recursive: true, force: true }));
  const seen: unknown[] = [];
  const reader = defineEvent({
    ...{ id: "reader", title: "Reader", category: "general", triggers: [{ type: "manual", enabled: true }] },
    actions: [bucketAction("fetch", "start")],
    async run({ files }) {
      for (const { filename } of files.input) {
        const chunks = await Array.fromAsync(files.read(filename));
        seen.push([filename, Buffer.concat(chunks).toString()]);
      }
    },
  });
  const signalbox = createSignalbox({
    storage: memoryStorage(),
    secretKey: "correct horse battery staple",
    plugins: [quickKeys, quickPasswords],
    agents: localAgent({ tempDir, quickEverySec: 0, killTimeoutSec: 2 }),
    events: [reader],
    config: { job_universal_actions: { default: [], workflow: [] } },
  });
  onTestFinished(() => signalbox.stop());
  await signalbox.start();
  const { api } = signalbox;
  await api.createBucket({ id: "b1", title: "Shared", data: { from: "people" } });
  return {
    api,
    seen,
    script: (script: string, ...actions: object[]) => scriptEvent(signalbox, script, { actions }),
    run: (event: string) => runToEnd(signalbox, event),
  };
}

const bucketAction = <Type extends "fetch" | "store">(type: Type, condition: "start" | "success") => ({
  ...{ enabled: true, condition, type, bucket_id: "b1", bucket_glob: "*.txt" },
  bucket_sync: "data_and_files" as const,
});

test("a script stores files and data in a bucket, and other jobs get the newest of them", async () => {
  const { api, run, script, seen } = await start();
  const writer = await script(
    `echo "run $(cat state.txt 2>/dev/null)" > state.txt
     echo private > other.csv
     echo '{ "xy": 1, "data": { "from": "a job" }, "files": ["*"] }'`,
    bucketAction("fetch", "start"),
    bucketAction("store", "success"),
  );
  const first = await run(writer);
  expect(first["actions"]).toMatchObject([{ code: 0 }, { code: 0, description: expect.stringContaining("1 file") }]);
  const second = await run(writer);
  expect(second["actions"]).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { data, files } = await api.getBucket({ id: "b1" });
  expect(data).toEqual({ from: "a job" });
  // The second run found the file of the first one and replaced it under the same path.
  expect(files).toMatchObject([{ filename: "state.txt", job: second["id"], size: "run run \n".length }]);
  await run("reader");
  expect(seen[0]).toEqual(["state.txt", "run run \n"]);
});
