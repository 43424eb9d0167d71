import { glob, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { onLinux, start, tempDir, useShellAgent } from "../../../test/agents/shell-agent.ts";
import { fsBlobStore } from "../../blobs/index.ts";

useShellAgent();

test("input files come from the blob store and output files are stored there", async () => {
  const blobs = fsBlobStore(join(tempDir, "blobs"));
  const content = async function* () {
    yield Buffer.from("a,1\n");
  };
  await blobs.put("files/jobs/j0/k/in.csv", content());
  const conductor = await start({ blobs });
  const script = `cat in.csv > out.csv; cp in.csv b.txt; cp in.csv 'März 1.md'; ln -s /etc/passwd leak
    echo '{"xy":1,"files":["out.csv",["*.txt","named.txt"],"*.md","leak","/etc/passwd","../script","none"]}'`;
  const files = [{ id: "f1", filename: "in.csv", path: "files/jobs/j0/k/in.csv" }];
  conductor.launch({ params: { script } }, { details: { input: { files } } });
  const stored = (await conductor.finished())["files"] as { filename: string; path: string; size: number }[];
  expect(stored).toMatchObject([
    { filename: "out.csv", size: 4, server: "s1", job: "j1" },
    { filename: "named.txt", size: 4 },
    { filename: "März 1.md", path: expect.stringMatching(/\/M_rz_1\.md$/), size: 4 },
  ]);
  expect(stored[0]?.path).toMatch(/^files\/jobs\/j1\/[\w-]{43}\/out\.csv$/);
  expect(await blobs.head(stored[0]?.path ?? "")).toMatchObject({ sizeBytes: 4 });
  expect(conductor.metaOf().filter((text) => text.startsWith("Warning: Not a file in the folder"))).toHaveLength(3);
});

test("a file that is exchanged for a link while others are stored is not read", async () => {
  const store = fsBlobStore(join(tempDir, "blobs"));
  await writeFile(join(tempDir, "host-secret"), "of the host");
  const put: BlobStore["put"] = async (key, content) => {
    const [folder = ""] = await Array.fromAsync(glob(join(tempDir, "**", "b.txt")));
    if (key.endsWith("a.txt")) {
      await rm(folder);
      await symlink(join(tempDir, "host-secret"), folder);
    }
    return store.put(key, content);
  };
  const conductor = await start({ blobs: { ...store, put } });
  conductor.launchScript(`echo one > a.txt; echo two > b.txt; echo '{"xy":1,"files":["*.txt"]}'`);
  const stored = (await conductor.finished())["files"] as { filename: string }[];
  expect(stored.map(({ filename }) => filename)).toEqual(["a.txt"]);
  expect(conductor.metaOf()).toContainEqual(expect.stringContaining("File was not stored: b.txt"));
});

test("an input file that could leave its folder, or is missing, fails the job", async () => {
  const conductor = await start({ blobs: fsBlobStore(join(tempDir, "blobs")) });
  for (const [id, filename] of Object.entries({ j1: "../x", j2: "missing" }))
    conductor.launch(
      { id, params: { script: "true" } },
      { details: { input: { files: [{ filename, path: "a/b" }] } } },
    );
  expect((await conductor.finished("j1"))["description"]).toBe("Setup Error: Malformed name of input file: ../x");
  expect((await conductor.finished("j2"))["description"]).toBe("Setup Error: Input file not found: missing");
});

test("a job gets all of its input files or does not run", async () => {
  const blobs = fsBlobStore(join(tempDir, "blobs"));
  await blobs.put("files/x", (async function* () {})());
  const conductor = await start({ blobs });
  const files = Array.from({ length: 1001 }, (_, at) => ({ filename: `f${at}`, path: "files/x" }));
  conductor.launch({ params: { script: "true" } }, { details: { input: { files } } });
  expect((await conductor.finished())["description"]).toBe("Setup Error: Too many input files: 1001");
});

test("patterns find only files of the folder, and a name with pattern characters is a name", async () => {
  const conductor = await start({ blobs: fsBlobStore(join(tempDir, "blobs")) });
  await writeFile(join(tempDir, "host-plans"), "of the host");
  conductor.launchScript(`echo a > 'report [2].csv'; ln -s ${tempDir} out
    echo '{"xy":1,"files":["report [2].csv","${tempDir}/*","out/*","../../*"]}'`);
  const stored = (await conductor.finished())["files"] as { filename: string }[];
  expect(stored.map(({ filename }) => filename)).toEqual(["report [2].csv"]);
  expect(conductor.metaOf().join("\n")).not.toContain("host-plans");
});

test.runIf(onLinux)("a running job is sampled each second: its processes, their CPU and memory", async () => {
  const conductor = await start();
  conductor.launchScript("sleep 300 & while :; do :; done");
  // How much of a core the loop gets depends on the machine; the sleep beside it uses none.
  const busy = ({ cpu }: { cpu?: { count: number; current: number } }) =>
    cpu !== undefined && cpu.count > 1 && cpu.current > 0;
  const sampled = (await conductor.untilJob(busy)).data["j1"] as {
    cpu: { current: number };
    mem: { current: number };
    procs: Record<string, { command: string }>;
  };
  conductor.send("abort_job", { id: "j1", reason: "enough" });
  expect(sampled.cpu).toMatchObject({ min: expect.any(Number) });
  expect(sampled.mem.current).toBeGreaterThan(100_000);
  const processes = Object.values(sampled.procs);
  expect(processes.map(({ command }) => command)).toContain("sleep 300");
  const last = await conductor.finished();
  expect(last["procs"]).toBeUndefined();
  expect(last["cpu"]).toMatchObject({ count: expect.any(Number) });
});
