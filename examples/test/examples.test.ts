import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { runProgram, startServer } from "./program.ts";

test("the quick start shows readings, an alert, its job and its web hook, and ends", { timeout: 90_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-quick-"));
  const { code, stdout, stderr } = await runProgram("quick-start.ts", {
    args: ["--once"],
    env: { SIGNALBOX_DATA_DIR: dataDir },
  });
  await rm(dataDir, { recursive: true, force: true });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/memory used \d+ MB/);
  expect(stdout).toMatch(/Alert fired .* are in use/);
  expect(stdout).toMatch(/with code 0/);
  expect(stdout).toContain("Diagnosis on");
  expect(stdout).toMatch(/Web hook +arrived/);
  expect(code).toBe(0);
});

test.each(["mount-in-hono.ts", "mount-in-node-http.ts", "own-plugin.ts", "host-transaction.ts", "two-storages.ts"])(
  "%s runs to its end",
  { timeout: 60_000 },
  async (name) => {
    const { code, stdout, stderr } = await runProgram(name, { env: { SIGNALBOX_TEST_PG: inject("pgUrl") } });
    expect(stderr).toBe("");
    expect(stdout).not.toBe("");
    expect(code).toBe(0);
  },
);

test("the host's rolled-back transaction takes the tag with it", { timeout: 60_000 }, async () => {
  const { stdout } = await runProgram("host-transaction.ts");
  expect(stdout).toContain("orders 1, tags important, flag, order_commit");
});

test("the stand-alone server answers /health and ends cleanly on SIGTERM", { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-standalone-"));
  const server = await startServer({ SIGNALBOX_STORAGE: "memory:", SIGNALBOX_DATA_DIR: dataDir });
  const health = await fetch(`${server.url}/health`);
  expect([health.status, await health.json()]).toEqual([200, { code: 0, master: true }]);
  expect(await server.call("get_tags")).toMatchObject({ code: 0, list: { length: 2 } });
  expect(await server.kill("SIGTERM")).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

test("a missing secret key ends the stand-alone server with one sentence", { timeout: 60_000 }, async () => {
  const { code, stdout } = await runProgram("standalone.ts", { env: { SIGNALBOX_SECRET_KEY: "" } });
  expect(code).toBe(2);
  expect(stdout).toContain("SIGNALBOX_SECRET_KEY must be set");
});
