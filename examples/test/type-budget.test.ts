import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { compilerArguments, HOST } from "./every-door.ts";

const examples = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(examples, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seconds of processor time that our types may add to a host's type check; it was 0.4 on a busy machine. */
const BUDGET = 1;
const BARE = 'import { createServer } from "node:http";\nexport const server = createServer();\n';

/** Processor time of the compiler and its children, from the shell's last line: "0m0.568s 0m0.134s". */
function secondsOf(name: string, text: string): number {
  writeFileSync(join(folder, name), text);
  const args = [process.execPath, ...compilerArguments(name, "--skipLibCheck")];
  const { stdout, status } = spawnSync("sh", ["-c", '"$@"; code=$?; times; exit $code', "sh", ...args], {
    ...{ cwd: folder, encoding: "utf8" },
  });
  expect([stdout.split("\n").slice(0, -3), status]).toEqual([[], 0]);
  const [, user, system] = /(\S+)s (\S+)s\n$/.exec(stdout) ?? [];
  return [user, system]
    .map((time = "") => time.split("m"))
    .reduce((sum, [m, s]) => sum + Number(m) * 60 + Number(s), 0);
}

test.skipIf(process.platform === "win32")("a host that imports every door checks its types within the budget", () => {
  const bare = secondsOf("bare.mts", BARE);
  const whole = secondsOf("whole.mts", HOST);
  expect(bare).toBeGreaterThan(0.05);
  expect(whole - bare).toBeLessThan(BUDGET);
});
