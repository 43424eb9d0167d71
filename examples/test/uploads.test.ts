import { execFile } from "node:child_process";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { rounds } from "../../packages/core/test/rounds.ts";
import { ADMIN_KEY, startServer } from "./program.ts";

const MB = 1024 * 1024;
/** Twice the memory that an upload may cost. */
const LONG_MB = rounds(200, 300);
const run = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), "signalbox-uploads-"));

/** A file of zeroes that takes no disk space. */
async function sparseFile(name: string, sizeBytes: number): Promise<string> {
  const path = join(folder, name);
  const file = await open(path, "w");
  await file.truncate(sizeBytes);
  await file.close();
  return path;
}

/** Resident memory in bytes: current, and the peak since it was last reset. */
async function memoryOf(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Asks no proxy that the machine has for the web. */
const curl = async (...args: readonly string[]): Promise<string> =>
  (await run("curl", ["--silent", "--show-error", "--noproxy", "*", ...args], { maxBuffer: MB })).stdout;
const key = ["-H", `X-API-Key: ${ADMIN_KEY}`];

// Only Linux reports the memory of another process.
test.skipIf(process.platform !== "linux")(
  `${LONG_MB} MB sent by curl cost the server less than 100 MB, and can be read in ranges`,
  async () => {
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const server = await startServer({ SIGNALBOX_DATA_DIR: folder });
    onTestFinished(async () => void (await server.kill("SIGTERM")));
    const big = await sparseFile("big.bin", LONG_MB * MB);
    await writeFile(join(folder, "small.txt"), "small");
    // The first upload loads modules, which do not count as a cost of a long one.
    await curl(...key, "-F", `file=@${join(folder, "small.txt")}`, `${server.url}/api/app/upload_files/v1`);
    await writeFile(`/proc/${server.pid}/clear_refs`, "5");
    const before = await memoryOf(server.pid);
    const sent = await curl(...key, "-F", `file=@${big}`, `${server.url}/api/app/upload_job_input_files/v1`);
    const { files } = JSON.parse(sent) as { files: { path: string; size: number }[] };
    expect(files).toMatchObject([{ size: LONG_MB * MB, filename: "big.bin" }]);
    const [{ path = "" } = {}] = files;
    expect(await curl("-o", "/dev/null", "-w", "%{size_download}", `${server.url}/${path}`)).toBe(String(LONG_MB * MB));
    const { peak } = await memoryOf(server.pid);
    expect((peak - before.now) / MB).toBeLessThan(100);
    const end = await curl("-i", "-r", `${LONG_MB * MB - 2}-${(LONG_MB + 100) * MB}`, `${server.url}/${path}`);
    expect(end).toContain(`content-range: bytes ${LONG_MB * MB - 2}-${LONG_MB * MB - 1}/${LONG_MB * MB}`);
    const beyond = await curl("-i", "-r", `${LONG_MB * MB}-`, `${server.url}/${path}`);
    expect(beyond).toMatch(/^HTTP\/1\.1 416 /);
    expect(beyond).toContain(`content-range: bytes */${LONG_MB * MB}`);
  },
);
