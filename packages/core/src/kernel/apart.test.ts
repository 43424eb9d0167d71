import { expect, test } from "vitest";
import { cradleProbe, recordingLogger, startEngine } from "../../test/engine.ts";
import { definitionIn } from "./apart.ts";
import { StorageError } from "./errors/errors.ts";

async function setUp() {
  const probe = cradleProbe();
  const log = recordingLogger();
  const engine = await startEngine({ plugins: [probe.plugin], log });
  const warnings = async () =>
    (await engine.api.searchActivity({ query: "action:warning", limit: 9 })).rows.map((row) => row["description"]);
  return { ...engine, log, warnings, apart: probe.cradle().apart, [Symbol.asyncDispose]: () => engine.stop() };
}

const about = (id: string) => definitionIn("notices", "Route", id);
const fail = (message: string) => async () => {
  throw new Error(message);
};
const SENTENCE =
  "Route bad was left out of notices, since looking at it failed: Broken. The others go on. " +
  "Save it with correct values, or delete it.";

test("a record that fails is reported once a day, in the log and in the activity log", async () => {
  await using at = await setUp();
  for (let look = 0; look < 3; look++) {
    expect(await at.apart.run(about("bad"), fail("Broken."))).toBeUndefined();
    expect(await at.apart.run(about("good"), async () => "done")).toBe("done");
    await at.clock.advance(60);
  }
  expect(await at.warnings()).toEqual([SENTENCE]);
  expect(at.log.lines.map(({ message }) => message)).toEqual([SENTENCE]);
  at.clock.step(86_400);
  await at.apart.run(about("bad"), fail("Broken"));
  await at.clock.advance(60);
  expect(await at.warnings()).toEqual([SENTENCE, SENTENCE]);
});

test("a failure within a transaction is reported as well, and the transaction continues", async () => {
  const probe = cradleProbe();
  await using at = await startEngine({ plugins: [probe.plugin], log: recordingLogger() });
  const { apart, transact } = probe.cradle();
  const seen = await transact(async () => [
    apart.now(about("bad"), () => JSON.parse("{")),
    apart.now(about("good"), () => 5),
  ]);
  expect(seen).toEqual([undefined, 5]);
  await at.clock.advance(5);
  expect((await at.api.searchActivity({ query: "action:warning", limit: 9 })).rows).toMatchObject([
    { keywords: expect.arrayContaining(["bad"]) },
  ]);
});

test("of several records that are processed together, the failing one is left out", async () => {
  await using at = await setUp();
  const done: string[] = [];
  await at.apart.together(["a", "bad", "c"], about, async (ids) => {
    if (ids.includes("bad")) throw new Error("Broken");
    done.push(...ids);
  });
  await at.clock.advance(5);
  expect([done, await at.warnings()]).toEqual([["a", "c"], [SENTENCE]]);
});

test("failures of a store and of an interrupted round belong to no record", async () => {
  await using at = await setUp();
  const full = new StorageError("full");
  const thrown = (error: Error) => async () => {
    throw error;
  };
  await expect(at.apart.run(about("bad"), thrown(full))).rejects.toBe(full);
  const cut = new Error("Another node leads");
  const ended = { ...about("bad"), signal: AbortSignal.abort() };
  await expect(at.apart.run(ended, thrown(cut))).rejects.toBe(cut);
  expect(await at.apart.run(about("bad"), thrown(new StorageError("damaged")))).toBeUndefined();
});
