import { describe, expect, test } from "vitest";
import { openFlows } from "./open-flows.ts";
import { newStore, ONE_STORAGE, STORAGES } from "./open-storage.ts";

const MULTIPLEX = {
  nodes: { m: { controller: "multiplex" }, a: { type: "job", data: { plugin: "shellplug", targets: ["main"] } } },
  wires: ["start>m", "m>a"],
};
const hot = { id: "hot", title: "Too hot", expression: "temp >= 50", message: "{{temp}} degrees" };

describe.each(ONE_STORAGE)("workflows over %s", (storage) => {
  test("run on enabled servers without an alert that limits jobs", async () => {
    const at = await openFlows(storage);
    const node = {
      ...MULTIPLEX.nodes.a,
      data: { ...MULTIPLEX.nodes.a.data, category: "general", params: { script: "true" } },
    };
    const flow = { ...MULTIPLEX, nodes: { ...MULTIPLEX.nodes, a: node } };
    const serversOf = async () => {
      const { job, launched } = await at.play(flow);
      return {
        servers: launched.map(({ job: part }) => part.server).toSorted(),
        code: job.code,
        state: job.workflow.state.m,
      };
    };
    expect((await serversOf()).servers).toEqual(["s1", "s2"]);
    await at.must("update_server", { id: "s2", enabled: false });
    expect(await serversOf()).toMatchObject({ servers: ["s1"], code: 0, state: { max: 1, count: 1 } });
    await at.must("update_server", { id: "s2", enabled: true });

    await at.must("create_alert", { ...hot, limit_jobs: true });
    await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
    const stored = at.next("server.minute");
    at.servers.get("s1")?.send("monitor", { version: "1.0", date: at.clock.now(), data: { temp: 60 } });
    await stored;
    await at.until(async () => (await at.admin.get("search_alerts/v1?query=active:true")).body.rows.length === 1);
    expect((await serversOf()).servers).toEqual(["s2"]);
    await at.must("update_server", { id: "s2", enabled: false });
    expect(await serversOf()).toMatchObject({ servers: [], code: "warning", state: { error: true } });
  });

  test("wait at a job that is suspended before it starts, and when they are suspended themselves", async () => {
    const at = await openFlows(storage);
    const suspend = { enabled: true, condition: "start", type: "suspend" };
    const asNode = { type: "action", data: { enabled: true, type: "suspend" } };
    const inside = await at.start({
      nodes: { a: "job", s: asNode, b: "job" },
      wires: ["start>a", "a>s:start", "a>b:success"],
    });
    const partOf = async () => (await at.read(inside)).workflow.jobs?.a?.[0]?.id as string | undefined;
    const active = async () => (await at.admin.get(`get_active_jobs/v1?workflow.job=${inside}`)).body.rows;
    await at.until(async () => (await active()).some((row: { suspended?: boolean }) => row.suspended === true));
    expect(await partOf()).toBeUndefined();
    expect(at.launched).toEqual([]);
    const [held] = (await active()).filter((row: { suspended?: boolean }) => row.suspended === true);
    expect(held).toMatchObject({ state: "starting", workflow: { node: "a" } });
    await at.must("resume_job", { id: held.id });
    await at.until(async () => (await at.read(inside)).final === true);
    expect(at.launched.map(({ node }) => node)).toEqual(["a", "b"]);

    const whole = await at.start({ nodes: { a: "job" }, wires: ["start>a"], event: { actions: [suspend] } });
    await at.until(async () => (await at.read(whole)).suspended === true);
    expect(at.launched).toEqual([]);
    await at.must("resume_job", { id: whole });
    await at.until(async () => (await at.read(whole)).final === true);
    expect(at.launched.map(({ node }) => node)).toEqual(["a"]);
  });

  test("are launched by an alert with its data", async () => {
    const at = await openFlows(storage);
    const event = await at.create({ nodes: { a: "job" }, wires: ["start>a"] });
    const action = { enabled: true, condition: "alert_new", type: "run_event", event_id: event };
    await at.must("create_alert", { ...hot, actions: [action] });
    await at.clock.advanceTo(Math.floor(at.clock.now() / 60) * 60 + 61);
    const stored = at.next("server.minute");
    at.servers.get("s1")?.send("monitor", { version: "1.0", date: at.clock.now(), data: { temp: 60 } });
    await stored;
    const [part] = await at.told("a");
    const run = await at.read(part?.job.workflow.job);
    const { rows } = (await at.admin.get("search_alerts/v1?verbose=1")).body;
    expect(run).toMatchObject({
      source: "alert",
      workflow: { start: "start" },
      cause: { kind: "alert", id: rows[0].id },
    });
  });
});

test.each(STORAGES.filter((storage) => storage !== "memory"))(
  "a workflow over %s begins with the start of the engine",
  { timeout: 240_000 },
  async (name) => {
    const open = await newStore(name);
    const first = await openFlows(name, {}, { storage: open() });
    const triggers = [
      { id: "start", type: "manual", enabled: true },
      { id: "up", type: "startup", enabled: true, params: { p: 7 } },
    ];
    const { engine } = first;
    await first.create({
      nodes: { up: "trigger", a: "job", m: "job" },
      wires: ["up>a", "start>m"],
      event: { triggers },
    });
    await engine.stop();
    const second = await openFlows(name, {}, { storage: open(), administratorKey: first.key });
    await second.clock.advance(2);
    const [part] = await second.told("a");
    expect(part?.job.workflow).toMatchObject({ node: "a", params: { p: 7 } });
    expect(await second.read(part?.job.workflow.job)).toMatchObject({ source: "startup", workflow: { start: "up" } });
  },
);
