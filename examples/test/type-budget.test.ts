import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { compilerArguments, HOST } from "./every-door.ts";

const examples = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(examples, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Compiler counts that our types may add to a bare program's. Counts are exact, while the compiler's time depends on the machine:
 * the 65,000 lines of these entry points took 1.6 s of processor time on a busy one, and 0.3 on a quiet one.
 */
const BUDGET = { Lines: 75_000, Symbols: 95_000, Types: 17_000, Instantiations: 225_000 };
const BARE = 'import { createServer } from "node:http";\nexport const server = createServer();\n';

/** Counts of the compiler's diagnostics, one `Types:   15043` per line. */
function countsOf(name: string, text: string): Record<keyof typeof BUDGET, number> {
  writeFileSync(join(folder, name), text);
  const args = compilerArguments(name, "--skipLibCheck", "--extendedDiagnostics");
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Files:/)]);
  const count = (name: string): number => Number(new RegExp(`^${name}: +(\\d+)$`, "m").exec(stdout)?.[1]);
  return {
    Lines: count("Lines"),
    Symbols: count("Symbols"),
    Types: count("Types"),
    Instantiations: count("Instantiations"),
  };
}

test("a host that imports every entry point costs the compiler no more than the budget", () => {
  const bare = countsOf("bare.mts", BARE);
  const whole = countsOf("whole.mts", HOST);
  for (const [name, most] of Object.entries(BUDGET) as [keyof typeof BUDGET, number][]) {
    expect(bare[name], name).toBeGreaterThan(100);
    expect(whole[name] - bare[name], name).toBeLessThan(most);
  }
});
