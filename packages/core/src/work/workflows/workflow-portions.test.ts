import { describe, expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { type FakeClock, fakeClock } from "../../testing/fake-clock.ts";
import { startWorkflows, type TestGraph } from "../../testing/test-workflows.ts";

type At = Awaited<ReturnType<typeof startWorkflows>>;

const START = 1_795_253_600;
const ITEMS = 60;
const FAN = 30;
const list = Array.from({ length: ITEMS }, (_, index) => index);

/** A graph that exceeds one step in every way: items of a split, nodes after a trigger, wires into a join. */
function large(at: At): TestGraph {
  const fan = Array.from({ length: FAN }, (_, index) => `f${index}`);
  return {
    nodes: [
      ...[at.manual, at.controller("s", { controller: "split", split: "data.list" }), at.job("each", { echoes: true })],
      ...[...fan.map((id) => at.job(id)), at.controller("all", { controller: "join" }), at.job("last")],
    ],
    wires: [
      ...["start>s", "s>each", ...fan.map((id) => `start>${id}`), ...fan.map((id) => `${id}>all:complete`)],
      "all>last",
    ],
    input: { data: { list } },
  };
}

/** A storage whose writes fail as long as the test wants it. */
function failing(inner: Storage) {
  const state = { isDown: (): boolean => false };
  const storage: Storage = {
    ...inner,
    write: (work) => (state.isDown() ? Promise.reject(new Error("The disk is full")) : inner.write(work)),
  };
  return { state, storage };
}

interface Stub {
  readonly id: string;
}

async function checkWhole(at: At, id: string): Promise<void> {
  const { job } = await at.final(id);
  const jobs = (job.workflow as unknown as { jobs: Record<string, Stub[]> }).jobs;
  const counts = Object.entries(jobs).map(([node, stubs]) => [node, stubs.length]);
  const fan = Array.from({ length: FAN }, (_, index) => [`f${index}`, 1]);
  expect(Object.fromEntries(counts)).toEqual({ ...Object.fromEntries(fan), each: ITEMS, last: 1 });
  const parts = await Promise.all((jobs["each"] ?? []).map(async (stub) => at.api.getJob({ id: stub.id })));
  const items = parts.map((part) => (part.job as unknown as { input: { data: { item: number } } }).input.data.item);
  expect(items.toSorted((one, other) => one - other)).toEqual(list);
}

describe("a workflow that takes many steps", () => {
  test("runs every node and item once", async () => {
    const at = await startWorkflows();
    const { id } = await at.run(large(at));
    await checkWhole(at, id);
  });

  test("continues by itself after a step that failed, while its jobs run", async () => {
    const clock = fakeClock(START);
    const { state, storage } = failing(memoryStorage({ clock }));
    const at = await startWorkflows({ clock, storage, log: recordingLogger() });
    const graph = large(at);
    at.behaves("each", { hangs: true });
    for (let index = 0; index < FAN; index++) at.behaves(`f${index}`, { hangs: true });
    let refused = 0;
    state.isDown = () => at.ranNodes().length >= 25 && refused++ < 3;
    await at.run(graph);
    await at.advance(10);
    expect(refused).toBeGreaterThan(3);
    expect(at.ranNodes()).toHaveLength(ITEMS + FAN);
  });

  /** Number of writes before the first process dies: from the beginning to the last steps of the workflow. */
  const deaths = Array.from({ length: 24 }, (_, index) => 1 + 4 * index);

  test.each(deaths)("loses and doubles nothing when its process dies at write %i", async (death) => {
    const clock = fakeClock(START);
    const inner = memoryStorage({ clock });
    const first = failing(inner);
    const dying = await startWorkflows({ clock, storage: first.storage, log: recordingLogger() });
    const event = await dying.event(large(dying));
    const { id } = await dying.api.runEvent({ id: event, input: { data: { list } } } as never);
    let writes = 0;
    first.state.isDown = () => writes++ >= death;
    await dying.advance(1);
    await stopAnyhow(dying, clock);
    const at = await startWorkflows({ clock: fakeClock(clock.now() + 60), storage: inner });
    large(at);
    await checkWhole(at, id);
  });
});

async function stopAnyhow(at: At, clock: FakeClock): Promise<void> {
  const stopped = at.signalbox.stop().catch((error: unknown) => error);
  await clock.advance(20);
  await stopped;
}
