import { expect, test } from "vitest";
import { type Node, twoNodes } from "../../test/two-nodes.ts";

test("a key that two nodes used for the first time in the same minute has the later of both times", async () => {
  const { clock, errors, one, two, until } = await twoNodes();
  const { api_key, plain_key: apiKey } = await one.api.createApiKey({ title: "Script" });
  const use = (node: Node) => node.execute({ operation: "get_tags", input: {}, credentials: { apiKey } });
  const isKnown = async () => (await two.api.getApiKeys()).rows.some(({ id }) => id === api_key.id);
  await until(isKnown).toBe(true);
  await use(one);
  await clock.advance(1);
  await use(two);
  const last = Math.floor(clock.now());
  await clock.advance(120);
  await until(async () => (await one.api.getApiKey({ id: api_key.id })).api_key.last_used).toBe(last);
  expect(errors).toEqual([]);
});
