import { describe, expect, test } from "vitest";
import { done, remote, twoNodes, web } from "../../../../test/fleet/node-pair.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { commands, launched, startJobs } from "../../../testing/test-jobs.ts";
import { activeJobCollection, serverPlaceCollection } from "../collection.ts";

describe("a server that is connected to another node", () => {
  test("gets its job from that node, once", async () => {
    const { clock, event, one, read, two } = await twoNodes();
    const server = await two.connect(remote);
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: event });
    await clock.advance(3);
    expect(launched(server)).toMatchObject([{ job: { id, server: "s1" } }]);
    server.send("jobs", { [id]: done() });
    await clock.advance(1);
    expect(await read(id)).toMatchObject({ final: true, code: 0, server: "s1" });
  });

  test("takes its turn with the servers of the node that launches", async () => {
    const { clock, one, two } = await twoNodes();
    const here = await one.connect({ ...remote, id: "s1" });
    const there = await two.connect({ ...remote, id: "s2", hostname: "web02.example.internal" });
    await clock.advance(4);
    const event = await one.event({ targets: ["s1", "s2"], algo: "round_robin" });
    for (let run = 0; run < 4; run++) await one.signalbox.api.runEvent({ id: event });
    await clock.advance(3);
    expect([launched(here).length, launched(there).length]).toEqual([2, 2]);
  });

  test("is told to end its job when any node is asked to abort it", async () => {
    const { clock, event, one, read, two } = await twoNodes();
    const server = await two.connect(remote);
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: event });
    await clock.advance(3);
    await one.signalbox.api.abortJob({ id });
    await clock.advance(2);
    expect(commands(server, "abort_job")).toMatchObject([{ data: { id } }]);
    expect(await read(id)).toMatchObject({ state: "active" });
    server.send("jobs", { [id]: done({ code: "abort" }) });
    await clock.advance(1);
    expect(await read(id)).toMatchObject({ final: true, code: "abort" });
  });

  test("keeps its job when it moves to this node", async () => {
    const { clock, event, one, places, read, two } = await twoNodes();
    const before = await two.connect(remote);
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: event });
    await clock.advance(3);
    before.close();
    const after = await one.connect(remote);
    await clock.advance(4);
    expect(await places()).toMatchObject([{ id: "s1", node: "node_one" }]);
    after.send("jobs", { [id]: done() });
    await clock.advance(1);
    expect(await read(id)).toMatchObject({ final: true, code: 0 });
    expect([...launched(before), ...launched(after)]).toHaveLength(1);
  });
});

describe("a server that has left another node", () => {
  const wayOf = async () => {
    const nodes = await twoNodes();
    const before = await nodes.two.connect(remote);
    await nodes.clock.advance(4);
    before.close();
    await nodes.clock.advance(1);
    const { id } = await nodes.one.signalbox.api.runEvent({ id: nodes.event });
    await nodes.clock.advance(2);
    return { ...nodes, id };
  };

  test("is waited for, because it may be about to connect to another node", async () => {
    const { clock, id, one, read } = await wayOf();
    expect(await read(id)).toMatchObject({ state: "ready" });
    const after = await one.connect(remote);
    await clock.advance(1);
    expect(launched(after)).toMatchObject([{ job: { id, server: "s1" } }]);
  });

  test("a server that connects to no other node is reported missing after ten seconds", async () => {
    const { clock, id, read } = await wayOf();
    await clock.advance(12);
    expect(await read(id)).toMatchObject({ code: "abort", description: "No available servers matching targets." });
  });
});

describe("a node that was killed", () => {
  test("causes no further harm where one of its jobs cannot be ended", async () => {
    const { clock, one, places, read, retrying, storage, two } = await twoNodes();
    await two.connect({ ...web, id: "s2", hostname: "two.example.internal" });
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: retrying });
    await clock.advance(3);
    two.crash();
    await storage.write(async (tx) => {
      const jobs = tx.collection(activeJobCollection);
      const record = await jobs.get(id);
      // Its actions are not a list, so ending it throws; its id makes it the first one.
      if (record) await jobs.insert({ ...record, id: "j0", job: { ...record.job, id: "j0", actions: 5 as never } });
    });
    await clock.advance(30);
    expect(await read(id)).toMatchObject({ final: true, code: "abort", retried: true });
    expect(await places()).toEqual([]);
  });

  test("interrupts the jobs inside its process for some seconds, and a retry limit runs them elsewhere", async () => {
    const { clock, one, read, retrying, two } = await twoNodes();
    await two.connect({ ...web, id: "s2", hostname: "two.example.internal" });
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: retrying });
    await clock.advance(3);
    expect(await read(id)).toMatchObject({ state: "active", server: "s2" });
    const here = await one.connect(web);
    two.crash();
    await clock.advance(30);
    const lost = await read(id);
    expect(lost).toMatchObject({
      final: true,
      code: "abort",
      retried: true,
      description: "The job was lost when the node that ran it ended.",
    });
    expect(launched(here)).toHaveLength(1);
  });

  test("leaves no work that only it could do", async () => {
    const { clock, event, one, read, storage, two } = await twoNodes();
    await two.connect(remote);
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: event });
    await clock.advance(3);
    two.crash();
    // Its server is known to be connected to the other node, so this node must not tell it to end the job.
    await one.signalbox.api.abortJob({ id });
    await clock.advance(2);
    expect(await read(id)).toMatchObject({ state: "active" });
    await clock.advance(30);
    expect(await read(id)).toMatchObject({ final: true, code: "abort" });
    expect(await storage.work.stats()).toEqual({ open: 0, failed: 0 });
  });

  test("leaves the jobs of satellites alone: they reconnect to another node", async () => {
    const { clock, event, one, read, two } = await twoNodes();
    const server = await two.connect(remote);
    await clock.advance(4);
    const { id } = await one.signalbox.api.runEvent({ id: event });
    await clock.advance(3);
    expect(launched(server)).toHaveLength(1);
    two.crash();
    const again = await one.connect(remote);
    for (let second = 0; second < 40; second++) {
      again.send("jobs", { [id]: { state: "active", progress: 0.5 } });
      await clock.advance(1);
    }
    expect(await read(id)).toMatchObject({ state: "active", remote: true, progress: 0.5 });
  });

  test("is asked for nothing more: a job that waited for it chooses another server", async () => {
    const { clock, event, one, places, two } = await twoNodes();
    await two.connect({ ...remote, id: "s2", hostname: "two.example.internal" });
    await clock.advance(4);
    two.crash();
    await one.signalbox.api.runEvent({ id: event });
    await clock.advance(2);
    const here = await one.connect(remote);
    await clock.advance(40);
    expect(launched(here)).toHaveLength(1);
    expect(await places()).toMatchObject([{ id: "s1", node: "node_one" }]);
  });
});

test("two nodes whose own agents have the same id leave each other's jobs alone", async () => {
  const { clock, event, one, read, two } = await twoNodes();
  const first = await one.connect(web);
  const { id } = await one.signalbox.api.runEvent({ id: event });
  await clock.advance(2);
  const second = await two.connect(web);
  await clock.advance(4);
  expect(await read(id)).toMatchObject({ state: "active" });
  await two.signalbox.api.abortJob({ id });
  await clock.advance(2);
  expect(commands(first, "abort_job")).toMatchObject([{ data: { id } }]);
  expect(commands(second, "abort_job")).toEqual([]);
  first.send("jobs", { [id]: done({ code: "abort" }) });
  await clock.advance(1);
  expect(await read(id)).toMatchObject({ final: true, code: "abort" });
});

test("a node that stops is asked for nothing more at once, and its satellites reconnect elsewhere", async () => {
  const { clock, event, one, storage, two } = await twoNodes();
  await two.connect(remote);
  await clock.advance(4);
  const stopping = two.signalbox.stop();
  await clock.advance(1);
  await stopping;
  expect(await storage.read((tx) => tx.collection(serverPlaceCollection).list())).toEqual([]);
  const here = await one.connect(remote);
  await one.signalbox.api.runEvent({ id: event });
  await clock.advance(1);
  expect(launched(here)).toHaveLength(1);
});

describe("a node that stops", () => {
  test("waits for the jobs inside its process, up to its bound, and starts nothing more", async () => {
    const clock = fakeClock(1_795_253_600);
    const jobs = await startJobs({ clock, config: { drain_timeout_sec: 20 } });
    const server = await jobs.connect();
    const event = await jobs.event();
    const { id } = await jobs.signalbox.api.runEvent({ id: event });
    await jobs.settle();
    const ended = jobs.next("job.completed");
    const stopped = { is: false };
    const stopping = jobs.signalbox.stop().then(() => {
      stopped.is = true;
    });
    await clock.advance(5);
    const { id: later } = await jobs.signalbox.api.runEvent({ id: event });
    await clock.advance(1);
    expect(stopped.is).toBe(false);
    expect(launched(server).map(({ job }) => job["id"])).toEqual([id]);
    expect((await jobs.signalbox.api.getJob({ id: later })).job).toMatchObject({ state: "ready" });
    server.send("jobs", { [id]: done() });
    expect(await ended).toMatchObject({ id, code: 0 });
    await clock.advance(1);
    await stopping;
    expect(server.isOpen).toBe(false);
  });

  test("does not wait longer than that, and not at all unless configured", async () => {
    for (const drain_timeout_sec of [0, 3]) {
      const clock = fakeClock(1_795_253_600);
      const jobs = await startJobs({ clock, config: { drain_timeout_sec } });
      await jobs.connect();
      await jobs.signalbox.api.runEvent({ id: await jobs.event() });
      await jobs.settle();
      const begun = clock.now();
      const stopping = jobs.signalbox.stop();
      await clock.advance(4);
      await stopping;
      expect(clock.now() - begun).toBeLessThan(5);
    }
  });
});
