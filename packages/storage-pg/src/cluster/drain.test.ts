import { expect, test } from "vitest";
import { type Node, twoNodes } from "../../test/two-nodes.ts";

const ONE = "one.example.internal";
const TWO = "two.example.internal";
type Satellite = Awaited<ReturnType<Node["join"]>>;

/** The hosts that a satellite was last told about. */
const hosts = ({ received }: Satellite): string =>
  JSON.stringify(received.findLast(({ cmd }) => cmd === "joined" || cmd === "masterData")?.data);
const nodeOf = async ({ api }: Node, id: string) => (await api.getServers({})).servers[id]?.["node"];

async function runningJob({ api }: Node, server: string): Promise<string> {
  const { event } = await api.createEvent({
    ...{ title: "Long", plugin: "shellplug", category: "general", targets: [server], algo: "random", enabled: true },
    ...{ triggers: [{ type: "manual", enabled: true }], params: { script: "true" } },
  });
  return String((await api.runEvent({ id: event.id })).id);
}

test("a draining node hands its satellites, their jobs and the lead to the other one, and still serves", async () => {
  const { one, two, until } = await twoNodes();
  const server = await one.join("s1");
  const deaf = await one.join("s2");
  const commands = () => server.received.map(({ cmd }) => cmd);
  const job = await runningJob(one, "s1");
  await until(commands).toContain("launch_job");
  const neighbour = await two.join("s3");
  await until(() => hosts(server)).toContain(TWO);
  await until(() => hosts(neighbour)).toContain(ONE);
  let isOver = false;
  const stopped = one.stop({ drain: true }).finally(() => {
    isOver = true;
  });
  await until(() => hosts(neighbour)).not.toContain(ONE);
  expect(isOver).toBe(false);
  expect((await one.api.getServers({})).servers["s1"]).toMatchObject({ online: true });
  await until(() => server.received.find(({ cmd }) => cmd === "redirect")?.data).toEqual({ host: TWO });
  server.close();
  const moved = await two.join("s1");
  await until(() => isOver).toBe(true);
  await stopped;
  expect(deaf.closeReason).toBe("This node ends.");
  await until(() => nodeOf(two, "s1")).toBe(two.leadership().node);
  expect(two.leadership().leader).toBe(two.leadership().node);
  moved.send("jobs", { [job]: { state: "complete", complete: true, code: 0 } });
  await until(async () => (await two.api.getJob({ id: job })).job).toMatchObject({ final: true, code: 0 });
  expect(moved.received.map(({ cmd }) => cmd)).not.toContain("launch_job");
});

test("a node drains and ends at the request of another one, and the last one refuses", async () => {
  const { one, two, until } = await twoNodes();
  const server = await one.join("s1");
  const { node } = one.leadership();
  const asked: string[] = [];
  one.events.on("signalbox.asked_to_drain", () => void asked.push("drain"));
  one.events.on("signalbox.stopping", () => void asked.push("stop"));
  await until(() => hosts(server)).toContain(TWO);
  await expect(two.api.drainNode({ node: "nobody" })).rejects.toMatchObject({ code: "node", reason: "unknown" });
  await two.api.drainNode({ node });
  await until(() => two.api.getMasters({})).toMatchObject({ rows: [{ host: TWO }, { stats: { state: "draining" } }] });
  // Draining the node again, and then the other node, would leave no node.
  await two.api.drainNode({ node });
  const own = { node: two.leadership().node };
  await expect(two.api.drainNode(own)).rejects.toMatchObject({ code: "node", reason: "conflict" });
  await until(() => server.received.find(({ cmd }) => cmd === "redirect")?.data).toEqual({ host: TWO });
  server.close();
  await two.join("s1");
  await until(async () => (await two.api.getMasters({})).rows.length).toBe(1);
  await one.stop();
  expect(asked).toEqual(["drain", "stop"]);
  expect(two.leadership()).toMatchObject({ leader: own.node });
  const { rows } = await two.api.searchActivity({ query: "action:peer_drain" });
  expect(rows).toMatchObject([{ node, description: ONE }]);
});

test("one of two nodes that are asked to drain at the same time continues", async () => {
  const { one, two, until, warnings } = await twoNodes();
  const told: string[] = [];
  for (const { events } of [one, two])
    for (const type of ["signalbox.draining", "signalbox.stopping"] as const)
      events.on(type, () => void told.push(type));
  const count = (type: string) => told.filter((each) => each === type).length;
  const [first = "", second = ""] = [one, two].map(({ leadership }) => leadership().node);
  await until(async () => (await one.api.getMasters({})).rows.length).toBe(2);
  await Promise.all([one.api.drainNode({ node: second }), two.api.drainNode({ node: first })]);
  await until(() => count("signalbox.draining") + warnings.filter((text) => text.includes("goes on")).length).toBe(2);
  expect(count("signalbox.draining")).toBeLessThan(2);
  await until(() => count("signalbox.stopping")).toBe(count("signalbox.draining"));
});

test("the last node has no one to hand over to, and waits for nothing", async () => {
  const { one, two, until } = await twoNodes();
  const server = await one.join("s1");
  await until(() => hosts(server)).toContain(TWO);
  await two.stop();
  await until(() => hosts(server)).not.toContain(TWO);
  // The clock stands still.
  await one.stop({ drain: true });
  expect(server.received.map(({ cmd }) => cmd)).not.toContain("redirect");
});

test("a node that stops ends its local jobs at once, so that no other one waits to find them dead", async () => {
  const { one, two, until } = await twoNodes();
  const inside = await one.agent.connect({ id: "inside", hostname: "inside.example.internal" });
  const job = await runningJob(one, "inside");
  await until(() => inside.received.map(({ cmd }) => cmd)).toContain("launch_job");
  await one.stop();
  await until(async () => (await two.api.getJob({ id: job })).job).toMatchObject({
    ...{ final: true, code: "abort" },
    description: "The job was lost when the node that ran it ended.",
  });
});
