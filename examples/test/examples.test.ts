import { expect, inject, test } from "vitest";
import { runProgram } from "./program.ts";

const TIMEOUT = { timeout: 60_000 };

/** What an example says, line by line; it must end by itself and complain of nothing. */
async function linesOf(name: string): Promise<string[]> {
  const { code, stdout, stderr } = await runProgram(name, { env: { SIGNALBOX_TEST_PG: inject("pgUrl") } });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout.trimEnd().split("\n");
}

test("mounted in a Hono app it answers below the sub-path, behind the app's middleware", TIMEOUT, async () => {
  const [line] = await linesOf("mount-in-hono.ts");
  expect(line).toMatch(/^200 the host \{"code":0,"rows":\[\{"id":"important"/);
});

test("mounted in a Node server it answers below /api and leaves the rest to the host", TIMEOUT, async () => {
  const [own, answer] = await linesOf("mount-in-node-http.ts");
  expect(own).toBe("the host's own page");
  expect(answer).toMatch(/^200 \{"code":0,"rows":\[\{"id":"important"/);
});

test("the host's rolled-back transaction takes the tag with it", TIMEOUT, async () => {
  expect(await linesOf("host-transaction.ts")).toEqual(["orders 1, tags important, flag, order_commit"]);
});

test("the same scenario comes to the same end on SQLite and on PostgreSQL", TIMEOUT, async () => {
  const end = "tag revision 2, event backup, 1 event(s) stored";
  expect(await linesOf("two-storages.ts")).toEqual([`sqlite: ${end}`, `pg: ${end}`]);
});
