import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { CODE } from "../program.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "signalbox-no-proc-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Hides `/proc` from one process and its children. */
const HIDDEN = ["-Urm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"'];
const canHide = spawnSync("unshare", [...HIDDEN, "true"]).status === 0;

// Needs Linux with user namespaces; only here can readers of /proc be told apart from others.
test.skipIf(!canHide)("a machine without /proc is measured and runs jobs, and its missing readings are named", () => {
  const host = join(import.meta.dirname, "host.ts");
  const args = [...HIDDEN, process.execPath, ...CODE, host, join(folder, "ops.sqlite")];
  const { stdout, stderr } = spawnSync("unshare", args, { encoding: "utf8", timeout: 240_000 });
  expect(stderr).toContain(
    "signalbox: Package systeminformation is not installed: disks, connections and processes are not measured",
  );
  expect(JSON.parse(stdout)).toEqual({
    ...{ hidden: true, code: 0 },
    memory: expect.closeTo(totalmem(), -9),
    cores: expect.toSatisfy((cores: number) => cores >= availableParallelism()),
  });
});

test("Node's permission model may keep /proc and the root from the host: it starts, measures memory, and runs jobs", () => {
  const allowed = [`--allow-fs-read=${root}`, `--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`];
  const flags = ["--permission", "--allow-child-process", "--allow-worker", ...allowed];
  const args = [...flags, ...CODE, join(import.meta.dirname, "host.ts"), join(folder, "permission.sqlite")];
  const { NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const options = { encoding: "utf8", timeout: 240_000, env: { ...env, TMPDIR: folder } } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  expect(stderr).not.toContain("A sample of this machine failed");
  expect(JSON.parse(stdout)).toMatchObject({ hidden: true, code: 0, memory: expect.closeTo(totalmem(), -9) });
});
