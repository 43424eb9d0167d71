import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { type BodySource, bodySource } from "../src/body/body.ts";

const LONG = "w".repeat(300_000);

interface Seen {
  readonly isMessage: boolean;
  readonly text: string;
}

/** Serves each body as a source reads it, up to `most` characters plus a chunk, after `middleware` has had the request. */
async function serve(middleware: (raw: Request) => Request | Promise<Request>, most = Number.POSITIVE_INFINITY) {
  const seen: Seen[] = [];
  const server = createServer(
    getRequestListener(async (given, env) => {
      const raw = await middleware(given);
      const source = bodySource({ raw, text: () => raw.text() }, env);
      const stream = source.stream();
      const isMessage = stream === env.incoming;
      seen.push({ isMessage, text: await textOf(source, stream, most) });
      return new Response("read");
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Resolves to whether the connection of the previous call was reused. */
  const post = async (body: string): Promise<boolean> => {
    const sent = request({ port, agent, method: "POST", headers: { "content-length": Buffer.byteLength(body) } });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    expect(await text(answer)).toBe("read");
    return sent.reusedSocket;
  };
  return { seen, post };
}

async function textOf(source: BodySource, stream: ReturnType<BodySource["stream"]>, most: number): Promise<string> {
  let read = "";
  if (!stream) return read;
  for await (const chunk of source.arrival.follow(stream)) {
    read += Buffer.from(chunk).toString();
    if (read.length > most) break;
  }
  return read;
}

test("a body is read from the message itself, and its connection serves the next call", async () => {
  const { seen, post } = await serve((raw) => raw);
  expect([await post(LONG), await post("short")]).toEqual([false, true]);
  expect(seen).toEqual([
    { isMessage: true, text: LONG },
    { isMessage: true, text: "short" },
  ]);
});

test("a body that is only partly read does not block the next call of its connection", async () => {
  const { seen, post } = await serve((raw) => raw, 1000);
  expect([await post(LONG), await post("short")]).toEqual([false, true]);
  const [left, next] = seen;
  expect(left?.isMessage).toBe(true);
  expect(left?.text.length).toBeLessThan(LONG.length);
  expect(next).toEqual({ isMessage: true, text: "short" });
});

test("a request that middleware created gives its own body, even one of the same length", async () => {
  const other = "v".repeat(LONG.length);
  const { seen, post } = await serve(async (raw) => {
    await raw.text();
    return new Request(raw.url, { method: "POST", headers: raw.headers, body: other });
  });
  await post(LONG);
  expect(seen).toEqual([{ isMessage: false, text: other }]);
});

test("a request that middleware created from an unread one gives its own body", async () => {
  const { seen, post } = await serve(
    (raw) => new Request(raw.url, { method: "POST", headers: raw.headers, body: "other" }),
  );
  await post("given");
  expect(seen).toEqual([{ isMessage: false, text: "other" }]);
});

test("a body whose stream the host has requested is read from that stream", async () => {
  const { seen, post } = await serve((raw) => {
    expect(raw.body).not.toBeNull();
    return raw;
  });
  await post(LONG);
  expect(seen).toEqual([{ isMessage: false, text: LONG }]);
});
