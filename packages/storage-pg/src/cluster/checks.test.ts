import type { WebHookClient } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { twoNodes } from "../../test/two-nodes.ts";

const COUNT = 12;

test("nodes share checks without running one twice, and a satellite of either runs the other's checks", async () => {
  const asked: string[] = [];
  const webHooksOf = (node: string): WebHookClient => ({
    send: async () => Promise.reject(new Error("Not asked here")),
    probe: async (probe) => {
      asked.push(`${node} ${"host" in probe ? probe.host : ""}`);
      return { elapsedMs: 1 };
    },
  });
  const { clock, one, two, until } = await twoNodes({ webHooksOf });
  const satellite = await two.join("s2");
  const port = { type: "tcp", port: 1, every: 86_400 } as const;
  for (let at = 0; at < COUNT; at++) await one.api.createCheck({ ...port, id: `c${at}`, title: "C", host: `h${at}` });
  await one.api.createCheck({ ...port, id: "far", title: "Far", host: "h", every: 60, from: ["s2"] });

  await until(() => asked.length).toBeGreaterThanOrEqual(COUNT);
  await until(() => JSON.stringify(satellite.received).includes("signalbox_checks")).toBe(true);
  satellite.send("monitor", {
    ...{ version: "1.0", date: clock.now() },
    data: { commands: { signalbox_checks: { far: { ms: 3, words: [], heard: false, address: "192.0.2.1" } } } },
  });
  await until(async () => (await one.api.getCheck({ id: "far" })).results.length).toBe(1);
  expect((await one.api.getCheck({ id: "far" })).places).toMatchObject([{ place: "s2", fresh: true }]);
  const hosts = asked.map((each) => each.split(" ")[1]);
  expect(hosts.toSorted()).toEqual(Array.from({ length: COUNT }, (_each, at) => `h${at}`).toSorted());
  expect(new Set(asked.map((each) => each.split(" ")[0])).size).toBe(2);
});
