import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freePort, startPostgres } from "./embedded-postgres.ts";

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

test("a port that another program took meanwhile is replaced by the next one", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const ports = [(taken.address() as AddressInfo).port];
  const server = await startPostgres({ fsync: false, nextPort: async () => ports.pop() ?? freePort() });
  onTestFinished(() => server.stop());
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  expect((await client.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await client.end();
});
