import { expect, test } from "vitest";
import { type Node, twoNodes } from "../../test/two-nodes.ts";

const HOSTS = ["one.example.internal", "two.example.internal"];

/** Activity rows about nodes, except for the first election: whether it comes before the nodes have met is a race. */
async function told({ api }: Node): Promise<unknown[]> {
  const { rows } = await api.searchActivity({ query: "action:peer_add|peer_disconnect|master_primary", limit: 100 });
  const all = rows.map(({ action, description, reason }) => [action, description, reason].join(" ").trim());
  return all.filter((row) => row !== `master_primary ${HOSTS[0]}`).toSorted();
}

test("each node answers all nodes, the leader, and the number of their satellites", async () => {
  const { one, two, until } = await twoNodes();
  await two.join("s2");
  const list = async ({ api }: Node) => (await api.getMasters({})).rows;
  const satellites = async (node: Node) =>
    Object.fromEntries((await list(node)).map(({ host, stats }) => [host, stats.satellites]));
  for (const node of [one, two])
    await until(() => satellites(node)).toEqual({ [String(HOSTS[0])]: 0, [String(HOSTS[1])]: 1 });
  await until(async () => (await list(two)).map(({ host, master }) => [host, master])).toEqual([
    [HOSTS[1], false],
    [HOSTS[0], true],
  ]);
  const [own, other] = await list(two);
  expect(own).toMatchObject({
    version: expect.stringMatching(/^\d/),
    protocol: 1,
    online: true,
    ping: 0,
    stats: { state: "up" },
  });
  expect(other).toMatchObject({ id: two.leadership().leader, online: true });
  const { masters, servers } = await one.api.getServers({});
  expect(Object.keys(masters).toSorted()).toEqual(HOSTS);
  expect(masters[String(HOSTS[1])]).toMatchObject({ id: HOSTS[1], node: own?.id, master: false });
  expect(servers["s2"]).toMatchObject({ online: true, node: own?.id });
  expect((await one.api.searchServers({ query: "*" })).rows).toMatchObject([{ id: "s2", node: own?.id }]);
});

test("a satellite knows the other nodes as well, and is told when they leave", async () => {
  const { one, two, until } = await twoNodes();
  const server = await one.join("s1");
  const hosts = () =>
    server.received.flatMap(({ cmd, data }) => (/^(joined|masterData)$/.test(cmd) ? [mastersOf(data)] : []));
  await until(() => hosts().at(-1)).toEqual(["localhost", ...Array.from({ length: 8 }, () => HOSTS[1])]);
  await two.stop();
  await until(() => hosts().at(-1)).toEqual(["localhost"]);
});

/** Masters in a welcome, or in a separate message. */
const mastersOf = (data: unknown): unknown => Object(data)["masters"] ?? Object(Object(data)["masterData"])["masters"];

test("rows of the activity log report nodes that join, leave and lead", async () => {
  const { one, two, until } = await twoNodes();
  await until(() => told(two)).toEqual([`peer_add ${HOSTS[1]}`]);
  await until(async () => (await one.api.getMasters({})).rows.length).toBe(2);
  await one.stop();
  await until(() => told(two)).toEqual([
    `master_primary ${HOSTS[1]}`,
    `peer_add ${HOSTS[1]}`,
    `peer_disconnect ${HOSTS[0]} left`,
  ]);
});
