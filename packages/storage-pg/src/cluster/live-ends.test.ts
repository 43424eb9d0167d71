import { expect, onTestFinished, test } from "vitest";
import { cradleProbe, keyWith, startEngine } from "../../../core/test/engine.ts";
import { lendDatabase } from "../../test/lent-database.ts";
import { pgStorage } from "../index.ts";

async function open(connectionString: string) {
  const probe = cradleProbe();
  const engine = await startEngine({ storage: pgStorage({ connectionString }), plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  return probe.cradle();
}

test("after a change of the whole installation the pages at every node read everything again", async () => {
  const connectionString = await lendDatabase();
  const [one, two] = [await open(connectionString), await open(connectionString)];
  const actor = keyWith(["admin"]);
  const listen = async (live: typeof one.live) =>
    (await live.listen({ actor, pages: [], signal: new AbortController().signal })).outbox;
  const [here, there] = [await listen(one.live), await listen(two.live)];
  expect([here.ended, there.ended]).toEqual([false, false]);
  one.live.reconnect();
  await expect.poll(() => [here.ended, there.ended]).toEqual([true, true]);
});
