import { expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { parseConfig } from "../../engine/config.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { DomainError } from "../errors/errors.ts";
import { createBus } from "./bus.ts";
import { createIntake } from "./intake.ts";
import { readMessage } from "./messages.ts";
import { createNodes } from "./nodes.ts";

/** Nodes that share a storage in memory and exchange messages through it. */
async function setUp() {
  const clock = fakeClock(1_795_253_600);
  const shared = memoryStorage({ clock });
  const log = recordingLogger();
  const cut = new Set<string>();
  const open = async (id: string) => {
    const { coordination } = shared;
    const storage = {
      ...shared,
      coordination: {
        ...{ ...coordination, nodeId: id, shared: true },
        beat: (row: Parameters<typeof coordination.beat>[0]) =>
          cut.has(id) ? Promise.reject(new Error("cut off")) : coordination.beat(row),
      },
    };
    const nodes = createNodes({ clock, config: parseConfig({}), log, storage });
    const bus = createBus({ clock, log, nodes, storage });
    await nodes.begin();
    await bus.begin();
    return { bus, nodes };
  };
  const [one, two] = [await open("one"), await open("two")];
  await clock.advance(2);
  const ask = (kind: string, body: unknown = {}, more = {}) =>
    one.bus.ask({ node: "two", kind, body, server: "s1", ...more });
  return { ask, clock, coordination: shared.coordination, cut, log, one, two };
}

const UNREACHABLE = { code: "server", reason: "unavailable", description: "Server cannot be reached right now: s1" };

test("a question is answered or refused by the node that was asked", async () => {
  const { ask, log, two } = await setUp();
  two.bus.answer("sum", async (body) => (body as number[]).reduce((sum, each) => sum + each, 0));
  two.bus.answer("refuse", async () => {
    throw new DomainError("plugin", "conflict", "Not now.", { details: { secret: "kept here" } });
  });
  two.bus.answer("fail", async () => {
    throw new Error("password=1234");
  });
  expect(await ask("sum", [1, 2, 3])).toBe(6);
  await expect(ask("refuse")).rejects.toMatchObject({
    ...{ code: "plugin", reason: "conflict", description: "Not now.", details: {} },
  });
  await expect(ask("fail")).rejects.toMatchObject({ code: "internal", description: "Internal server error" });
  expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  await expect(ask("nonsense")).rejects.toMatchObject({ code: "unknown" });
});

test("a question without an answer is refused after two seconds, and a late answer is dropped", async () => {
  const { ask, clock, two } = await setUp();
  const late = Promise.withResolvers<string>();
  two.bus.answer("slow", () => late.promise);
  const refused = expect(ask("slow")).rejects.toMatchObject(UNREACHABLE);
  await clock.advance(2.1);
  await refused;
  late.resolve("late");
  await clock.advance(1);
  await expect(
    ask("slow", {}, { node: "three" }).catch((error: unknown) => Promise.reject(error)),
  ).rejects.toMatchObject(UNREACHABLE);
});

test("a node that does not know whether it counts as dead executes nothing", async () => {
  const { ask, clock, cut, two } = await setUp();
  let asked = 0;
  two.bus.answer("count", async () => {
    asked += 1;
    return asked;
  });
  expect(await ask("count")).toBe(1);
  cut.add("two");
  await clock.advance(9);
  const refused = expect(ask("count")).rejects.toMatchObject(UNREACHABLE);
  await clock.advance(3);
  await refused;
  expect(asked).toBe(1);
});

test("a full queue is refused at once, and none of its messages is lost", async () => {
  const { ask, clock, two } = await setUp();
  const gate = Promise.withResolvers<void>();
  two.bus.answer("wait", async (body) => {
    await gate.promise;
    return body;
  });
  const asked = Array.from({ length: 256 }, (_, index) => ask("wait", index));
  await expect(ask("wait", 256)).rejects.toMatchObject(UNREACHABLE);
  gate.resolve();
  await clock.advance(0);
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 256 }, (_, index) => index));
  await expect(ask("wait", "x".repeat(70_000))).rejects.toThrow(TypeError);
});

test("hostile, unknown and repeated messages are ignored", async () => {
  const { clock, coordination, log, two } = await setUp();
  let asked = 0;
  two.bus.answer("count", async () => ++asked);
  const question = { v: 1, t: "ask", s: 99, f: "one", k: "count", d: two.nodes.nowMs() + 2000, b: {} };
  const texts = [
    ...["", "{", "null", "[]", "\u0000", '"ask"'],
    ...[
      { f: "stranger" },
      { f: "two" },
      { f: 7 },
      { v: 2 },
      { t: "order" },
      { s: -1 },
      { s: "1" },
      { k: "__proto__" },
    ].map((members) => JSON.stringify({ ...question, s: 50, ...members })),
    JSON.stringify({ ...question, d: two.nodes.nowMs() - 1, s: 98 }),
    ...[question, question].map((each) => JSON.stringify(each)),
    JSON.stringify({ v: 1, t: "answer", s: 100, f: "one", r: 1, b: { ok: 1 } }),
  ];
  for (const text of texts) await coordination.post("two", text);
  await clock.advance(1);
  expect(asked).toBe(1);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

const question = { v: 1, t: "ask", s: 1, f: "one", k: "x", d: 1 };
test.each([
  ["a question", question, true],
  ["a question without a deadline", { ...question, d: undefined }, false],
  ["a question without a kind", { ...question, k: "" }, false],
  ["an answer", { v: 1, t: "answer", s: 1, f: "one", r: 0, b: { ok: null } }, true],
  ["an answer to nothing", { v: 1, t: "answer", s: 1, f: "one", b: {} }, false],
  ["an answer without a body", { v: 1, t: "answer", s: 1, f: "one", r: 1 }, false],
  ["a message with unknown members", { ...question, zz: 1 }, true],
  ["a number that is not whole", { ...question, s: 1.5 }, false],
  ["a name that is too long", { ...question, f: "n".repeat(65) }, false],
])("%s is read or not", (_name, message, isRead) => {
  expect(readMessage(JSON.stringify(message)) !== undefined).toBe(isRead);
});

test("two thousand messages of a sender are accepted in a second, each once", () => {
  const intake = createIntake(() => true);
  const taken = Array.from({ length: 2500 }, (_, s) => intake.takes({ f: "one", s }, 0)).filter(Boolean);
  expect([taken.length, intake.dropped()]).toEqual([2000, 500]);
  expect(intake.takes({ f: "one", s: 1999 }, 1000)).toBe(false);
  expect(intake.takes({ f: "one", s: 2500 }, 1000)).toBe(true);
  expect(intake.takes({ f: "two", s: 0 }, 1000)).toBe(true);
});
