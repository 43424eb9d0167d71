import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "./index.ts";
import { createBlocks, eventOf, readStream } from "./stream.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers each connection with the next of these, and later ones with the last. */
async function serve(...answers: readonly Answer[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answers[Math.min(requests.length, answers.length) - 1]?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return { requests, client: createClient({ url }) };
}

const events =
  (text: string, isCut: boolean): Answer =>
  (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(text, () => isCut && response.destroy());
  };

test("an interrupted stream continues after the last complete event", async () => {
  const { client, requests } = await serve(
    events('id: 5\nevent: a\ndata: {"n":1}\n\nid: 6\nevent: a\ndata: {"n"', true),
    events('event: a\ndata: {"n":2}\n\nevent: end\ndata: {}\n\n', false),
  );
  const states: string[] = [];
  const seen: unknown[] = [];
  for await (const { event, data } of client.stream("stream_job", {}, { onState: (state) => states.push(state) }))
    seen.push([event, data]);
  expect(seen).toEqual([
    ["a", { n: 1 }],
    ["a", { n: 2 }],
    ["end", {}],
  ]);
  expect(requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "5"]);
  expect(states).toEqual(["open", "lost", "open"]);
});

test("a stream that was aborted before it began sends no request", async () => {
  const { client, requests } = await serve(events("event: a\ndata: {}\n\nevent: end\ndata: {}\n\n", false));
  const seen: string[] = [];
  for await (const { event } of client.stream("stream_updates", {}, { signal: AbortSignal.abort() })) seen.push(event);
  expect([seen, requests.length]).toEqual([[], 0]);
});

test("a request without an answer is repeated after half a minute", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let tries = 0;
  const open = async (_lastId: string, signal: AbortSignal): Promise<Response> => {
    tries += 1;
    if (tries > 1) return new Response("event: end\ndata: {}\n\n");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  };
  const read = Array.fromAsync(readStream(open, {}));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(tries).toBe(1);
  await vi.advanceTimersByTimeAsync(4000);
  expect([tries, (await read).map(({ event }) => event)]).toEqual([2, ["end"]]);
});

test("a server that is not up yet is retried", async () => {
  const { client, requests } = await serve(
    (_request, response) => response.destroy(),
    events("event: end\ndata: {}\n\n", false),
  );
  const seen: string[] = [];
  for await (const { event } of client.stream("stream_updates")) seen.push(event);
  expect(seen).toEqual(["end"]);
  expect(requests).toHaveLength(2);
});

test("a page instead of a stream counts as a lost stream, and is retried", async () => {
  const { client, requests } = await serve(
    (_request, response) => response.setHeader("Content-Type", "text/html").end("<h1>Sign in</h1>"),
    events("event: end\ndata: {}\n\n", false),
  );
  const states: string[] = [];
  const onState = (state: string) => states.push(state);
  for await (const _event of client.stream("stream_updates", {}, { onState }));
  expect([states, requests.length]).toEqual([["lost", "open"], 2]);
});

test("a stream that is aborted when it is lost waits for nothing, and is not retried", async () => {
  const { client, requests } = await serve(events("event: a\ndata: {}\n\n", true));
  const stop = new AbortController();
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const delays: number[] = [];
  const onState = (state: string, retryMs: number): void => {
    if (state === "open") return;
    delays.push(retryMs);
    stop.abort();
  };
  for await (const _event of client.stream("stream_updates", {}, { signal: stop.signal, onState }));
  expect([requests.length, delays.length]).toEqual([1, 1]);
  expect(timers.mock.calls.map(([, ms]) => ms)).not.toContain(delays[0]);
});

test.each([
  ["an event with an id", 'id: 5\nevent: a\ndata: {"n":1}', { event: "a", data: { n: 1 }, id: "5" }],
  ["data alone", "data: [1]", { event: "message", data: [1], id: "" }],
  ["values without a space", "event:a\ndata:1", { event: "a", data: 1, id: "" }],
  ["data of two lines", 'data: {"n":\ndata: 1}', { event: "message", data: { n: 1 }, id: "" }],
  ["a value with colons", 'data: "a: b"', { event: "message", data: "a: b", id: "" }],
  ["a line that is no name", 'retry: 5\n__proto__: x\ndata: "a"', { event: "message", data: "a", id: "" }],
  ["a comment", ": warm", undefined],
  ["nothing", "", undefined],
])("%s is parsed from its lines", (_what, block, expected) => expect(eventOf(block)).toEqual(expected));

test("line ends of Windows are accepted, also split between two pieces", async () => {
  const { client } = await serve((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("event: a\r\ndata: 1\r\n\r");
    setImmediate(() => response.write("\nevent: end\r\ndata: {}\r\n\r\n"));
  });
  const seen: unknown[] = [];
  for await (const { event, data } of client.stream("stream_job")) seen.push([event, data]);
  expect(seen).toEqual([
    ["a", 1],
    ["end", {}],
  ]);
});

test("blocks are the same wherever their text is split", () => {
  const text = "id: 1\r\nevent: a\r\ndata: 1\r\n\r\n\nevent: b\ndata: 2\n\n: warm\n\n\r\ndata: 3\r\n\r\n";
  const whole = createBlocks()(text);
  expect(whole.map(eventOf).filter(Boolean)).toMatchObject([{ event: "a" }, { event: "b" }, { data: 3 }]);
  for (let one = 0; one <= text.length; one++)
    for (let two = one; two <= text.length; two++) {
      const blocksOf = createBlocks();
      const pieces = [text.slice(0, one), text.slice(one, two), text.slice(two)];
      expect(pieces.flatMap((piece) => blocksOf(piece))).toEqual(whole);
    }
});

test("an event of many megabytes in thousands of pieces is parsed in one pass", () => {
  const blocksOf = createBlocks();
  const piece = "x".repeat(1000);
  const begun = process.cpuUsage();
  for (let count = 0; count < 8000; count++) blocksOf(piece);
  const [block] = blocksOf("\n\n");
  expect(block).toHaveLength(8_000_000);
  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(2);
});

test("an event without an end is given up", () => {
  const blocksOf = createBlocks(1000);
  expect(blocksOf(`${"x".repeat(900)}\n\n${"y".repeat(900)}`)).toHaveLength(1);
  expect(() => blocksOf("y".repeat(101))).toThrow("more than 1000 characters");
});
