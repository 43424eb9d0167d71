import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { createSignalbox } from "@signalbox/core";
import type { StreamResult } from "@signalbox/core/plugin";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteStorage } from "./index.ts";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-beside-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function* stream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function bytesOf(content: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const secretKey = "only for this test, long enough";

/** A host that gives neither the engine nor its local agent a blob store, and runs one job. */
const HOST = `
import { createSignalbox } from "@signalbox/core";
import { localAgent } from "@signalbox/adapters/local-agent";
import { sqliteStorage } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)};
const [filename, tempDir, inputFile] = process.argv.slice(-3);
const signalbox = createSignalbox({
  storage: sqliteStorage({ filename }),
  agents: localAgent({ tempDir, minuteEverySec: 60, quickEverySec: 0, environment: { PATH: process.env.PATH } }),
  secretKey: ${JSON.stringify(secretKey)},
  config: { max_inline_job_log_size: 100 },
});
const ended = new Promise((resolve) => signalbox.events.on("job.completed", ({ id }) => resolve(id)));
await signalbox.start();
await signalbox.blobs.put("files/jobs/given/in.txt", (async function* () { yield Buffer.from("given"); })());
const script = "#!/bin/sh\\nseq 1 500\\ncat in.txt > out.txt\\necho ' and written' >> out.txt\\n" +
  "echo '{\\"xy\\":1,\\"files\\":[\\"out.txt\\"]}'\\n";
const { event } = await signalbox.api.createEvent({
  title: "T", enabled: true, category: "general", plugin: "shellplug", targets: ["local"], algo: "random",
  params: { script }, triggers: [{ type: "manual", enabled: true }],
});
while ((await signalbox.api.getActiveServers()).rows.length === 0) await new Promise((next) => setTimeout(next, 20));
const { id } = await signalbox.api.runEvent({ id: event.id, input: { files: [{ filename: "in.txt", path: "files/jobs/given/in.txt" }] } });
await ended;
console.log(JSON.stringify({ id }));
setInterval(() => undefined, 1000);
`;

async function runAndKill(filename: string): Promise<string> {
  const run = ["--conditions=@signalbox/source", "--input-type=module", "-e", HOST, "--", filename, directory, "x"];
  const child = spawn(process.execPath, run, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  child.kill("SIGKILL");
  await once(child, "exit");
  return (JSON.parse(line) as { id: string }).id;
}

describe("a host without a configured blob store", () => {
  test("has the log, the input and the files of a job after it was killed", async () => {
    const filename = join(directory, "ops.sqlite");
    const id = await runAndKill(filename);
    const engine = createSignalbox({ storage: sqliteStorage({ filename }), secretKey });
    await engine.start();
    try {
      const { job } = await engine.api.getJob({ id });
      expect(job).toMatchObject({ code: 0, files: [{ filename: "out.txt" }] });
      const stored = await engine.blobs.get(job.files?.[0]?.path ?? "");
      expect((await bytesOf(stored?.content)).toString()).toBe("given and written\n");
      const log = (await engine.api.getJobLog({ id })) as StreamResult;
      expect(gunzipSync(await bytesOf(log.body)).toString()).toContain("\n500\n");
    } finally {
      await engine.stop();
    }
  });

  test("keeps blobs beside the file, under its name", async () => {
    const filename = join(directory, "ops.sqlite");
    await sqliteStorage({ filename }).blobs?.put("files/a", stream("x"));
    expect(await readdir(directory)).toEqual(["ops.sqlite.blobs"]);
    expect(await readdir(join(directory, "ops.sqlite.blobs"))).toContain("files");
  });

  test("keeps blobs beside the file of its own handle", async () => {
    const database = new DatabaseSync(join(directory, "own.sqlite"));
    await sqliteStorage({ database }).blobs?.put("files/a", stream("x"));
    database.close();
    expect((await readdir(directory)).toSorted()).toEqual(["own.sqlite", "own.sqlite.blobs"]);
  });

  test.each([
    ["a database in memory", () => sqliteStorage({ filename: ":memory:" })],
    ["a handle in memory", () => sqliteStorage({ database: new DatabaseSync(":memory:") })],
  ])("keeps blobs in memory with %s", async (_what, open) => {
    const { blobs } = open();
    await blobs?.put("files/a", stream("x"));
    expect((await bytesOf((await blobs?.get("files/a"))?.content)).toString()).toBe("x");
    expect(await readdir(process.cwd())).not.toContain(":memory:.blobs");
  });
});
