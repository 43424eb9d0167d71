import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { isBackup } from "./is-backup.ts";

const BACKUP = '# A data export\n#\n\n{"key":"global/tags","value":{}}\n';

test.each([
  ["a backup", BACKUP, true],
  ["a packed one", gzipSync(BACKUP), true],
  ["a text", "not a backup\n# {\n", false],
  ["nothing but comments", "# A data export\n", false],
])("%s: %#", async (_case, content, is) => {
  expect(await isBackup(new Blob([content]))).toBe(is);
});

test("a broken packed file is refused while it is read", async () => {
  const packed = gzipSync(BACKUP);
  await expect(isBackup(new Blob([packed.subarray(0, 12), "broken"]))).rejects.toThrow();
});
