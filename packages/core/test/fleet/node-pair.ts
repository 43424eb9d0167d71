import { memoryStorage } from "../../src/memory/memory-storage.ts";
import type { Storage } from "../../src/ports/storage/storage.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { startJobs } from "../../src/testing/test-jobs.ts";
import { serverPlaceCollection } from "../../src/work/jobs/collection.ts";

export const done = (members: Record<string, unknown> = {}) => ({
  state: "complete",
  complete: true,
  code: 0,
  ...members,
});
export const web = { hostname: "web01.example.internal", id: "s1", initial: { groups: ["main"] } };
const secretKey = "EXAMPLE_CLUSTER_KEY";
/** An agent outside of the node's own process. */
export const remote = { ...web, join: { clusterKey: secretKey } };

/** Nodes on one storage, without a database: each with its own id, agents and memory. Both lead, or only the first. */
export async function twoNodes({ bothLead = true } = {}) {
  const clock = fakeClock(1_795_253_600);
  const storage = memoryStorage({ clock });
  const cut = new Set<string>();
  /** Nodes that receive no messages. */
  const deaf = new Set<string>();
  /** Messages between the nodes. */
  const posted: string[] = [];
  const nodeStorage = (nodeId: string): Storage => ({
    ...storage,
    coordination: {
      ...{ ...storage.coordination, nodeId, shared: true },
      post: async (node, text) => {
        posted.push(text);
        if (!deaf.has(node)) await storage.coordination.post(node, text);
      },
      ...(bothLead || nodeId === "node_one" ? {} : { lead: () => ({ [Symbol.dispose]: () => undefined }) }),
      beat: (row) => (cut.has(nodeId) ? Promise.reject(new Error("cut off")) : storage.coordination.beat(row)),
    },
    close: async () => undefined,
  });
  const one = await startJobs({ clock, storage: nodeStorage("node_one") });
  const event = await one.event();
  const retrying = await one.event({ limits: [{ enabled: true, type: "retry", amount: 1 }], targets: ["main"] });
  const two = await startJobs({ clock, storage: nodeStorage("node_two") });
  const read = async (id: string) => (await one.signalbox.api.getJob({ id })).job;
  const places = () => storage.read((tx) => tx.collection(serverPlaceCollection).list());
  return { clock, cut, deaf, event, one, places, posted, read, retrying, storage, two };
}
