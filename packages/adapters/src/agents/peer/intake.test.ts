import { systemClock } from "@signalbox/core/adapter";
import { describe, expect, test } from "vitest";
import { createDoor } from "../entrance/door.ts";
import { createIntake } from "./intake.ts";
import { createRate } from "./rate.ts";

const frame = (text: string): Buffer => Buffer.from(text);
const turn = () => new Promise((resolve) => setImmediate(resolve));
const quick = '{"cmd":"quickmon","data":{}}';

function setUp(limits: { maxQueued?: number; maxQueuedBytes?: number } = {}, clock = systemClock) {
  const intake = createIntake(clock, { maxQueued: 8, maxQueuedBytes: 1000, ...limits }, { count: 0 });
  const seen: string[] = [];
  const open = (name: string) =>
    intake.open({
      handle: (text) => void seen.push(`${name}:${text}`),
      setFull: (isFull) => void seen.push(`${name} ${isFull ? "stops" : "goes on"}`),
      ended: () => void seen.push(`${name} ended`),
    });
  return { intake, seen, open };
}

describe("the queue of messages", () => {
  test("takes one message of each socket in turn, however many one socket sends", async () => {
    const { open, seen, intake } = setUp();
    const [busy, calm] = [open("busy"), open("calm")];
    for (const text of ["1", "2", "3"]) busy.push(frame(text));
    calm.push(frame("1"));
    await intake.idle();
    expect(seen).toEqual(["busy:1", "calm:1", "busy:2", "busy:3"]);
  });

  test("holds a minute back for a moment, to join it with later ones, and no longer", async () => {
    const { open, seen } = setUp();
    const minute = '{"cmd":"monitor","data":{}}';
    open("one").push(frame(minute));
    open("two").push(frame(minute));
    await turn();
    await turn();
    expect(seen).toEqual([]);
    await expect.poll(() => seen).toEqual([`one:${minute}`, `two:${minute}`]);
  });

  test("passes a waiting minute on with the message that follows it", async () => {
    const { open, seen } = setUp();
    const minute = '{"cmd":"monitor","data":{}}';
    const inlet = open("one");
    inlet.push(frame(minute));
    inlet.push(frame("job"));
    await turn();
    await turn();
    expect(seen).toEqual([`one:${minute}`, "one:job"]);
  });

  test("passes sixteen minutes on at once", async () => {
    const { open, seen } = setUp();
    for (let index = 0; index < 16; index++) open(String(index)).push(frame('{"cmd":"monitor"}'));
    await turn();
    await turn();
    expect(seen).toHaveLength(16);
  });

  test("drops the minute of a socket that is dropped meanwhile", async () => {
    const { open, seen, intake } = setUp();
    const inlet = open("one");
    inlet.push(frame('{"cmd":"monitor"}'));
    inlet.drop();
    await intake.idle();
    expect(seen).toEqual([]);
  });

  test("stops a socket that sends faster than it is handled, and resumes it", async () => {
    const { open, seen, intake } = setUp({ maxQueued: 4 });
    const busy = open("busy");
    for (const text of ["1", "2", "3", "4"]) busy.push(frame(text));
    expect(seen).toEqual(["busy stops"]);
    await intake.idle();
    expect(seen).toEqual(["busy stops", "busy:1", "busy:2", "busy goes on", "busy:3", "busy:4"]);
  });

  test("stops an agent that adds to too many bytes of all together", async () => {
    const { open, seen } = setUp({ maxQueuedBytes: 10 });
    open("a").push(frame("12345678"));
    open("b").push(frame("123"));
    expect(seen).toEqual(["b stops"]);
  });

  test("drops quick samples first", async () => {
    const { open, seen, intake } = setUp({ maxQueued: 4 });
    const busy = open("busy");
    for (const text of [quick, "2", quick, "3", quick]) busy.push(frame(text));
    await intake.idle();
    expect(seen).toEqual([`busy:${quick}`, "busy:2", "busy:3"]);
  });

  test("reports the end after everything that came before it, once", async () => {
    const { open, seen, intake } = setUp();
    const socket = open("a");
    socket.push(frame("1"));
    socket.finish();
    socket.push(frame("2"));
    socket.finish();
    await intake.idle();
    await turn();
    socket.finish();
    expect(seen).toEqual(["a:1", "a ended"]);
  });

  test("forgets dropped messages, also the end", async () => {
    const { open, seen, intake } = setUp();
    const socket = open("a");
    socket.push(frame("1"));
    socket.drop();
    socket.push(frame("2"));
    socket.finish();
    await intake.idle();
    await turn();
    expect(seen).toEqual([]);
  });

  test("yields to the loop after five milliseconds", async () => {
    let nowMs = 0;
    const { open, intake, seen } = setUp({ maxQueued: 100 }, { ...systemClock, monotonicMs: () => nowMs });
    const slow = intake.open({
      handle: () => {
        nowMs += 3;
        seen.push("slow");
      },
      setFull: () => undefined,
      ended: () => undefined,
    });
    for (let count = 0; count < 4; count++) slow.push(frame("x"));
    open("other").push(frame("1"));
    intake.run(() => void seen.push("task"));
    await turn();
    expect(seen).toEqual(["task", "slow", "other:1", "slow"]);
    await intake.idle();
    expect(seen.filter((each) => each === "slow")).toHaveLength(4);
  });
});

describe("the rate of a socket", () => {
  const limits = { maxMessagesPerSecond: 3, maxBytesPerSecond: 100, maxBusySeconds: 2 };

  test("allows messages up to the bound, and starts a new count each second", () => {
    const rate = createRate(limits);
    expect([rate.count(1), rate.count(1), rate.count(1)]).toEqual([false, false, true]);
    expect(rate.tick()).toBe("calm");
    expect(rate.count(1)).toBe(false);
  });

  test("is hopeless after consecutive seconds over the bound, but not with a quiet one between", () => {
    const flood = (rate: ReturnType<typeof createRate>): string => {
      for (let count = 0; count < 3; count++) rate.count(1);
      return rate.tick();
    };
    const rate = createRate(limits);
    expect([flood(rate), flood(rate)]).toEqual(["calm", "hopeless"]);
    const other = createRate(limits);
    expect([flood(other), other.tick(), flood(other)]).toEqual(["calm", "calm", "calm"]);
  });

  test("counts a large message in the seconds after it", () => {
    const rate = createRate(limits);
    expect(rate.count(350)).toBe(true);
    expect([rate.tick(), rate.tick(), rate.tick(), rate.tick()]).toEqual(["busy", "busy", "calm", "calm"]);
  });
});

describe("the bounds on sockets", () => {
  const limits = { maxSockets: 3, maxPending: 2, maxPendingPerAddress: 2, maxHelloBytes: 10, maxPendingBytes: 15 };

  test("count sockets that have not joined separately from all sockets", () => {
    const door = createDoor<string>(limits);
    expect([door.enter("a", "x"), door.enter("b", "y"), door.enter("c", "z")]).toEqual([true, true, false]);
    door.joined("a");
    door.joined("a");
    expect([door.enter("c", "z"), door.enter("d", "z")]).toEqual([true, false]);
    door.left("a");
    door.joined("b");
    expect(door.enter("d", "z")).toBe(true);
  });

  test("name the socket that has sent too much, alone or of all", () => {
    const door = createDoor<string>(limits);
    door.enter("a", "x");
    door.enter("b", "y");
    expect([door.received("a", 10), door.received("b", 5), door.received("b", 1)]).toEqual([undefined, undefined, "a"]);
    expect(door.received("b", 5)).toBe("b");
    door.joined("a");
    expect([door.received("a", 1000), door.received("stranger", 1000)]).toEqual([undefined, undefined]);
  });
});
