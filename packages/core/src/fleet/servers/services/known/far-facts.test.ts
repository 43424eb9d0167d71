import { describe, expect, test } from "vitest";
import { done, twoNodes } from "../../../../../test/fleet/node-pair.ts";
import { launched } from "../../../../testing/test-jobs.ts";

type Nodes = Awaited<ReturnType<typeof twoNodes>>;
type Agent = Awaited<ReturnType<Nodes["two"]["connect"]>>;

const agent = (id: string) => ({
  ...{ id, hostname: `${id}.example.internal`, initial: { groups: ["main"] } },
  join: { clusterKey: "EXAMPLE_CLUSTER_KEY" },
});

/** One server on each node, with a minute each. */
async function setUp(loads: { readonly s1: number; readonly s2: number }) {
  const nodes = await twoNodes();
  const { clock, one, two } = nodes;
  const agents = { s1: await one.connect(agent("s1")), s2: await two.connect(agent("s2")) };
  const minute = async (of: Readonly<Record<string, number>>) => {
    await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 65);
    for (const [id, avgLoad] of Object.entries(of)) {
      const data = { cpu: { avgLoad }, load: [avgLoad, 0, 0], memory: { active: avgLoad * 1000, total: 9000 } };
      agents[id as keyof typeof agents].send("monitor", { version: "1.0", date: clock.now(), data });
    }
    await clock.advance(40);
  };
  await minute(loads);
  return { ...nodes, agents, minute };
}

const loadOf = async ({ one }: Nodes, id: string) =>
  (await one.signalbox.api.getActiveServer({ id })).server.info["cpu"] as Readonly<Record<string, unknown>>;

describe("a server of another node", () => {
  test("shows the readings of its last minute on every node", async () => {
    const at = await setUp({ s1: 1, s2: 2 });
    // The first read tells the node that somebody is interested.
    await loadOf(at, "s2");
    await at.minute({ s2: 7.5 });
    const { api } = at.one.signalbox;
    expect(await loadOf(at, "s2")).toMatchObject({ avgLoad: 7.5 });
    const inLists = [
      (await api.getActiveServers({})).rows.find(({ id }) => id === "s2"),
      (await api.getServers({})).servers["s2"],
      (await api.getServer({ id: "s2" })).server,
    ];
    for (const server of inLists)
      expect(server?.info).toMatchObject({ cpu: { avgLoad: 7.5 }, memory: { active: 7500 } });
  });

  test("keeps the last readings that its node sent while that node does not answer", async () => {
    const at = await setUp({ s1: 1, s2: 2 });
    await loadOf(at, "s2");
    await at.minute({ s2: 7.5 });
    at.cut.add("node_two");
    await at.clock.advance(9);
    expect(await loadOf(at, "s2")).toMatchObject({ avgLoad: 7.5 });
  });
});

/** Id of the server that an event with this algorithm sends its job to. */
async function chosen(algo: string, loads: { readonly s1: number; readonly s2: number }): Promise<string> {
  const at = await setUp({ s1: 5, s2: 5 });
  const event = await at.one.event({ targets: ["main"], algo });
  await loadOf(at, "s2");
  await at.minute(loads);
  const { id } = await at.one.signalbox.api.runEvent({ id: event });
  await at.clock.advance(4);
  const server = Object.entries(at.agents).find(([, sent]) => launched(sent as Agent).length > 0)?.[0];
  at.agents[server as "s1"].send("jobs", { [id]: done() });
  await at.clock.advance(1);
  return String(server);
}

test.each([
  ["least_cpu", { s1: 1, s2: 9 }, "s1"],
  ["least_cpu", { s1: 9, s2: 1 }, "s2"],
  ["least_mem", { s1: 1, s2: 9 }, "s1"],
  ["least_mem", { s1: 9, s2: 1 }, "s2"],
  ["monitor:load_avg", { s1: 1, s2: 9 }, "s1"],
  ["monitor:load_avg", { s1: 9, s2: 1 }, "s2"],
] as const)("%s uses the last minute of all servers: %o", async (algo, loads, server) => {
  expect(await chosen(algo, loads)).toBe(server);
});
