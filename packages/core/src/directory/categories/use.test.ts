import { expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../test/engine.ts";
import { checkCollection } from "../../fleet/checks/collection.ts";
import { heartbeatCollection } from "../../work/heartbeats/collection.ts";

test("a category is in use by a check or heartbeat that another node has just stored", async () => {
  const probe = cradleProbe();
  await using at = await startEngine({ plugins: [probe.plugin] });
  await at.api.createCheck({ id: "page", title: "Page", type: "tcp", host: "192.0.2.1", port: 80 });
  await at.api.createHeartbeat({ id: "copy", title: "Copy", every: 60 });
  const { checks, heartbeats, transact } = probe.cradle();
  const used = await transact(async ({ tx }) => {
    // Written in this transaction, so no node has it in memory before the commit.
    await tx.collection(checkCollection).update("page", (stored) => ({ ...stored, category: "web" }));
    await tx.collection(heartbeatCollection).update("copy", (stored) => ({ ...stored, category: "web" }));
    return [await checks.isCategoryUsed(tx, "web"), await heartbeats.isCategoryUsed(tx, "web")];
  });
  expect(used).toEqual([true, true]);
});
