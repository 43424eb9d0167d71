import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a process that has started a server keeps its exit code", () => {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(new URL("./embedded-postgres.ts", import.meta.url).href)});
    const { stop } = await startPostgres({ fsync: false });
    await stop();
    process.exitCode = 3;`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(3);
});
