import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CallRequest } from "../src/caller/call-request.ts";
import { nodeCall } from "../src/node/node-call.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** Sends the lines of a request to a server with the given listener. */
async function send(listener: Listener, lines: readonly string[]): Promise<Socket> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(lines.join("\r\n"));
  return socket;
}

/** The call that `nodeCall` makes from a request. */
async function callOf(lines: readonly string[]): Promise<CallRequest | undefined> {
  const { promise, resolve } = Promise.withResolvers<CallRequest | undefined>();
  await send((incoming, outgoing) => resolve(nodeCall(incoming, outgoing)), lines);
  return promise;
}

async function requestOf(lines: readonly string[]): Promise<CallRequest> {
  const { promise, resolve } = Promise.withResolvers<Request>();
  const read = async (request: Request): Promise<Response> => {
    resolve(request.clone());
    return new Response();
  };
  await send(getRequestListener(read, { overrideGlobalObjects: false }), lines);
  return promise;
}

const get = (target: string, ...headers: string[]) => [
  `GET ${target} HTTP/1.1`,
  "Host: a.test:5522",
  ...headers,
  "",
  "",
];
const post = (body: string, ...headers: string[]) => [
  ...["POST /api/app/x HTTP/1.1", "Host: a.test", ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "", body],
];

async function told(request: CallRequest) {
  const { url, method, headers } = request;
  const all: Record<string, string> = {};
  headers.forEach((value, name) => {
    all[name] = value;
  });
  const text = method === "GET" ? "" : await request.text();
  return { url, method, all, key: headers.get("x-api-key"), none: headers.get("x-none"), text };
}

describe("a plain call to Node", () => {
  test.each([
    ["a read", get("/api/app/get_tags/v1?id=a&b=%20c")],
    ["a key that came twice", get("/api/app/x", "X-API-Key: a", "x-api-key: b")],
    ["cookies that came twice", get("/api/app/x", "Cookie: a=1", "Cookie: b=2")],
    ["bytes that are no letters", get("/api/app/x", "X-Name: \u00e9  ")],
    ["a body", post('{"title":"\u20ac"}', "Content-Type: application/json")],
    ["a body that begins with a byte order mark", post('\ufeff{"a":1}')],
    ["an empty body", post("")],
  ])("equals a `Request`: %s", async (_case, lines) => {
    const [call, request] = [await callOf(lines), await requestOf(lines)];
    if (!call) throw new Error("No usual call");
    expect(await told(call)).toEqual(await told(request));
    expect(call.signal.aborted).toBe(false);
  });

  test.each([
    ["another method", ["HEAD / HTTP/1.1", "Host: a.test", "", ""]],
    ["a body without a length", [...post("").slice(0, 2), "Transfer-Encoding: chunked", "", ""]],
    ["a long body", [...post("").slice(0, 2), "Content-Length: 65537", "", ""]],
    ["a form with files", post("", "Content-Type: Multipart/form-data; boundary=a")],
    ["no host", ["GET / HTTP/1.0", "", ""]],
    ["a host that a URL normalises", ["GET / HTTP/1.1", "Host: A.test", "", ""]],
    ["a port that a URL leaves out", ["GET / HTTP/1.1", "Host: a.test:80", "", ""]],
    ["a whole address", get("http://b.test/")],
    ["a path that goes up", get("/api/../secret")],
    ["a path that a URL escapes", get("/api/app/x'")],
  ])("is not used: %s", async (_case, lines) => {
    expect(await callOf(lines)).toBeUndefined();
  });

  test("ends with its connection", async () => {
    const { promise, resolve } = Promise.withResolvers<CallRequest | undefined>();
    const lines = [...post("").slice(0, 2), "Content-Length: 9", "", "half"];
    const socket = await send((incoming, outgoing) => resolve(nodeCall(incoming, outgoing)), lines);
    const call = await promise;
    const text = call?.text();
    const { aborted } = call?.signal ?? {};
    socket.destroy();
    await expect(text).rejects.toThrow("aborted");
    await expect.poll(() => [aborted, call?.signal.aborted]).toEqual([false, true]);
  });
});

test("a server that gets only calls does not load Node's `fetch`", async () => {
  const program = `
    import { handlerOf, PlainAnswer } from "./src/answer/plain-answer.ts";
    import { nodeListener } from "./src/node.ts";
    const { createServer, get } = process.getBuiltinModule("node:http");
    const call = ({ url }) => url.endsWith("/call") ? new PlainAnswer("called", 200, {}) : undefined;
    const listener = nodeListener(handlerOf(() => new Response("page"), call));
    const server = createServer(listener).listen(0, "127.0.0.1", async () => {
      for (const path of ["/call", "/page"]) {
        const text = await new Promise((resolve) => {
          get({ port: server.address().port, path }, (answer) => answer.setEncoding("utf8").on("data", resolve));
        });
        console.log(text, process.moduleLoadList.some((name) => name.endsWith("undici/undici")));
      }
      server.close().closeAllConnections();
    });`;
  const flags = ["--conditions=@signalbox/source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  expect(stdout).toBe("called false\npage true\n");
});
