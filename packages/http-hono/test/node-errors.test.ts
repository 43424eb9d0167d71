import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { nodeListener } from "../src/node.ts";

/** A server with a handler that throws; `nextOf` makes the last argument that a framework would pass. */
async function serveFailing(error: Error, nextOf?: (response: ServerResponse) => (error: unknown) => void) {
  const listener = nodeListener(async () => Promise.reject(error));
  const server = createServer((message, response) => void listener(message, response, nextOf?.(response)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return server.address() as AddressInfo;
}

test("an error in code of the host goes to the host's own error handler, which answers", async () => {
  const error = new Error("the store of sessions is down");
  const seen: unknown[] = [];
  const { port } = await serveFailing(error, (response) => (found) => {
    seen.push(found);
    response.writeHead(503).end("the host's own words");
  });
  for (const init of [{}, { method: "POST", body: "{}" }]) {
    const answer = await fetch(`http://127.0.0.1:${port}/ops/`, init);
    expect([answer.status, await answer.text()]).toEqual([503, "the host's own words"]);
  }
  expect(seen).toEqual([error, error]);
});

test("without an error handler it is written to the console, and answered as an internal error", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const error = new Error("the store of sessions is down");
  const { port } = await serveFailing(error);
  const answer = await fetch(`http://127.0.0.1:${port}/ops/`);
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { code: "internal", description: "Internal server error" },
  ]);
  expect(said.mock.calls).toEqual([["signalbox: the host failed at a request", error]]);
});

test("an invalid Host header is a bad request, and not reported to the host", async () => {
  const seen: unknown[] = [];
  const { port } = await serveFailing(new Error("not reached"), () => (found) => seen.push(found));
  const asked = request({ port, host: "127.0.0.1", path: "/ops/", headers: { host: "a b" } }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect([answer.statusCode, await text(answer), seen]).toEqual([400, "", []]);
});

test("a request of HTTP/1.0 without a Host header is answered, as a load balancer's health check sends it", async () => {
  const server = createServer(nodeListener(() => new Response("up"))).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /ops/ready HTTP/1.0\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nup$/s);
});
