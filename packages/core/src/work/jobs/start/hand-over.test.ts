import { describe, expect, test } from "vitest";
import { done, remote, twoNodes } from "../../../../test/fleet/node-pair.ts";
import { launched } from "../../../testing/test-jobs.ts";

/** The server of the event is connected to the other node. */
async function elsewhere() {
  const nodes = await twoNodes({ bothLead: false });
  const server = await nodes.two.connect(remote);
  await nodes.clock.advance(4);
  const open = async () => (await nodes.storage.work.stats()).open;
  const before = await open();
  /** Launches through the node to which the server is not connected; returns how much work is queued. */
  const launch = async (members: Record<string, unknown> = {}) => {
    const event = await nodes.one.event(members);
    const { id } = await nodes.one.signalbox.api.runEvent({ id: event });
    return { id, queued: (await open()) - before };
  };
  return { ...nodes, launch, server };
}

describe("a job whose server is connected to another node", () => {
  test("is brought there by a message, without queued work", async () => {
    const { clock, launch, read, server } = await elsewhere();
    const { id, queued } = await launch();
    expect(queued).toBe(0);
    await clock.advance(0.5);
    expect(launched(server)).toMatchObject([{ job: { id, server: "s1" } }]);
    server.send("jobs", { [id]: done() });
    await clock.advance(1);
    expect(await read(id)).toMatchObject({ final: true, code: 0 });
  });

  test("shares its message with others that were launched at the same moment", async () => {
    const { clock, one, server } = await elsewhere();
    const event = await one.event();
    const runs = await Promise.all([1, 2, 3, 4].map(() => one.signalbox.api.runEvent({ id: event })));
    await clock.advance(0.5);
    expect(
      launched(server)
        .map(({ job }) => job.id)
        .toSorted(),
    ).toEqual(runs.map(({ id }) => id).toSorted());
  });

  test("shares its message with jobs that come just after one was sent", async () => {
    const { clock, one, posted, server } = await elsewhere();
    const event = await one.event();
    const before = posted.length;
    for (let count = 0; count < 4; count++) await one.signalbox.api.runEvent({ id: event });
    await clock.advance(0.5);
    expect(launched(server)).toHaveLength(4);
    const kinds = posted.slice(before).map((text) => (JSON.parse(text) as { t: string }).t);
    // The first job is sent at once, all others together in the next message.
    expect(kinds.toSorted()).toEqual(["answer", "answer", "ask", "ask"]);
  });

  test("becomes queued work when no message gets through, and starts once", async () => {
    const { clock, deaf, launch, read, server } = await elsewhere();
    deaf.add("node_two");
    const { id } = await launch();
    await clock.advance(1);
    expect(launched(server)).toEqual([]);
    // A question times out after two seconds.
    await clock.advance(3);
    expect(launched(server)).toMatchObject([{ job: { id } }]);
    await clock.advance(15);
    expect(launched(server)).toHaveLength(1);
    expect(await read(id)).toMatchObject({ state: "active", server: "s1" });
  });

  test("starts once when only the answer is lost", async () => {
    const { clock, deaf, launch, server } = await elsewhere();
    deaf.add("node_one");
    const { id } = await launch();
    await clock.advance(5);
    expect(launched(server)).toMatchObject([{ job: { id } }]);
  });

  test("becomes queued work at once where it counts other jobs, which takes locks", async () => {
    const { clock, launch, server } = await elsewhere();
    const { id, queued } = await launch({ limits: [{ enabled: true, type: "job", amount: 1 }] });
    expect(queued).toBe(1);
    await clock.advance(2);
    expect(launched(server)).toMatchObject([{ job: { id } }]);
  });
});
