import { expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { createEventBus, ofScalars } from "./event-bus.ts";

function setUp() {
  const log = recordingLogger();
  return { log, bus: createEventBus({ log }) };
}

test("a listener that throws is logged and stops no other", () => {
  const { bus, log } = setUp();
  const seen: string[] = [];
  bus.on("tag.created", () => {
    throw new Error("first");
  });
  bus.on("tag.created", ({ id }) => void seen.push(id));
  bus.emit("tag.created", { id: "t1" });
  expect(seen).toEqual(["t1"]);
  expect(log.lines).toMatchObject([{ level: "error", fields: { error: { message: "first" } } }]);
});

test("a listener that rejects is logged", async () => {
  const { bus, log } = setUp();
  bus.on("tag.created", (async () => {
    throw new Error("later");
  }) as () => void);
  bus.emit("tag.created", { id: "t1" });
  await Promise.resolve();
  await Promise.resolve();
  expect(log.lines).toMatchObject([{ level: "error", fields: { error: { message: "later" } } }]);
});

test("a listener gets only its type, until it is removed", () => {
  const { bus } = setUp();
  const seen: string[] = [];
  const listener = ({ id }: { id: string }) => void seen.push(id);
  bus.on("tag.created", listener);
  bus.emit("tag.deleted", { id: "other" });
  bus.emit("tag.created", { id: "t1" });
  bus.off("tag.created", listener);
  bus.emit("tag.created", { id: "t2" });
  expect(seen).toEqual(["t1"]);
});

test("off without a listener removes all listeners of a type", () => {
  const { bus } = setUp();
  const seen: string[] = [];
  bus.on("tag.created", ({ id }) => void seen.push(`a ${id}`));
  bus.on("tag.created", ({ id }) => void seen.push(`b ${id}`));
  bus.off("tag.created");
  bus.emit("tag.created", { id: "t1" });
  expect(seen).toEqual([]);
});

test("the star listener gets type and payload, isolated too", () => {
  const { bus, log } = setUp();
  const seen: unknown[] = [];
  bus.on("*", (type, payload) => void seen.push([type, payload]));
  bus.on("*", () => {
    throw new Error("star");
  });
  bus.emit("tag.created", { id: "t1" });
  expect(seen).toEqual([["tag.created", { id: "t1" }]]);
  expect(log.lines).toHaveLength(1);
});

test("listeners share one frozen copy of a record, which is made at the first read", () => {
  const { bus, log } = setUp();
  let copies = 0;
  const group = {
    id: "web",
    get alert_actions() {
      copies += 1;
      return [{ type: "snapshot" }];
    },
  } as never;
  const ids: string[] = [];
  bus.on(
    "group.changed",
    ofScalars(({ id }: { id: string }) => void ids.push(id)),
  );
  bus.emit("group.changed", group);
  expect([ids, copies]).toEqual([["web"], 0]);
  const seen: unknown[] = [];
  bus.on("group.changed", (given) => void seen.push(given));
  bus.on("*", (_type, given) => void seen.push(given));
  bus.on("group.changed", (given) => {
    (given.alert_actions as object[]).push({});
  });
  bus.emit("group.changed", group);
  expect(copies).toBe(1);
  expect(seen).toEqual([{ id: "web", alert_actions: [{ type: "snapshot" }] }, seen[0]]);
  expect(seen[0]).toBe(seen[1]);
  expect(seen[0]).not.toBe(group);
  expect(log.lines).toMatchObject([{ level: "error", fields: { error: expect.any(TypeError) } }]);
});
