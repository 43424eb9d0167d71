import { describe, expect, test } from "vitest";
import { type Fleet, SECRET_KEY, useFleets } from "../../../test/fleet/fleet.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { groupCollection } from "../../directory/groups/collection.ts";
import { Group } from "../../directory/groups/model.ts";
import { systemActor } from "../../kernel/calls/context.ts";
import { credentials, defineCommand } from "../../kernel/calls/operation.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import hello from "../../testing/fixtures/agent-hello.json" with { type: "json" };
import minute from "../../testing/fixtures/agent-monitor.json" with { type: "json" };
import { Done } from "../../wire/schemas/lists.ts";
import { serverCollection } from "./collection.ts";

const start = useFleets();
const web = { hostname: "Web01.example.internal", info: hello.info };
const actionsIn = async ({ storage }: Fleet): Promise<string[]> => {
  const rows = await storage.read((tx) => tx.collection(activityCollection).list());
  return rows.map(({ action, description }) => `${action}: ${description}`);
};

describe("joining", () => {
  test("a trusted agent gets an id, a record and the welcome", async () => {
    const fleet = await start();
    const server = await fleet.agent.connect(web);
    expect(server.id).toMatch(/^s[a-z0-9]{15}$/);
    expect(server.received.map(({ cmd }) => cmd)).toEqual(["hello", "joined"]);
    expect((await server.message("joined")).data).toMatchObject({
      config: { airgap: { enabled: false } },
      masterData: { masters: ["localhost"] },
      groups: ["main"],
      numServers: 1,
    });
    const { rows, list } = await fleet.signalbox.api.getActiveServers();
    expect(list.length).toBe(1);
    expect(rows[0]).toMatchObject({
      id: server.id,
      hostname: "web01.example.internal",
      ip: "127.0.0.1",
      enabled: true,
      autoGroup: true,
      groups: ["main"],
      online: true,
      info: { cpu: { combo: "Intel Xeon® Processor" }, monitors: {}, deltas: {} },
    });
    expect(await actionsIn(fleet)).toContain(
      "server_add: Server connected to the network: web01.example.internal (127.0.0.1)",
    );
    expect(fleet.told.jobs).toEqual([{ server: server.id, what: "joined" }]);
  });

  test.each([
    ["the cluster key", { clusterKey: SECRET_KEY }],
    ["the key of its id", { serverKey: SECRET_KEY }],
  ])("an agent with %s joins", async (_fact, join) => {
    const { agent } = await start();
    const server = await agent.connect({ ...web, id: "s1", ip: "10.0.0.9", join });
    expect(server.isOpen).toBe(true);
  });

  test("a wrong token is refused permanently and recorded, and nothing is stored", async () => {
    const fleet = await start();
    await expect(fleet.agent.connect({ ...web, join: { clusterKey: "another key" } })).rejects.toThrow(
      "Invalid authentication token.",
    );
    await fleet.settle();
    expect(await fleet.storage.read((tx) => tx.collection(serverCollection).list())).toEqual([]);
    expect(await actionsIn(fleet)).toContain(
      "warning: Server authentication failure (mismatched secret keys): web01.example.internal (127.0.0.1)",
    );
  });

  test("an address that failed five times in a minute is told to reconnect later", async () => {
    const { agent, clock } = await start();
    const wrong = { ...web, join: { token: "x" } } as const;
    for (let count = 0; count < 5; count++) await expect(agent.connect(wrong)).rejects.toThrow("Invalid");
    await expect(agent.connect({ ...web, join: { clusterKey: SECRET_KEY } })).rejects.toThrow(
      "Too many failed attempts",
    );
    await clock.advance(60);
    expect((await agent.connect({ ...web, join: { clusterKey: SECRET_KEY } })).isOpen).toBe(true);
  });

  test("enrolling with the cluster key can be disabled, and known servers still join", async () => {
    const { agent } = await start({ config: { satellite: { allow_secret_key_join: false } } });
    await expect(agent.connect({ ...web, join: { clusterKey: SECRET_KEY } })).rejects.toThrow("Invalid");
    expect((await agent.connect({ ...web, id: "s1", join: { serverKey: SECRET_KEY } })).isOpen).toBe(true);
  });

  test("an id in use by another hostname is refused and the server stays", async () => {
    const fleet = await start();
    const first = await fleet.agent.connect({ ...web, id: "s1" });
    await expect(fleet.agent.connect({ hostname: "other", id: "s1" })).rejects.toThrow(
      "Server with duplicate ID attempting to connect to the network: s1 (other)",
    );
    expect(first.isOpen).toBe(true);
    expect((await fleet.signalbox.api.getActiveServers()).rows).toHaveLength(1);
  });

  test("an unknown agent does not learn that an id is in use, and cannot fill the log with it", async () => {
    const fleet = await start();
    await fleet.agent.connect({ ...web, id: "s1" });
    const stranger = { hostname: "other", id: "s1", ip: "10.0.0.9", join: { token: "x" } } as const;
    for (let count = 0; count < 5; count++) await expect(fleet.agent.connect(stranger)).rejects.toThrow("Invalid");
    for (let count = 0; count < 5; count++) await expect(fleet.agent.connect(stranger)).rejects.toThrow("Too many");
    expect((await actionsIn(fleet)).filter((row) => row.startsWith("warning"))).toHaveLength(5);
  });

  test("the newer connection of a server wins, and the end of the older one changes nothing", async () => {
    const fleet = await start();
    const older = await fleet.agent.connect({ ...web, id: "s1" });
    const newer = await fleet.agent.connect({ ...web, id: "s1" });
    await fleet.settle();
    expect([older.isOpen, newer.isOpen]).toEqual([false, true]);
    expect((await fleet.signalbox.api.getActiveServers()).rows).toHaveLength(1);
    expect((await actionsIn(fleet)).filter((row) => row.startsWith("server_remove"))).toEqual([]);
  });

  test("a malformed hello ends the connection", async () => {
    const { agent } = await start();
    const server = agent.open();
    server.send("hello", { hostname: 5 });
    expect(server.closeReason).toBe("Malformed hello message.");
  });

  test("a connection without a message for 30 seconds is closed", async () => {
    const { agent, clock } = await start();
    const server = agent.open();
    await clock.advance(29);
    expect(server.isOpen).toBe(true);
    await clock.advance(2);
    expect(server.closeReason).toBe("Authentication took too long.");
  });

  test("before the join no other message is processed", async () => {
    const { agent, told } = await start();
    const server = agent.open();
    server.send("jobs", {});
    server.send("monitor", minute);
    expect(told.jobs).toEqual([]);
  });

  test("a server that reconnects keeps title and groups, and a new address is recorded", async () => {
    const fleet = await start();
    const initial = { title: "Web", groups: ["main", "nowhere"] };
    const first = await fleet.agent.connect({ ...web, id: "s1", initial });
    first.close();
    await fleet.settle();
    await fleet.agent.connect({ ...web, id: "s1", ip: "10.0.0.9", initial: { title: "Changed" } });
    const { rows } = await fleet.signalbox.api.getActiveServers();
    expect(rows[0]).toMatchObject({ title: "Web", groups: ["main"], autoGroup: false, ip: "10.0.0.9" });
    expect(await actionsIn(fleet)).toContain("warning: Server IP address has changed: 127.0.0.1 to: 10.0.0.9");
  });
});

describe("leaving", () => {
  test("a server that disconnects is recorded and still found for a while", async () => {
    const fleet = await start();
    const server = await fleet.agent.connect({ ...web, id: "s1" });
    await fleet.minute(server, minute.data);
    const removed = fleet.next("server.removed");
    server.close();
    expect(await removed).toMatchObject({ id: "s1", hostname: "web01.example.internal", groups: ["main"] });
    expect((await fleet.signalbox.api.getActiveServers()).rows).toEqual([]);
    expect(await fleet.signalbox.api.getServer({ id: "s1" })).toMatchObject({
      online: false,
      server: { online: false },
    });
    await expect(fleet.signalbox.api.getActiveServer({ id: "s1" })).rejects.toThrow("Failed to locate server: s1");
    expect(await actionsIn(fleet)).toContain(
      "server_remove: Server disconnected from the network: web01.example.internal (127.0.0.1)",
    );
    expect(fleet.told.jobs.map(({ what }) => what)).toEqual(["joined", "gone"]);
  });

  test("an agent that does not answer echoes is disconnected, and one that does stays", async () => {
    const { agent, clock } = await start();
    const join = { serverKey: SECRET_KEY };
    const silent = await agent.connect({ hostname: "silent", id: "s1", join, answersEcho: false });
    const alive = await agent.connect({ hostname: "alive", id: "s2", join });
    await clock.advance(40);
    expect([silent.closeReason, alive.isOpen]).toEqual(["Ping timeout.", true]);
    const echoes = alive.received.filter(({ cmd }) => cmd === "echo").length;
    expect(echoes).toBeGreaterThanOrEqual(7);
    expect(echoes).toBeLessThanOrEqual(9);
  });

  test("a stop of the engine does not count as a disconnect", async () => {
    const fleet = await start();
    await fleet.agent.connect({ ...web, id: "s1" });
    await fleet.signalbox.stop();
    expect((await actionsIn(fleet)).filter((row) => row.startsWith("server_remove"))).toEqual([]);
    expect(fleet.told.jobs.map(({ what }) => what)).toEqual(["joined"]);
  });
});

describe("messages", () => {
  test("agents' messages about jobs go to the inbox of jobs", async () => {
    const fleet = await start();
    const server = await fleet.agent.connect({ ...web, id: "s1" });
    for (const cmd of ["jobs", "job_log", "job_meta"]) server.send(cmd, { id: "j1" });
    expect(fleet.told.jobs.slice(1).map(({ server: id, message }) => [id, message?.cmd])).toEqual([
      ["s1", "jobs"],
      ["s1", "job_log"],
      ["s1", "job_meta"],
    ]);
  });

  test("remarks of agents go into the activity log, sixty an hour at most", async () => {
    const fleet = await start();
    const server = await fleet.agent.connect({ ...web, id: "s1" });
    for (let count = 0; count < 70; count++)
      server.send("notice", { description: `Upgraded ${count}`, details: { a: 1 } });
    server.send("critical", "nonsense");
    await fleet.settle();
    const notices = (await actionsIn(fleet)).filter((row) => row.startsWith("notice"));
    expect(notices).toHaveLength(60);
    expect(notices[0]).toBe("notice: Upgraded 0");
  });

  test("invalid messages of an agent never get beyond their handler", async () => {
    const fleet = await start();
    const server = await fleet.agent.connect({ ...web, id: "s1" });
    for (const data of [null, 5, "x", [], { date: "x" }, { date: 1, data: [] }, { date: 1 }]) {
      for (const cmd of ["monitor", "quickmon", "echoback", "notice", "hello", "join", "unheard_of"])
        server.send(cmd, data);
    }
    await fleet.settle();
    await fleet.minute(server, minute.data);
    expect((await fleet.signalbox.api.getServer({ id: "s1" })).online).toBe(true);
  });
});

test("a new group adds connected servers and informs their agents", async () => {
  const makeGroup = defineCommand({
    name: "make_group",
    method: "POST",
    summary: "Insert a group.",
    access: credentials,
    input: Group,
    output: Done,
    async handler(group, { tx }) {
      await tx.collection(groupCollection).insert(group);
      return {};
    },
  });
  const fleet = await start({ plugins: [definePlugin({ id: "test.groups", operations: [makeGroup] })] });
  const server = await fleet.agent.connect({ ...web, id: "s1" });
  const { group } = await fleet.signalbox.api.getGroup({ id: "main" });
  const updated = fleet.next("server.updated");
  await fleet.signalbox.execute({
    operation: "make_group",
    actor: systemActor,
    input: { ...group, id: "web", hostname_match: "^web" },
  });
  await updated;
  await fleet.settle();
  const told = server.received.filter(({ cmd, data }) => cmd === "update" && Object.hasOwn(data as object, "groups"));
  expect(told).toMatchObject([{ data: { groups: ["main", "web"] } }]);
  expect((await fleet.storage.read((tx) => tx.collection(serverCollection).get("s1")))?.groups).toEqual([
    "main",
    "web",
  ]);
});
