import { expect, test } from "vitest";
import { twoNodes } from "../../../../test/fleet/node-pair.ts";

test("a server is silent since its last minute, although its node died with the record of it", async () => {
  const { clock, cut, one, two } = await twoNodes();
  const agent = await two.connect({
    ...{ id: "s2", hostname: "s2.example.internal", initial: { groups: ["main"] } },
    join: { clusterKey: "EXAMPLE_CLUSTER_KEY" },
  });
  for (let jobs = 1; jobs <= 4; jobs++) {
    await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 65);
    agent.send("monitor", { version: "1.0", date: clock.now(), data: { jobs } });
    await clock.advance(4);
  }
  const last = Math.floor(clock.now()) - 4;
  cut.add("node_two");
  await clock.advance(240);
  const { api } = one.signalbox;
  expect((await api.getServer({ id: "s2" })).online).toBe(false);
  const since = (at: number) =>
    api.testAlert({ server: "s2", expression: `presence.since == ${at}`, message: "{{presence.since}}" });
  expect(await since(last)).toEqual({ result: true, message: String(last) });
});
