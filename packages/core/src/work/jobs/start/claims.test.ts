import { describe, expect, test } from "vitest";
import { remote, twoNodes } from "../../../../test/fleet/node-pair.ts";

describe("a node that keeps an old connection to a server which moved to another node", () => {
  /** A job runs on `s1`, whose satellite is connected to node two, and then to node one as well. */
  const connectedTwice = async () => {
    const nodes = await twoNodes();
    const before = await nodes.two.connect(remote);
    await nodes.clock.advance(4);
    const { id } = await nodes.one.signalbox.api.runEvent({ id: nodes.event });
    await nodes.clock.advance(3);
    before.send("jobs", { [id]: { state: "active", progress: 0.2 } });
    await nodes.clock.advance(6);
    const after = await nodes.one.connect(remote);
    return { ...nodes, after, before, id };
  };

  test("releases it, and its job continues as if nothing had happened", async () => {
    const { after, before, clock, id, places, read } = await connectedTwice();
    await clock.advance(4);
    expect([before.isOpen, before.closeReason]).toEqual([false, "The server has connected to another node."]);
    expect(after.isOpen).toBe(true);
    expect(await places()).toMatchObject([{ id: "s1", node: "node_one" }]);
    expect(await read(id)).toMatchObject({ state: "active", remote: true });
    expect(JSON.stringify(await read(id))).not.toContain("Server connection was lost");
  });

  test("writes no reading of its job and no minute over newer ones", async () => {
    const { after, before, clock, id, one, read } = await connectedTwice();
    const minute = (used: number) => ({ version: "1.0", date: clock.now(), data: { memory: { used } } });
    after.send("jobs", { [id]: { state: "active", progress: 0.9 } });
    after.send("monitor", minute(9));
    await clock.advance(1);
    before.send("jobs", { [id]: { state: "active", progress: 0.3 } });
    before.send("monitor", minute(3));
    await clock.advance(30);
    expect(await read(id)).toMatchObject({ progress: 0.9 });
    expect((await one.signalbox.api.getServer({ id: "s1" })).data).toMatchObject({ data: { memory: { used: 9 } } });
  });

  test("does not take it back when it counted as dead meanwhile", async () => {
    const { clock, cut, one, places, two } = await twoNodes();
    const moving = await two.connect(remote);
    const staying = await two.connect({ ...remote, id: "s2", hostname: "web02.example.internal" });
    await clock.advance(4);
    cut.add("node_two");
    await clock.advance(30);
    expect(await places()).toEqual([]);
    const after = await one.connect(remote);
    await clock.advance(1);
    cut.delete("node_two");
    await clock.advance(4);
    expect([moving.isOpen, after.isOpen, staying.isOpen]).toEqual([false, true, true]);
    expect((await places()).map(({ id, node }) => [id, node]).toSorted()).toEqual([
      ["s1", "node_one"],
      ["s2", "node_two"],
    ]);
  });

  test("gives each connection a larger epoch than the one before", async () => {
    const { clock, one, places, two } = await twoNodes();
    let last = 0;
    for (const node of [one, two, one, two]) {
      await node.connect(remote);
      await clock.advance(4);
      const [{ epoch = 0 } = {}] = await places();
      expect(epoch).toBeGreaterThan(last);
      last = epoch;
    }
  });
});

test("work for a server of a node that is being buried stays with no node that is gone", async () => {
  const { clock, cut, event, one, storage, two } = await twoNodes();
  await two.connect(remote);
  await clock.advance(4);
  const { id } = await one.signalbox.api.runEvent({ id: event });
  await clock.advance(3);
  const { work } = storage;
  const { claim, free } = work;
  const taken: string[] = [];
  work.claim = async (options) => {
    const items = await claim(options);
    for (const { kind } of items) if (kind === "jobs.send_abort") taken.push(options.node);
    return items;
  };
  work.free = async (node) => {
    await free(node);
    if (node === "node_two") await one.signalbox.api.abortJob({ id });
  };
  cut.add("node_two");
  await clock.advance(60);
  expect(taken).not.toContain("node_two");
});
