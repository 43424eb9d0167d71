import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../../test/engine.ts";
import { type Actor, anonymous } from "../../../../kernel/calls/context.ts";
import type { StreamResult } from "../../../../kernel/calls/operation.ts";
import type { Clock } from "../../../../ports/clock.ts";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { startJobs } from "../../../../testing/test-jobs.ts";
import { streamToken } from "../../access/rules/tokens.ts";

type Members = Record<string, unknown>;
const tokenOf = (id: string): string => streamToken(id, "EXAMPLE_CLUSTER_KEY");

type ApiKeys = Pick<Awaited<ReturnType<typeof setUp>>["api"], "deleteApiKey" | "updateApiKey">;

interface Listener {
  /** Stream events so far: name and data. */
  readonly events: [string, Members][];
  readonly closed: () => boolean;
  leave(): Promise<unknown>;
}

/** Reads a stream without delay. */
function listen({ body }: StreamResult): Listener {
  const events: [string, Members][] = [];
  const iterator = (body ?? [])[Symbol.asyncIterator as never] as unknown as () => AsyncIterator<Uint8Array>;
  const source = iterator.call(body);
  let isClosed = false;
  const readOn = async (): Promise<void> => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const match = /^event: (\w+)\ndata: (.*)\n\n$/.exec(Buffer.from(next.value).toString());
      if (!match) throw new Error("Not one event of one line");
      events.push([match[1] ?? "", JSON.parse(match[2] ?? "")]);
    }
    isClosed = true;
  };
  readOn().catch((error: unknown) => events.push(["failed", { error: String(error) }]));
  return { events, closed: () => isClosed, leave: async () => source.return?.() };
}

async function setUp(clock = fakeClock(1_795_253_600)) {
  const jobs = await startJobs({ clock });
  const server = await jobs.connect();
  return {
    ...jobs,
    ...jobs.signalbox,
    server,
    async start(members: Members = {}): Promise<string> {
      const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event(), ...members });
      await jobs.settle();
      return id;
    },
    async end(id: string, update: Members = {}) {
      server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...update } });
      await jobs.settle();
    },
    stream: (input: Members, actor: Actor = anonymous, signal?: AbortSignal) =>
      jobs.signalbox.execute({
        operation: "stream_job",
        input,
        actor,
        ...(signal ? { signal } : {}),
      }) as Promise<StreamResult>,
  };
}

const names = ({ events }: Listener): string[] => events.map(([name]) => name);
const last = ({ events }: Listener): Members | undefined => events.at(-1)?.[1];

describe("stream_job", () => {
  test("is an event stream that proxies may neither cache nor buffer", async () => {
    const at = await setUp();
    const id = await at.start();
    const { contentType, headers } = await at.stream({ id, token: tokenOf(id) });
    expect(contentType).toBe("text/event-stream");
    expect(headers).toEqual({ "Cache-Control": "no-cache", "X-Accel-Buffering": "no" });
  });

  test("sends start, then an update each second, then the final update and the end", async () => {
    const at = await setUp();
    const id = await at.start();
    const listener = listen(await at.stream({ id, token: tokenOf(id) }));
    await at.settle(0);
    expect(listener.events).toEqual([
      ["start", {}],
      ["update", expect.objectContaining({ xy: 1, id, state: "active", server: "s1", progress: 0 })],
    ]);
    at.server.send("jobs", { [id]: { progress: 0.5, status: "Half way", redraw: "r1", table: { rows: [[1]] } } });
    await at.clock.advance(1);
    expect(last(listener)).toMatchObject({ progress: 0.5, status: "Half way", redraw: "r1", table: { rows: [[1]] } });
    await at.clock.advance(1);
    for (const member of ["id", "started", "state", "server", "status", "redraw", "table"])
      expect(last(listener)).not.toHaveProperty(member);
    await at.end(id, { code: 3, description: "broken", data: { a: 1 } });
    await at.clock.advance(1);
    expect(names(listener)).toEqual(["start", "update", "update", "update", "update", "end"]);
    expect(listener.events.at(-2)?.[1]).toEqual({
      xy: 1,
      id,
      code: 3,
      description: "broken",
      completed: expect.any(Number),
      elapsed: expect.any(Number),
      data: { a: 1 },
      table: { rows: [[1]] },
    });
    expect([last(listener), listener.closed()]).toEqual([{}, true]);
  });

  test("never stays silent for ten seconds", async () => {
    const at = await setUp();
    const id = await at.start({ state: "start_delay", until: 1_795_253_660 });
    const listener = listen(await at.stream({ id }, keyWith([])));
    await at.clock.advance(30);
    expect(listener.events.length).toBeGreaterThanOrEqual(31);
    expect(listener.events[1]?.[1]).toMatchObject({ state: "start_delay", until: 1_795_253_660 });
  });

  test("of a finished job is its end", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.end(id);
    const listener = listen(await at.stream({ id }, keyWith([])));
    await at.settle(0);
    expect(names(listener)).toEqual(["start", "update", "end"]);
    expect(listener.events[1]?.[1]).toMatchObject({ id, code: 0 });
  });

  test("of an ephemeral job ends with the record that is not stored", async () => {
    const at = await setUp();
    const id = await at.start({ ephemeral: true });
    const listener = listen(await at.stream({ id, token: tokenOf(id) }));
    await at.settle(0);
    await at.end(id, { data: { a: 1 } });
    await at.clock.advance(1);
    expect(listener.events.at(-2)?.[1]).toMatchObject({ id, code: 0, data: { a: 1 } });
    await at.clock.advance(61);
    expect((await refusalOf(at.api.getJob({ id }))).code).toBe("notfound");
  });

  test("of a job that is deleted ends with a failure", async () => {
    const at = await setUp();
    const id = await at.start();
    await at.end(id);
    await at.api.deleteJob({ id });
    const listener = listen(await at.stream({ id, token: tokenOf(id) }));
    await at.settle(0);
    expect(listener.events).toEqual([
      ["start", {}],
      ["update", { xy: 1, error: true, code: 1, description: `Failed to load job details: ${id}` }],
      ["end", {}],
    ]);
  });

  test("sends the present state to a client that joins late", async () => {
    const at = await setUp();
    const id = await at.start();
    at.server.send("jobs", { [id]: { progress: 0.7, label: "L", redraw: "r", html: { content: "x" } } });
    await at.clock.advance(3);
    const listener = listen(await at.stream({ id, token: tokenOf(id) }));
    await at.settle(0);
    expect(last(listener)).toMatchObject({ id, state: "active", progress: 0.7, label: "L", html: { content: "x" } });
  });
});

/** Counts the timers that are pending. */
function countingClock() {
  const clock = fakeClock(1_795_253_600);
  const open = new Set<object>();
  const { after } = clock;
  clock.after = ((delayMs, task) => {
    const key = {};
    open.add(key);
    const timer = after(delayMs, () => {
      open.delete(key);
      task();
    });
    return {
      [Symbol.dispose]: () => {
        open.delete(key);
        timer[Symbol.dispose]();
      },
    };
  }) as Clock["after"];
  return { clock, open };
}

describe("a stream that ends early", () => {
  async function streaming(signal?: AbortSignal) {
    const { clock, open } = countingClock();
    const at = await setUp(clock);
    const id = await at.start();
    await at.clock.advance(1);
    const before = open.size;
    const listener = listen(await at.stream({ id, token: tokenOf(id) }, anonymous, signal));
    await at.settle(0);
    return { at, listener, before, open };
  }

  test("because its client left keeps nothing and sends no end", async () => {
    const leaving = new AbortController();
    const { at, listener, before, open } = await streaming(leaving.signal);
    expect(open.size).toBe(before + 1);
    leaving.abort();
    await at.settle(0);
    expect([names(listener), listener.closed(), open.size]).toEqual([["start", "update"], true, before]);
  });

  test.each<[string, (api: ApiKeys, id: string) => Promise<unknown>]>([
    ["is limited to other categories", (api, id) => api.updateApiKey({ id, categories: ["other"] })],
    ["is disabled", (api, id) => api.updateApiKey({ id, active: false })],
    ["is deleted", (api, id) => api.deleteApiKey({ id })],
  ])("because its key %s sends nothing more", async (_, change) => {
    const at = await setUp();
    const id = await at.start();
    const { api_key } = await at.api.createApiKey({ title: "Follows" });
    const listener = listen(await at.stream({ id }, keyWith([], { id: api_key.id })));
    await at.clock.advance(1);
    await change(at.api, api_key.id);
    await at.clock.advance(2);
    expect([names(listener), listener.closed()]).toEqual([["start", "update", "update"], true]);
  });

  test("because its session has ended sends nothing more", async () => {
    const at = await setUp();
    const id = await at.start();
    const person = { kind: "user", id: "admin", session: "gone" } as const;
    const listener = listen(await at.stream({ id }, { ...keyWith(["admin"]), ...person }));
    await at.settle(0);
    expect([names(listener), listener.closed()]).toEqual([["start"], true]);
  });

  test("because the engine stops sends no end, so that the client reconnects", async () => {
    const { at, listener } = await streaming();
    const stopped = at.stop();
    await at.clock.advance(30);
    await stopped;
    expect([names(listener), listener.closed()]).toEqual([["start", "update"], true]);
  });

  test("before the first event was read costs nothing", async () => {
    const at = await setUp();
    const id = await at.start();
    const { body } = await at.stream({ id, token: tokenOf(id) });
    const iterator = body?.[Symbol.asyncIterator]();
    await iterator?.return?.();
    expect((await iterator?.next())?.done).toBe(true);
  });
});

describe("following a job", () => {
  test.each<[string, Members, Actor, string, string]>([
    ["a wrong token", { token: "0".repeat(64) }, anonymous, "api", "Authentication failed."],
    ["an empty token", { token: "" }, anonymous, "api", "Authentication failed."],
    ["a wrong token despite valid credentials", { token: "x" }, keyWith(["admin"]), "api", "Authentication failed."],
    ["the token of another job", { token: tokenOf("j9") }, anonymous, "api", "Authentication failed."],
    ["neither token nor credentials", {}, anonymous, "session", "No Session ID or API Key could be found"],
    [
      "another category",
      {},
      keyWith([], { categories: ["other"] }),
      "access",
      "You do not have the required account privileges to access category ID general.",
    ],
    [
      "another group",
      {},
      keyWith([], { groups: ["web"] }),
      "access",
      "You do not have the required account privileges to access targets: main.",
    ],
  ])("a caller with %s is refused", async (_who, input, actor, code, description) => {
    const at = await setUp();
    const id = await at.start();
    expect(await refusalOf(at.stream({ id, ...input }, actor))).toEqual({ code, description });
    await at.end(id);
    expect(await refusalOf(at.stream({ id, ...input }, actor))).toEqual({ code, description });
  });

  test.each([
    [{}, "api", "Missing parameter: id"],
    [{ id: "a/../b" }, "api", "Malformed parameter: id"],
    [{ id: "nope" }, "notfound", "Failed to load job details: nope: Error: Item not found"],
    [{ id: "nope", token: ["x"] }, "api", "Parameter is not type string: token"],
  ])("%j is refused before the stream begins", async (input, code, description) => {
    const at = await setUp();
    expect(await refusalOf(at.stream(input, keyWith([])))).toEqual({ code, description });
  });
});

test("an update is one line of data, whatever the job prints", async () => {
  const at = await setUp();
  const id = await at.start();
  at.server.send("jobs", { [id]: { status: "a\n\nevent: end\ndata: {}\n\n\u2028" } });
  await at.settle(0);
  const listener = listen(await at.stream({ id, token: tokenOf(id) }));
  await at.settle(0);
  expect(last(listener)).toMatchObject({ status: "a\n\nevent: end\ndata: {}\n\n\u2028" });
  expect(names(listener)).toEqual(["start", "update"]);
});
