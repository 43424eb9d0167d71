import { expect, test } from "vitest";
import { cradleProbe, recordingLogger, START, startEngine } from "../../../test/engine.ts";
import { tagCollection } from "../../directory/tags/collection.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { NodeMessage } from "../../ports/nodes/coordination.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { DEFINITIONS_MESSAGE, EFFECTS_KIND } from "../transactions/unit-of-work.ts";
import { messageHandler } from "./cluster.ts";

const tag = { id: "far", title: "Far", username: "u", created: 1, modified: 1, revision: 1 };

async function setUp() {
  const probe = cradleProbe();
  const log = recordingLogger();
  const engine = await startEngine({ plugins: [probe.plugin], log });
  const cradle = probe.cradle();
  const seen: string[] = [];
  engine.events.on("*", (type, payload) => void seen.push(`${String(type)} ${JSON.stringify(payload)}`));
  return { engine, cradle, seen, log, [Symbol.asyncDispose]: () => engine.stop() };
}

test("a definition that another node changed is read again before its event is emitted", async () => {
  await using at = await setUp();
  const { storage, definitions } = at.cradle;
  await storage.write((tx) => tx.collection(tagCollection).insert(tag));
  expect(definitions.get(tagCollection, "far")).toBeUndefined();
  messageHandler(at.cradle)({ type: DEFINITIONS_MESSAGE, payload: { collection: "tags", ids: ["far"] } });
  expect(at.seen).toEqual([]);
  await at.engine.clock.advance(0);
  expect(definitions.get(tagCollection, "far")).toEqual(tag);
  expect(at.seen).toEqual(['definitions.changed {"collection":"tags","ids":["far"]}']);
});

/** An engine on a storage that other nodes write too, with their messages, gaps in these, and outages of the storage. */
async function startShared() {
  const clock = fakeClock(START, { together: true });
  const inner = memoryStorage({ clock });
  const state = { isAway: false };
  const subscribers: { hear(message: NodeMessage): void; gap(): void }[] = [];
  const storage: Storage = {
    ...inner,
    read: (work) => (state.isAway ? Promise.reject(new Error("away")) : inner.read(work)),
    coordination: {
      ...inner.coordination,
      shared: true,
      beat: async () => ({ wasKnown: true, others: [], nowMs: clock.now() * 1000 }),
      forgetNode: async () => undefined,
      collect: async () => ({ [Symbol.dispose]: () => undefined }),
      async subscribe(hear, gap) {
        subscribers.push({ hear, gap });
        return { [Symbol.dispose]: () => undefined };
      },
    },
  };
  const probe = cradleProbe();
  const engine = await startEngine({ clock, storage, log: recordingLogger(), plugins: [probe.plugin] });
  const changed: string[] = [];
  engine.events.on("definitions.changed", ({ ids }) => void changed.push(...ids));
  await inner.write((tx) => tx.collection(tagCollection).insert(tag));
  return {
    ...{ clock, changed, state, subscribers },
    known: () => probe.cradle().definitions.get(tagCollection, "far"),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

test("a changed definition that cannot be read when its message comes is read with a later beat", async () => {
  await using at = await startShared();
  at.state.isAway = true;
  for (const { hear } of at.subscribers)
    hear({ type: DEFINITIONS_MESSAGE, payload: { collection: "tags", ids: ["far"] } });
  await at.clock.advance(5);
  expect(at.known()).toBeUndefined();
  at.state.isAway = false;
  await at.clock.advance(5);
  expect(at.known()).toEqual(tag);
  expect(at.changed).toEqual(["far"]);
});

test.each([
  ["at once", false],
  ["with a later beat, where it cannot be read", true],
])("a definition that changed in a gap of the messages is emitted %s, and no other one", async (_when, isAway) => {
  await using at = await startShared();
  at.state.isAway = isAway;
  for (const { gap } of at.subscribers) gap();
  await at.clock.advance(5);
  at.state.isAway = false;
  await at.clock.advance(5);
  expect(at.known()).toEqual(tag);
  expect(at.changed).toEqual(["far"]);
});

test("messages of other types are ignored", async () => {
  await using at = await setUp();
  messageHandler(at.cradle)({ type: "acme.other", payload: null });
  await at.engine.clock.advance(0);
  expect(at.seen).toEqual([]);
  expect(at.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("effects that waited for the commit of a host are executed once, memory first", async () => {
  await using at = await setUp();
  let title: string | undefined;
  at.engine.events.on("tag.created", ({ id }) => {
    title = at.cradle.definitions.get(tagCollection, id)?.title;
  });
  await at.cradle.storage.write(async (tx) => {
    await tx.collection(tagCollection).insert(tag);
    const events = [{ type: "tag.created", payload: { id: "far" } }];
    await tx.enqueue(EFFECTS_KIND, { events, changes: { tags: ["far"] } });
  });
  await at.engine.clock.advance(2);
  expect(title).toBe("Far");
  expect(at.seen).toEqual(['tag.created {"id":"far"}', 'definitions.changed {"collection":"tags","ids":["far"]}']);
});
