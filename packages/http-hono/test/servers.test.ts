import { setImmediate as nextTurn } from "node:timers/promises";
import { type Clock, systemClock } from "@signalbox/core/adapter";
import type { SignalboxEvents } from "@signalbox/core/plugin";
import type { Storage } from "@signalbox/core/storage";
import { pgStorage } from "@signalbox/storage-pg";
import { describe, expect, test } from "vitest";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE, STORAGES } from "./open-storage.ts";

const KEY = "administrator0123456789abc";

/** Runs at a fifth of the machine's pace: a minute of grace, or of silence, outlasts a few calls on a busy machine. */
function slowClock(): Clock {
  const from = systemClock.now();
  return { ...systemClock, now: () => from + (systemClock.now() - from) / 5 };
}

/** Uses the machine's clock, so that queued work runs by itself. */
async function open(name: string, given?: Storage, clock: Clock = systemClock) {
  const { admin, agent, engine, limited, send } = await openEngine(name, {
    clock,
    administratorKey: KEY,
    administratorPassword: "p",
    config: { tz: "UTC" },
    ...(given ? { storage: given } : {}),
  });
  return {
    ...admin,
    send,
    next: <K extends keyof SignalboxEvents>(type: K, id: string): Promise<void> =>
      new Promise((resolve) => {
        engine.events.on(type, (payload) => {
          if ((payload as { id: string }).id === id) resolve();
        });
      }),
    join: (id: string, initial: object = {}) =>
      agent.connect({ hostname: `${id}.example.internal`, id, initial: { ...initial } }),
    /** The first answer to a satellite that says hello. */
    async greeted(id: string): Promise<string | undefined> {
      const link = agent.open();
      link.send("hello", { hostname: `${id}.example.internal`, id, info: {} });
      while (link.received.length === 0) await nextTurn();
      link.close();
      return link.received[0]?.cmd;
    },
    limited: (groups: readonly string[], privileges = {}) => limited(groups, privileges),
  };
}

const PATTERN = "^web";
const access = (what: string) => ({
  code: "access",
  description: `You do not have the required account privileges to access ${what}.`,
});

describe.each(ONE_STORAGE)("servers over %s", (name) => {
  test("a group lives from create to delete, with its errors", async () => {
    const { get, post } = await open(name);
    const made = await post("create_group", { id: "web", title: "Web", hostname_match: PATTERN, extra: [1] });
    expect(made).toMatchObject({ status: 200, body: { code: 0, group: { id: "web", sort_order: 1, extra: [1] } } });
    expect(await post("create_group", { id: "web", title: "Web", hostname_match: PATTERN })).toMatchObject({
      status: 409,
      body: { code: "group", description: "That Group ID already exists: web" },
    });
    expect(await post("create_group", { title: "Web", hostname_match: "(" })).toMatchObject({
      body: { code: "group", description: expect.stringMatching(/^Invalid hostname match: /) },
    });
    expect((await post("update_group", { id: "web", title: "Webs" })).body).toMatchObject({
      code: 0,
      group: { title: "Webs", revision: 2 },
    });
    expect((await post("multi_update_group", { items: [{ id: "web", sort_order: 0 }] })).text).toBe('{"code":0}\n');
    expect((await get("get_group/v1?id=web")).body.group).toMatchObject({ sort_order: 0, revision: 2 });
    expect((await post("get_group", { id: "web" })).status).toBe(200);
    expect((await get("get_groups/v1")).body.rows.map(({ id }: { id: string }) => id)).toEqual(["main", "web"]);
    expect((await post("delete_group", { id: "web" })).text).toBe('{"code":0}\n');
    expect(await get("get_group/v1?id=web")).toMatchObject({
      status: 404,
      body: { code: "notfound", description: "Failed to locate group: web" },
    });
    expect((await post("delete_group", { id: "web" })).body.description).toBe(
      "Failed to delete group: Error: Item not found",
    );
  });

  test("a server lives from its first connect to its deletion with history", async () => {
    const { get, post, join, next } = await open(name);
    const agent = await join("web1", { title: "Web" });
    expect((await get("get_active_server/v1?id=web1")).body.server).toMatchObject({ groups: ["main"], online: true });
    const update = { id: "web1", title: "Front", maxJobs: 2, ip: "6.6.6.6", enabled: 0 };
    expect((await post("update_server", update)).body).toMatchObject({
      code: 0,
      server: { title: "Front", maxJobs: 2, ip: "127.0.0.1", enabled: false, online: true },
    });
    expect((await post("update_server_data", { id: "web1", data: { a: 1 } })).body).toEqual({
      code: 0,
      data: { a: 1 },
    });
    expect((await get("get_server/v1?id=web1")).body).toMatchObject({
      online: true,
      data: {},
      server: { title: "Front", userData: { a: 1 } },
    });
    const found = await get("search_servers/v1?query=front&limit=5");
    expect(found.body).toMatchObject({ list: { length: 1 }, rows: [{ id: "web1" }] });
    expect(found.headers.get("cache-control")).toBe("no-store");
    expect((await get("get_servers/v1")).body).toMatchObject({ servers: { web1: { title: "Front" } } });
    const left = next("server.removed", "web1");
    agent.close();
    await left;
    expect(await get("get_active_server/v1?id=web1")).toMatchObject({ status: 404, body: { code: "notfound" } });
    expect(await get("delete_server/v1?id=web1&history=0")).toMatchObject({
      body: { code: "server", description: "Server has gone offline: web1" },
    });
    expect((await get("delete_server/v1?id=web1&history=false")).body.code).toBe("server");
    const deleted = next("server.deleted", "web1");
    expect((await get("delete_server/v1?id=web1&history=1")).text).toBe('{"code":0}\n');
    await deleted;
    expect(await get("get_server/v1?id=web1")).toMatchObject({
      status: 404,
      body: { description: "Failed to locate server: web1" },
    });
    expect((await get("search_servers/v1")).body.list.length).toBe(0);
  });

  test("stored automatic servers follow their groups while they are disconnected", async () => {
    const { get, post, join, next } = await open(name);
    const left = next("server.removed", "web1");
    (await join("web1")).close();
    await left;
    const regrouped = next("server.updated", "web1");
    await post("create_group", { id: "web", title: "Web", hostname_match: PATTERN });
    await regrouped;
    expect((await get("search_servers/v1?query=groups:web")).body.rows).toMatchObject([{ groups: ["main", "web"] }]);
  });

  test("limited callers see only their own servers in every list and search", async () => {
    const { post, join, limited } = await open(name);
    for (const id of ["mine", "other"]) await post("create_group", { id, title: id, hostname_match: `^${id}` });
    for (const id of ["mine1", "other1"]) await join(id, { groups: [id.slice(0, -1)] });
    const { get, post: change } = await limited(["mine"], { update_servers: true });
    for (const list of ["get_active_servers", "get_servers", "search_servers", "get_groups", "get_quickmon_data"])
      expect((await get(`${list}/v1?limit=100`)).text).not.toMatch(/other/);
    expect((await get("search_servers/v1?query=groups:other|*&limit=100")).text).not.toMatch(/other/);
    expect((await get("search_servers/v1?limit=100")).body.list.length).toBe(1);
    expect((await get("get_server_summaries/v1")).body.summaries.cpu_brand.values).toEqual({ unknown: 1 });
    expect((await get("get_server/v1?id=other1")).body).toEqual(access("targets: other"));
    expect(await change("update_server", { id: "other1", title: "Mine" })).toMatchObject({
      status: 403,
      body: access("server ID other1"),
    });
    expect((await change("update_server", { id: "mine1", groups: ["other"] })).body.description).toBe(
      "You do not have the required account privileges to assign the requested server groups.",
    );
  });
});

describe.each(STORAGES)("concurrent writers over %s", (name) => {
  test("keep all of fifty changes of user data", async () => {
    const { get, post, join } = await open(name);
    await join("web1");
    const keys = Array.from({ length: 50 }, (_value, n) => `k${n}`);
    const answers = await Promise.all(
      keys.map((key) => post("update_server_data", { id: "web1", data: { [key]: 1 } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { userData } = (await get("get_active_server/v1?id=web1")).body.server;
    expect(Object.keys(userData).toSorted()).toEqual(keys.toSorted());
  });
});

test("a session cookie may not change servers through a link", async () => {
  const { send, join } = await open("memory");
  await join("web1");
  const login = await send("/api/user/login/v1", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin", password: "p" }),
  });
  const [cookie = ""] = (login.headers.get("set-cookie") ?? "").split(";");
  for (const path of ["delete_server/v1?id=web1&history=1", "update_server/v1?id=web1&title=x"])
    expect((await send(`/api/app/${path}`, { headers: { cookie } })).body).toMatchObject({ code: "session" });
  expect((await send("/api/app/get_active_server/v1?id=web1", { headers: { cookie } })).body.server).toMatchObject({
    id: "web1",
  });
});

test("a change of a server on one node reaches the node that it is connected to", async () => {
  const connectionString = await lendDatabase();
  const clock = slowClock();
  const here = await open("postgres", pgStorage({ connectionString, clock }), clock);
  const there = await open("postgres", pgStorage({ connectionString, clock }), clock);
  await there.post("create_group", { id: "hand", title: "By hand", hostname_match: "^nobody$" });
  // The other node hears of the group at some later time.
  while ((await here.get("get_group/v1?id=hand")).body.code !== 0) await nextTurn();
  const agent = await there.join("web1");
  await here.post("update_server", { id: "web1", enabled: false, groups: ["hand"] });
  const isTold = (): boolean =>
    agent.received.some(
      ({ cmd, data }) => cmd === "update" && String((data as { groups?: string[] }).groups) === "hand",
    );
  // The other node's message is on its way; only the agent shows that it has arrived.
  while (!isTold()) await nextTurn();
  expect((await there.get("get_active_server/v1?id=web1")).body.server).toMatchObject({ enabled: false });
  let isGone = false;
  void there.next("server.removed", "web1").then(() => {
    isGone = true;
  });
  await here.post("delete_server", { id: "web1", history: true });
  // If a node already knows where the server is connected, it asks the server to leave; otherwise the server is cut off.
  while (!isGone) {
    if (agent.received.some(({ cmd }) => cmd === "uninstall")) agent.close();
    await nextTurn();
  }
  while ((await there.get("search_servers/v1")).body.list.length > 0) await nextTurn();
  // The list of deleted servers is reread when the message arrives.
  while ((await there.greeted("web1")) !== "uninstall") await nextTurn();
  expect(await here.greeted("web1")).toBe("uninstall");
  expect(await there.greeted("web2")).toBe("hello");
});
