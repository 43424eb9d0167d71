import { expect, test } from "vitest";
import { limitedTo, useFleets } from "../../../test/fleet.ts";
import minute from "../../testing/fixtures/agent-monitor.json" with { type: "json" };

const start = useFleets();
const web = { hostname: "Web01.example.internal" };

test("a connected server without a minute yet has empty data", async () => {
  const fleet = await start();
  await fleet.agent.connect({ ...web, id: "s1" });
  expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).toEqual({});
});

test("a server is read with the last minute and the short names of its parts", async () => {
  const fleet = await start();
  const server = await fleet.agent.connect({ ...web, id: "s1" });
  await fleet.minute(server, minute.data);
  const { data } = await fleet.signalbox.api.getServer({ id: "s1" });
  expect(data).toMatchObject({
    version: "1.0",
    server: "s1",
    groups: ["main"],
    cpu: { cores: 2 },
    mem: { total: 25276502016 },
    disk: { root: { use: 32.21 } },
    net: { conns: 5 },
    data: { monitors: { load_avg: 3.95, open_files: 1232 }, missing: [] },
  });
  expect(data).not.toHaveProperty("id");
});

test("unknown servers are not found", async () => {
  const fleet = await start();
  await expect(fleet.signalbox.api.getServer({ id: "nope" })).rejects.toMatchObject({
    code: "notfound",
    description: "Failed to locate server: nope",
  });
});

test("callers limited to other groups see no servers", async () => {
  const fleet = await start();
  await fleet.agent.connect({ ...web, id: "s1" });
  const db = fleet.signalbox.as(limitedTo("db"));
  expect((await db.getActiveServers()).rows).toEqual([]);
  const refused = {
    code: "access",
    description: "You do not have the required account privileges to access targets: main.",
  };
  await expect(db.getServer({ id: "s1" })).rejects.toMatchObject(refused);
  await expect(db.getActiveServer({ id: "s1" })).rejects.toMatchObject(refused);
  expect((await fleet.signalbox.as(limitedTo("main")).getActiveServers()).rows).toHaveLength(1);
});

test("the fresh store has the main group, and limited callers see their own groups only", async () => {
  const fleet = await start();
  expect((await fleet.signalbox.api.getGroups()).rows).toMatchObject([
    { id: "main", title: "Main Group", hostname_match: ".+", sort_order: 0, username: "admin" },
  ]);
  const db = fleet.signalbox.as(limitedTo("db"));
  expect((await db.getGroups()).rows).toEqual([]);
  await expect(db.getGroup({ id: "main" })).rejects.toMatchObject({
    description: "You do not have the required account privileges to access group ID main.",
  });
  await expect(fleet.signalbox.api.getGroup({ id: "nope" })).rejects.toThrow("Failed to locate group: nope");
});
