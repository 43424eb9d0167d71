import { expect, test } from "vitest";
import { keyWith } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { type Actor, systemActor } from "../../kernel/calls/context.ts";
import type { LiveUpdate } from "./model.ts";
import type { UpdateStream } from "./operations.ts";

const start = useFleets();

/** An engine with a scripted agent, and streams whose full lists of servers are collected. */
async function setUp() {
  const fleet = await start();
  return {
    ...fleet,
    connect: (id: string) => fleet.agent.connect({ hostname: id, id, initial: { title: id } }),
    async listen(actor: Actor = systemActor) {
      const lists: Record<string, Record<string, { online: boolean }>>[] = [];
      const call = { operation: "stream_updates", input: {}, actor };
      const { updates } = (await fleet.signalbox.execute(call)) as UpdateStream;
      const read = async (): Promise<void> => {
        for await (const { cmd, data } of updates as AsyncIterable<LiveUpdate>)
          if (cmd === "update" && "servers" in data) lists.push(data as never);
      };
      void read();
      await fleet.clock.advance(1);
      lists.length = 0;
      return lists;
    },
  };
}

test("a server that connects, changes or leaves is sent with the lists of connected and recent servers", async () => {
  const at = await setUp();
  const lists = await at.listen();
  const server = await at.connect("s1");
  await at.clock.advance(1.5);
  expect(lists).toMatchObject([{ servers: { s1: { title: "s1", online: true } }, serverCache: {} }]);
  await at.signalbox.api.updateServer({ id: "s1", title: "Box" });
  await at.clock.advance(1.5);
  expect(lists.slice(1)).toMatchObject([{ servers: { s1: { title: "Box" } } }]);
  server.close();
  await at.clock.advance(1.5);
  expect(lists.slice(2)).toEqual([
    { servers: {}, serverCache: { s1: expect.objectContaining({ title: "Box", online: false }) } },
  ]);
});

test("these lists are sent each minute with the facts of servers, and no more often without a change", async () => {
  const at = await setUp();
  const server = await at.connect("s1");
  const lists = await at.listen();
  await at.minute(server, { load: [2.5] });
  lists.length = 0;
  await at.clock.advance(60);
  expect(lists).toMatchObject([{ servers: { s1: { info: { monitors: { load_avg: 2.5 } } } } }]);
});

test("a limited caller gets only the servers within reach", async () => {
  const at = await setUp();
  await at.signalbox.api.createGroup({ id: "web", title: "Web", hostname_match: "^web" });
  const lists = await at.listen(keyWith([], { groups: ["web"] }));
  for (const id of ["web1", "db1"]) (await at.connect(id)).close();
  await at.connect("web2");
  await at.connect("db2");
  await at.clock.advance(1.5);
  const last = lists.at(-1);
  expect([Object.keys(last?.["servers"] ?? {}), Object.keys(last?.["serverCache"] ?? {})]).toEqual([
    ["web2"],
    ["web1"],
  ]);
});

test("the list of a fleet of more than a hundred servers is not sent, but read by the client", async () => {
  const at = await setUp();
  const lists = await at.listen();
  for (let count = 0; count < 101; count++) await at.connect(`s${count}`);
  await at.clock.advance(1.5);
  expect(lists.filter(({ servers }) => Object.keys(servers ?? {}).length > 100)).toEqual([]);
  const seen = lists.length;
  await at.clock.advance(120);
  expect(lists.length).toBe(seen);
});
