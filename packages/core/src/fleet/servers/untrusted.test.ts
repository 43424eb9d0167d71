import { describe, expect, test } from "vitest";
import { type Fleet, SECRET_KEY, useFleets } from "../../../test/fleet/fleet.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { isNearAddress } from "./rules/joining/addresses.ts";

const start = useFleets();
const join = { serverKey: SECRET_KEY };
const warningsIn = async ({ storage }: Fleet): Promise<string[]> => {
  const rows = await storage.read((tx) => tx.collection(activityCollection).list());
  return rows.filter(({ action }) => action === "warning").map(({ description }) => String(description));
};

describe("more than five messages a second", () => {
  test("about jobs are joined into one with the latest values of each job and everything that was pushed", async () => {
    const { agent, clock, told } = await start();
    const server = await agent.connect({ hostname: "web01", id: "s1", join });
    for (let count = 1; count <= 9; count++)
      server.send("jobs", {
        j1: { progress: count / 10, push: { tags: [`t${count}`] } },
        [`j${count + 1}`]: { count },
      });
    const passed = () => told.jobs.filter(({ what }) => what === "received").map(({ message }) => message?.data);
    expect(passed()).toHaveLength(5);
    await clock.advance(2);
    expect(passed()).toHaveLength(6);
    expect(passed().at(-1)).toEqual({
      j1: { progress: 0.9, push: { tags: ["t6", "t7", "t8", "t9"] } },
      ...{ j7: { count: 6 }, j8: { count: 7 }, j9: { count: 8 }, j10: { count: 9 } },
    });
  });

  test("are processed before the server leaves", async () => {
    const { agent, told } = await start();
    const server = await agent.connect({ hostname: "web01", id: "s1", join });
    for (let count = 1; count <= 6; count++)
      server.send("jobs", { j1: { state: count === 6 ? "complete" : "active" } });
    server.close();
    expect(told.jobs.map(({ what, message }) => message?.data ?? what).slice(-2)).toEqual([
      { j1: { state: "complete" } },
      "gone",
    ]);
  });

  test("are allowed for an agent of this process", async () => {
    const { agent, told } = await start();
    const server = await agent.connect({ hostname: "web01", id: "s1" });
    for (let count = 1; count <= 9; count++) server.send("jobs", { j1: { count } });
    expect(told.jobs.filter(({ what }) => what === "received")).toHaveLength(9);
  });
});

describe("a token that crosses the public network unencrypted", () => {
  const plain = { hostname: "far", id: "s1", ip: "203.0.113.7", join, plain: true };

  test("gives one warning per server", async () => {
    const fleet = await start();
    const first = await fleet.agent.connect(plain);
    await fleet.settle();
    first.close();
    await fleet.agent.connect(plain);
    await fleet.settle();
    expect(await warningsIn(fleet)).toEqual([
      "Server connects over the public network without encryption: far (203.0.113.7)",
    ]);
  });

  test.each([
    ["a private address", { ip: "10.1.2.3" }],
    ["an encrypted connection", { plain: false }],
  ])("gives no warning with %s", async (_fact, change) => {
    const fleet = await start();
    await fleet.agent.connect({ ...plain, ...change });
    await fleet.settle();
    expect(await warningsIn(fleet)).toEqual([]);
  });
});

test.each([
  "127.0.0.1",
  "::1",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.9.9",
  "192.168.1.1",
  "fd12::1",
  "fe80::1",
  "::ffff:10.0.0.1",
])("%s is a local address", (ip) => expect(isNearAddress(ip)).toBe(true));
test.each(["172.32.0.1", "11.0.0.1", "203.0.113.7", "2001:db8::1", "::ffff:8.8.8.8", ""])(
  "%s is a public address",
  (ip) => expect(isNearAddress(ip)).toBe(false),
);

test("the five failures of an address count from the first one on, not by the clock's minutes", async () => {
  const { agent, clock } = await start();
  const wrong = { hostname: "bad", join: { token: "x" } } as const;
  await clock.advanceTo(Math.ceil(clock.now() / 60) * 60 + 58);
  for (let count = 0; count < 5; count++) await expect(agent.connect(wrong)).rejects.toThrow("Invalid");
  await clock.advance(4);
  await expect(agent.connect(wrong)).rejects.toThrow("Too many failed attempts");
});

test("five new servers are announced to twenty connected ones, two are not", async () => {
  const { agent, clock } = await start();
  const servers: ScriptedServer[] = [];
  for (let count = 0; count < 20; count++)
    servers.push(await agent.connect({ hostname: `h${count}`, id: `s${count}` }));
  await clock.advance(1);
  const counts = () =>
    servers.map(({ received }) => received.filter(({ cmd }) => cmd === "update").at(-1)?.data ?? "none").slice(0, 1);
  expect(counts()).toEqual([{ numServers: 20 }]);
  for (let count = 20; count < 22; count++) await agent.connect({ hostname: `h${count}`, id: `s${count}` });
  await clock.advance(1);
  expect(counts()).toEqual([{ numServers: 20 }]);
  await agent.connect({ hostname: "h22", id: "s22" });
  await clock.advance(1);
  expect(counts()).toEqual([{ numServers: 23 }]);
});
