import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

async function open(name: string) {
  const config = { tz: "UTC", alert_universal_actions: [] };
  const { admin, agent, clock, limited, next } = await openEngine(name, { config });
  return {
    ...admin,
    clock,
    next,
    async join(id: string, groups: readonly string[]) {
      const server = await agent.connect({ hostname: `${id}.example.internal`, id, initial: { groups } });
      await clock.advance(1);
      return async (data: object) => {
        await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
        const stored = next("server.minute");
        server.send("monitor", { version: "1.0", date: clock.now(), data });
        await stored;
      };
    },
    limited: (groups: readonly string[]) => limited(groups, { create_snapshots: true, delete_snapshots: true }),
  };
}

const data = { load: [1, 2, 3], conns: [{ port: 22 }], processes: { list: [{ pid: 1 }] }, mounts: {}, commands: {} };

describe.each(ONE_STORAGE)("snapshots over %s", (name) => {
  test("a snapshot of a server lives from its creation to its deletion", async () => {
    const at = await open(name);
    const minute = await at.join("s1", ["main"]);
    await minute(data);
    const made = await at.post("create_snapshot", { server: "s1" });
    expect(made).toMatchObject({ status: 200, body: { code: 0, id: expect.stringMatching(/^sn[a-z0-9]{14}$/) } });
    const { id } = made.body;
    const found = await at.get(`search_snapshots/v1?query=server:s1&verbose=1`);
    expect(found.body).toMatchObject({ rows: [{ id, source: "user", data }], list: { length: 1 } });
    const light = await at.get(`search_snapshots/v1?query=%23id:${id}`);
    expect(light.body.rows[0].data).toMatchObject({ load: [1, 2, 3] });
    expect(light.body.rows[0].data).not.toHaveProperty("conns");
    expect((await at.get(`get_snapshot/v1?id=${id}`)).body.snapshot).toEqual(found.body.rows[0]);
    expect((await at.post("delete_snapshot", { id })).text).toBe('{"code":0}\n');
    expect((await at.get(`get_snapshot/v1?id=${id}`)).status).toBe(404);
    expect(await at.post("delete_snapshot", { id })).toMatchObject({ status: 404, body: { code: "snapshot" } });
    expect(await at.post("create_snapshot", { server: "nope" })).toMatchObject({
      status: 404,
      body: { code: "server", description: "Unknown or inactive server: nope" },
    });
  });

  test("a snapshot of a group is visible to callers with access to the group", async () => {
    const at = await open(name);
    await at.post("create_group", { id: "db", title: "DB", hostname_match: "^nothing$" });
    const minute = await at.join("s1", ["db"]);
    await minute(data);
    await at.join("s2", ["main"]);
    const db = await at.limited(["db"]);
    const main = await at.limited(["main"]);
    const { id } = (await db.post("create_group_snapshot", { group: "db" })).body;
    expect((await db.get(`get_snapshot/v1?id=${id}`)).body.snapshot).toMatchObject({
      ...{ type: "group", server: "", groups: ["db"], group_def: { id: "db" } },
      ...{ servers: [{ id: "s1", offline: false }], snapshots: [{ hostname: "s1.example.internal", data }] },
    });
    expect(await main.get(`get_snapshot/v1?id=${id}`)).toMatchObject({ status: 403, body: { code: "access" } });
    expect((await main.get("search_snapshots/v1?limit=10")).body).toMatchObject({ rows: [], list: { length: 0 } });
    expect(await main.post("create_group_snapshot", { group: "db" })).toMatchObject({ status: 403 });
    expect(await main.post("create_snapshot", { server: "s1" })).toMatchObject({ status: 403 });
    expect(await db.post("delete_snapshot", { id })).toMatchObject({
      body: { code: "alert", description: "Group-limited users may not delete server snapshots." },
    });
  });

  test("watches are kept in the global state and take snapshots automatically", async () => {
    const at = await open(name);
    const minute = await at.join("s1", ["main"]);
    expect((await at.post("watch_server", { id: "s1", duration: "3600" })).text).toBe('{"code":0}\n');
    const until = Math.floor(at.clock.now()) + 3600;
    expect((await at.get("get_global_state/v1")).body.state).toMatchObject({
      scheduler: { enabled: true },
      watches: { servers: { s1: until } },
    });
    const taken = at.next("snapshot.created");
    await minute(data);
    const { id } = await taken;
    expect((await at.get(`get_snapshot/v1?id=${id}`)).body.snapshot).toMatchObject({ source: "watch", server: "s1" });
    await at.post("watch_server", { id: "s1", duration: 0 });
    await at.post("watch_group", { id: "main", duration: 60 });
    let ofGroup = "";
    void at.next("snapshot.created").then((created) => {
      ofGroup = created.id;
    });
    await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 30);
    // A round that a busy database delays beyond its mark waits for the next mark.
    await untilOf(at.clock)(() => ofGroup !== "");
    expect((await at.get(`get_snapshot/v1?id=${ofGroup}`)).body.snapshot).toMatchObject({
      ...{ type: "group", source: "watch", servers: [{ id: "s1" }] },
    });
  });

  test("the global state is set by paths and shown to administrators", async () => {
    const at = await open(name);
    await at.post("update_global_state", { "scheduler.enabled": false, "own.deep": { a: [1, "\u0000"] } });
    expect((await at.get("get_global_state/v1")).body.state).toMatchObject({
      scheduler: { enabled: false },
      own: { deep: { a: [1, "\u0000"] } },
    });
    const limited = await at.limited([]);
    expect((await limited.get("get_global_state/v1")).body).toEqual({
      code: 0,
      state: { scheduler: { enabled: false } },
    });
    expect(await at.post("update_global_state", { "a.constructor.b": 1 })).toMatchObject({
      status: 400,
      body: { code: "api", description: "Naughty key detected." },
    });
    await Promise.all(Array.from({ length: 6 }, (_, n) => at.post("update_global_state", { [`race.k${n}`]: n })));
    expect(Object.keys((await at.get("get_global_state/v1")).body.state.race)).toHaveLength(6);
    expect((await at.post("update_global_state", { race: null })).status).toBe(200);
    expect((await at.get("get_global_state/v1")).body.state).not.toHaveProperty("race");
  });
});
