import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "./report.ts";

const EXPRESSIONS = 50_000;
const TEST = "packages/core/src/expressions/differential.test.ts";

/**
 * Goal P3: has both engines answer random expressions, and throws when one answer differs. Uses the test's generator, so that
 * there is only one definition of "random expression".
 */
export function runAgreement(): Row[] {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  execFileSync(process.execPath, [vitest, "run", "--project", "core", TEST], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const name = `P3 random expressions with jexl's answer / ${EXPRESSIONS.toLocaleString("en-US")}`;
  return [{ name, value: EXPRESSIONS, unit: "expressions", ratio: 1, floor: 1, goal: 1 }];
}
