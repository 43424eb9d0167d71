import { expect, test } from "vitest";
import { recordingLogger, refusalOf, startEngine } from "../../../test/engine.ts";
import { createSignalbox } from "../../engine/signalbox.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { silentLogger } from "../../ports/logger.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { definePlugin, type Plugin } from "../plugins/plugin.ts";

const secretKey = "correct horse battery staple";

test("plugins start in order, after the definitions are loaded, and stop in reverse", async () => {
  const calls: string[] = [];
  const plugin = (id: string): Plugin => ({
    id,
    start: async ({ definitions, registry }) => {
      const [collection] = registry.collections.filter(({ resident }) => resident);
      calls.push(`start ${id} ${collection ? definitions.all(collection).length >= 0 : "nothing"}`);
    },
    stop: async () => void calls.push(`stop ${id}`),
  });
  const engine = await startEngine({ plugins: [plugin("a"), plugin("b")] });
  await engine.stop();
  expect(calls).toEqual(["start a true", "start b true", "stop b", "stop a"]);
});

test("an engine starts once", async () => {
  await using engine = await startEngine();
  await expect(engine.start()).rejects.toThrow("This engine was started before: call start() once");
});

test("stopping again waits for the same end, and an engine that never ran can be stopped", async () => {
  let stops = 0;
  const engine = await startEngine({ plugins: [{ id: "p", stop: async () => void stops++ }] });
  await Promise.all([engine.stop(), engine.stop()]);
  await engine.stop();
  expect(stops).toBe(1);
  const idle = createSignalbox({ storage: memoryStorage(), secretKey });
  await idle.stop();
  await expect(idle.start()).rejects.toThrow("This engine was stopped");
});

test("a failed start stops the parts it began, in reverse, and throws its own error", async () => {
  const calls: string[] = [];
  const storage = memoryStorage();
  const closing = { ...storage, close: async () => void calls.push("close storage") };
  const plugin = (id: string, start: () => Promise<void>): Plugin => ({
    ...{ id, start },
    stop: async () => void calls.push(`stop ${id}`),
  });
  const fails = plugin("b", () => Promise.reject(new Error("b cannot start")));
  const plugins = [plugin("a", async () => undefined), fails, plugin("c", async () => undefined)];
  const engine = createSignalbox({ storage: closing, secretKey, plugins, log: silentLogger });
  await expect(engine.start()).rejects.toThrow("b cannot start");
  expect(calls).toEqual(["stop b", "stop a", "close storage"]);
  await engine.stop();
  expect(calls).toHaveLength(3);
  await expect(engine.start()).rejects.toThrow("This engine was stopped");
});

test("a stop while the engine starts ends what has begun by then, and nothing begins after it", async () => {
  const calls: string[] = [];
  const storage = memoryStorage();
  const closing = { ...storage, close: async () => void calls.push("close storage") };
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();
  const plugin = (id: string): Plugin => ({
    id,
    async start() {
      begun();
      await goesOn;
      calls.push(`started ${id}`);
    },
    stop: async () => void calls.push(`stop ${id}`),
    loops: [{ name: `${id}.loop`, everySec: 60, on: "every-node", run: async () => void calls.push(`loop ${id}`) }],
  });
  const plugins = [plugin("a"), plugin("b")];
  const engine = createSignalbox({ storage: closing, secretKey, plugins, log: silentLogger });
  const starting = expect(engine.start()).rejects.toThrow("This engine was stopped while it started");
  await hasBegun;
  const stopping = engine.stop();
  goOn();
  await Promise.all([starting, stopping]);
  expect(calls).toEqual(["started a", "stop a", "close storage"]);
});

test("a stop right after the start leaves no storage open", async () => {
  const calls: string[] = [];
  const storage = memoryStorage();
  const watched: Storage = {
    ...storage,
    async open(collections) {
      await storage.open(collections);
      calls.push("open");
    },
    close: async () => void calls.push("close"),
  };
  const engine = createSignalbox({ storage: watched, secretKey, log: silentLogger });
  const starting = expect(engine.start()).rejects.toThrow("This engine was stopped while it started");
  await Promise.all([starting, engine.stop()]);
  expect(calls).toEqual(["close"]);
});

test("a start that fails once the other nodes know of it tells them that it is over", async () => {
  const calls: string[] = [];
  const storage = memoryStorage();
  const { coordination } = storage;
  const shared: Storage = {
    ...storage,
    coordination: {
      ...coordination,
      shared: true,
      beat: async () => ({ wasKnown: false, others: [], nowMs: 0 }),
      forgetNode: async (id) => void calls.push(id),
    },
    read: () => Promise.reject(new Error("definitions cannot be read")),
  };
  const engine = createSignalbox({ storage: shared, secretKey, log: silentLogger });
  await expect(engine.start()).rejects.toThrow("definitions cannot be read");
  expect(calls).toEqual([coordination.nodeId]);
});

test("an error while a failed start is stopped is logged, and does not hide why it failed", async () => {
  const log = recordingLogger();
  const plugin: Plugin = {
    id: "p",
    start: () => Promise.reject(new Error("cannot start")),
    stop: () => Promise.reject(new Error("cannot stop")),
  };
  const engine = createSignalbox({ storage: memoryStorage(), secretKey, plugins: [plugin], log });
  await expect(engine.start()).rejects.toThrow("cannot start");
  expect(log.lines).toContainEqual(expect.objectContaining({ message: "A failed start was not undone whole" }));
});

test("on a single-process store, work that a killed process had claimed is done at once", async () => {
  const storage = memoryStorage();
  await storage.open([]);
  await storage.write((tx) => tx.enqueue("p.work", "left behind"));
  const [claimed] = await storage.work.claim({ node: "dead", kinds: ["p.work"], limit: 1, now: 1e12, leaseSec: 1e12 });
  expect(claimed?.payload).toBe("left behind");
  const { promise: done, resolve } = Promise.withResolvers<unknown>();
  const plugin = definePlugin({ id: "p", workers: { "p.work": async ({ payload }) => resolve(payload) } });
  await using _engine = await startEngine({ storage, plugins: [plugin] });
  expect(await done).toBe("left behind");
});

test("listeners of plugins hear events until the engine stops", async () => {
  const heard: string[] = [];
  const listening = definePlugin({
    id: "p",
    on: {
      "tag.created": ({ id }, { config }) => void heard.push(`${id} ${config.locale}`),
      "signalbox.started": () => void heard.push("started"),
      "signalbox.stopping": () => void heard.push("stopping"),
    },
  });
  const engine = await startEngine({ plugins: [listening] });
  await engine.api.createTag({ id: "x", title: "X" });
  await engine.stop();
  engine.events.emit("tag.created", { id: "late" });
  expect(heard).toEqual(["started", "x en-US", "stopping"]);
});

test.each(["", "short", undefined])("the secret key %j is refused", (key) => {
  expect(() => createSignalbox({ storage: memoryStorage(), secretKey: key as string })).toThrow(
    "secretKey must have at least 16 characters",
  );
});

test("a wrong configuration names its path", () => {
  expect(() => createSignalbox({ storage: memoryStorage(), secretKey, config: { api: { key_length: 5 } } })).toThrow(
    /^Configuration api\.key_length: /,
  );
});

test("a plugin that claims a built-in name is refused when the engine is created", () => {
  const plugins = [{ id: "p", privileges: { create_tags: "Mine" } }];
  expect(() => createSignalbox({ storage: memoryStorage(), secretKey, plugins })).toThrow(
    "Plugins auth and p both define the privilege create_tags",
  );
});

test("a call after the stop is refused with a clear message, and nothing is logged", async () => {
  const log = recordingLogger();
  const inner = memoryStorage();
  let isClosed = false;
  const storage: Storage = {
    ...inner,
    write: (work) => (isClosed ? Promise.reject(new Error("database is not open")) : inner.write(work)),
    async close() {
      isClosed = true;
    },
  };
  const engine = createSignalbox({ storage, secretKey, log });
  await engine.start();
  await engine.stop();
  const refusal = { code: "api", description: expect.stringMatching(/^The engine is not running: it was stopped/) };
  expect(await refusalOf(engine.api.createTag({ title: "Late" }))).toEqual(refusal);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
