import { expect, inject, test } from "vitest";
import { runProgram } from "./program.ts";

/** The warning for hosts on PostgreSQL without a blob store. */
const FORGETFUL = /^signalbox: No blob store was given: .*\n$/;

/** Lines that an example prints; it must end by itself, without other warnings on standard error. */
async function linesOf(name: string, warnings = /^$/): Promise<string[]> {
  const { code, stdout, stderr } = await runProgram(name, { env: { SIGNALBOX_TEST_PG: inject("pgUrl") } });
  expect(stderr).toMatch(warnings);
  expect(code).toBe(0);
  return stdout.trimEnd().split("\n");
}

test("mounted in a Hono app it answers below the sub-path, behind the app's middleware and sign-in", async () => {
  const [byKey, byAnn, byNobody] = await linesOf("mount-in-hono.ts");
  expect(byKey).toMatch(/^200 the host \{"code":0,"rows":\[\{"id":"important"/);
  expect(byAnn).toMatch(/^200 the host \{"code":0,"tag":\{.*"username":"ann"/);
  expect(byNobody).toMatch(/^403 the host \{"code":"session"/);
});

test("mounted in a Node server it answers below /api and leaves the rest to the host", async () => {
  const [own, answer] = await linesOf("mount-in-node-http.ts");
  expect(own).toBe("the host's own page");
  expect(answer).toMatch(/^200 \{"code":0,"rows":\[\{"id":"important"/);
});

test("a rollback of the host's transaction removes the tag", async () => {
  expect(await linesOf("host-transaction.ts")).toEqual(["orders 1, tags important, flag, order_commit"]);
});

test("the same scenario has the same result on SQLite and on PostgreSQL", async () => {
  const end = "tag revision 2, event backup, 1 event(s) stored";
  expect(await linesOf("two-storages.ts", FORGETFUL)).toEqual([`sqlite: ${end}`, `pg: ${end}`]);
});

test("a data key wrapped by a key service encrypts the secrets, and is rotated while everything runs", async () => {
  expect(await linesOf("wrapped-key.ts", /^signalbox: Secrets are sealed with a previous key: .*\n$/)).toEqual([
    "sealed with data key 1, read: s3cr3t",
    "1 secret sealed anew, data key 1 is not needed any more",
    "sealed with data key 2, read: s3cr3t",
  ]);
});
