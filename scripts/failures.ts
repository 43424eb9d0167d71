import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, SerializedError } from "vitest/node";

/** A folder with one text for each half of the last run in which tests failed; absent when none did. */
export const FAILURES = fileURLToPath(new URL("../node_modules/.cache/failed-tests", import.meta.url));

/** A failure in a few words; the output of the run has all of it. */
const brief = ({ message, stack }: SerializedError): string => {
  const place = stack?.split("\n").find((line) => line.includes(".test."));
  return [message.slice(0, 1000), place?.trim()].filter(Boolean).join("\n").replaceAll("\n", "\n    ");
};

/**
 * Records which tests failed, so that `npm test` can list them in its last lines: the output of a whole run has 5,000 lines, and
 * where only its end is kept, the failures would be lost.
 */
export const failures: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const told: string[] = [];
    const tell = (place: string, errors: readonly SerializedError[] = []) =>
      told.push(...errors.map((error) => `${place}\n    ${brief(error)}`));
    tell("outside of a test", unhandled);
    for (const module of modules) {
      tell(module.relativeModuleId, module.errors());
      for (const suite of module.children.allSuites())
        tell(`${module.relativeModuleId} > ${suite.fullName}`, suite.errors());
      for (const test of module.children.allTests("failed"))
        tell(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors);
    }
    const file = join(FAILURES, `${process.env["SIGNALBOX_TESTS"] ?? "chosen"}.txt`);
    rmSync(file, { force: true });
    if (told.length === 0) return;
    mkdirSync(FAILURES, { recursive: true });
    writeFileSync(file, `${told.join("\n")}\n`);
  },
};
