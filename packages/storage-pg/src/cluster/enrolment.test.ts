import { anonymous, localClient, type StreamResult } from "@signalbox/core/plugin";
import { expect, test } from "vitest";
import { type Node, twoNodes } from "../../test/two-nodes.ts";

const fetched = async (node: Node, name: "config" | "install", input: Readonly<Record<string, unknown>>) => {
  const { body } = (await node.execute({
    ...{ operation: "satellite", input, actor: anonymous },
    client: { ...localClient, pathSuffix: name, baseUrl: "https://ops.example.com", method: "GET" },
  })) as StreamResult;
  return body ? Buffer.concat(await Array.fromAsync(body)).toString() : "";
};
const initialOf = async (node: Node, t: string) => JSON.parse(await fetched(node, "config", { t })).initial;

test("a token for new agents is valid on every node, with the members given on any node, until it ends", async () => {
  const { clock, one, two } = await twoNodes();
  const { token: t } = await one.api.getSatelliteToken({ title: "Web", groups: ["main"], expires: 60 });
  expect(await initialOf(two, t)).toMatchObject({ title: "Web", groups: ["main"] });
  expect(await fetched(two, "install", { t, os: "linux", icon: "server" })).toContain(t);
  expect(await initialOf(one, t)).toMatchObject({ title: "Web", icon: "server" });
  // The node that made the token has stopped, as in an update.
  await one.stop();
  expect(await initialOf(two, t)).toMatchObject({ title: "Web", icon: "server" });
  await clock.advance(61);
  await expect(initialOf(two, t)).rejects.toMatchObject({ code: "satellite", description: "Access denied." });
});
