import { scriptedAgent } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { cradleProbe, startEngine } from "../../../core/test/engine.ts";
import { lendDatabase } from "../../test/lent-database.ts";
import { pgStorage } from "../index.ts";

const SECRET_KEY = "EXAMPLE_CLUSTER_KEY";

async function open(connectionString: string) {
  const probe = cradleProbe();
  const agent = scriptedAgent();
  const storage = pgStorage({ connectionString });
  const engine = await startEngine({ storage, agents: agent, secretKey: SECRET_KEY, plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  return { agent, cradle: probe.cradle() };
}

test("a server of another node has the members that an import stored", async () => {
  const connectionString = await lendDatabase();
  const [one, two] = [await open(connectionString), await open(connectionString)];
  await two.agent.connect({ id: "s1", hostname: "s1.example.internal", join: { clusterKey: SECRET_KEY } });
  const title = () => two.cradle.servers.get("s1")?.title;
  expect(title()).not.toBe("Imported");
  const table = one.cradle.registry.transfer.tables.get("servers");
  const collection = one.cradle.registry.searchTables.get("servers")?.collection;
  if (!table?.settle || !collection) throw new Error("Servers do not travel");
  await one.cradle.storage.write((tx) =>
    tx.collection(collection).update("s1", (stored) => ({ ...stored, title: "Imported" })),
  );
  await table.settle(one.cradle, new Set(["s1"]));
  await expect.poll(title).toBe("Imported");
});
