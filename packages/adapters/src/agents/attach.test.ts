import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { createSignalbox, memoryStorage, type Signalbox } from "@signalbox/core";
import { fakeClock, openSatellite, socketSatellite } from "@signalbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { recordingLogger } from "../../../core/test/engine.ts";
import { SECRET_KEY } from "../../test/ws-conductor.ts";
import { type WsAgents, type WsAgentsOptions, wsAgents } from "./index.ts";

const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of stack.splice(0).toReversed()) await end();
});

/** A host's HTTP server, and an engine that has not been started. */
async function host(options: WsAgentsOptions = {}) {
  const agents = wsAgents(options);
  const clock = fakeClock();
  const log = recordingLogger();
  const signalbox: Signalbox = createSignalbox({
    ...{ storage: memoryStorage({ clock }), secretKey: SECRET_KEY, agents, clock, log },
  });
  stack.push(() => signalbox.stop());
  const server = createServer((_request, response) => response.end("host"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { agents, log, signalbox, server, port, url: `ws://127.0.0.1:${port}/` };
}

const join = (url: string) => socketSatellite({ url, hostname: "web01", id: "s1", join: { serverKey: SECRET_KEY } });

/** Status and text of the answer to an upgrade request. */
async function asking(port: number, path: string, protocol = "websocket"): Promise<string> {
  const headers = { Connection: "Upgrade", Upgrade: protocol };
  const sent = request({ port, host: "127.0.0.1", path, headers, agent: false });
  sent.end();
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return `${response.statusCode} ${Buffer.concat(chunks)}`;
}

describe("a server of the host", () => {
  test("accepts satellites at the root once the engine has started, and answers 503 before", async () => {
    const { agents, signalbox, server, port, url } = await host();
    agents.attach(server);
    expect(await asking(port, "/")).toMatch(
      /^503 No engine runs behind this port: give wsAgents\(\) to createSignalbox/,
    );
    await signalbox.start();
    expect((await join(url)).isOpen).toBe(true);
    expect(agents.size).toBe(1);
  });

  test("may be attached after the start, at another path, and detached again", async () => {
    const { agents, signalbox, server, url } = await host();
    await signalbox.start();
    const attached = agents.attach(server, { path: "/satellites" });
    await expect(openSatellite(url)).rejects.toThrow("refused");
    expect((await join(`${url}satellites?x=1`)).isOpen).toBe(true);
    attached[Symbol.dispose]();
    await expect(openSatellite(`${url}satellites`)).rejects.toThrow("refused");
    expect(server.listenerCount("upgrade")).toBe(0);
  });

  test("still answers other paths and other protocols", async () => {
    const { agents, signalbox, server, port } = await host();
    agents.attach(server);
    await signalbox.start();
    const choosing = "shouldUpgradeCallback" in server;
    const plain = choosing ? "200 host" : "404 ";
    expect(await asking(port, "/elsewhere")).toBe(plain);
    expect(await asking(port, "/", "h2c")).toBe(plain);
  });

  test("keeps its own WebSockets at other paths", async () => {
    const { agents, signalbox, server, port } = await host();
    server.on("upgrade", ({ url }, socket) => {
      if (url === "/own") socket.end("HTTP/1.1 426 Own\r\nContent-Length: 3\r\n\r\nown");
    });
    agents.attach(server);
    await signalbox.start();
    expect(await asking(port, "/own")).toBe("426 own");
  });

  test("may accept a socket meant for satellites: it keeps it, and satellites still connect elsewhere", async () => {
    const { agents, signalbox, server, url } = await host();
    await signalbox.start();
    const own = new WebSocketServer({ server });
    own.on("connection", (ws) => ws.on("message", (text) => ws.send(`host: ${text}`)));
    agents.attach(server);
    const client = new WebSocket(url);
    await once(client, "open");
    // Both listeners have been asked by the time of the second answer.
    for (const text of ["one", "two"]) {
      client.send(text);
      const [answer] = await once(client, "message");
      expect(String(answer)).toBe(`host: ${text}`);
    }
    client.terminate();
    await new Promise<void>((resolve) => own.close(() => resolve()));
    expect((await join(url)).isOpen).toBe(true);
  });

  test("has all its listeners back after the stop, and satellites are told to reconnect later", async () => {
    const { agents, signalbox, server, url } = await host();
    const before = (server as { shouldUpgradeCallback?: unknown }).shouldUpgradeCallback;
    agents.attach(server);
    await signalbox.start();
    const satellite = await join(url);
    await signalbox.stop();
    expect(await satellite.closed).toEqual({ code: 1001, reason: "Signalbox is stopping." });
    expect(listenersOf(server)).toBe(0);
    expect((server as { shouldUpgradeCallback?: unknown }).shouldUpgradeCallback).toBe(before);
    expect(agents.size).toBe(0);
  });
});

/** The server of this process that listens on a port. */
function serverAt(port: number): NetServer {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles(): unknown[] };
  const found = _getActiveHandles().find(
    (each): each is NetServer => each instanceof NetServer && (each.address() as AddressInfo | null)?.port === port,
  );
  if (!found) throw new Error(`Nothing listens on ${port}`);
  return found;
}

const listenersOf = (server: Server): number => server.listenerCount("upgrade");

describe("a port of its own", () => {
  test("is closed by the stop, and a start rejects when it is in use", async () => {
    const { agents, signalbox } = await host();
    await signalbox.start();
    const { port } = await agents.listen({ port: 0, host: "127.0.0.1" });
    await expect(agents.listen({ port, host: "127.0.0.1" })).rejects.toThrow("EADDRINUSE");
    expect(await asking(port, "/elsewhere")).toMatch(/^426|^404/);
    await signalbox.stop();
    await expect(openSatellite(`ws://127.0.0.1:${port}/`)).rejects.toThrow("refused");
  });

  test("answers HTTP with the given listener", async () => {
    const { agents, signalbox } = await host();
    await signalbox.start();
    const requests = (_request: unknown, response: { end(text: string): unknown }) => void response.end("api");
    const { port } = await agents.listen({ port: 0, host: "127.0.0.1", requests });
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    expect(await response.text()).toBe("api");
  });
});

describe("an error", () => {
  test("in a function of the host refuses the satellite, and is logged", async () => {
    const { agents, log, port, server, signalbox } = await host({
      clientAddress: () => {
        throw new Error("no header");
      },
    });
    agents.attach(server);
    await signalbox.start();
    expect(await asking(port, "/")).toMatch(/^500/);
    expect(log.lines.map(({ message }) => message)).toContain(
      "A satellite was refused: clientAddress or isSecure of wsAgents failed",
    );
  });

  test("in accepting a connection leaves the port open, and is logged", async () => {
    const { agents, log, signalbox } = await host();
    await signalbox.start();
    const { port } = await agents.listen({ port: 0, host: "127.0.0.1" });
    serverAt(port).emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
    expect(await asking(port, "/elsewhere")).toMatch(/^426/);
    expect(log.lines.map(({ message }) => message)).toContain("The port of satellites could not accept a connection");
  });
});

test("a value that is no server is refused", () => {
  const attach = () => wsAgents().attach(undefined as never);
  expect(attach).toThrow("wsAgents: attach takes a server of node:http, such as app.listen(…) returns");
});

describe("options", () => {
  test("the host may set the address and the encryption of a satellite", async () => {
    const { agents, signalbox, server, url } = await host({
      clientAddress: () => "203.0.113.7",
      isSecure: () => false,
    });
    agents.attach(server);
    await signalbox.start();
    await join(url);
    const { api } = signalbox as ReturnType<typeof createSignalbox>;
    expect((await api.getActiveServers()).rows).toMatchObject([{ ip: "203.0.113.7" }]);
  });

  test.each([0, -1, 1.5, Number.NaN])("a bound of %d is refused", (maxSockets) => {
    expect(() => wsAgents({ maxSockets })).toThrow("maxSockets must be a positive whole number");
  });

  test("compression is accepted when it is asked for", async () => {
    const { agents, signalbox, server, url } = await host({ compression: true });
    agents.attach(server);
    await signalbox.start();
    expect((await join(url)).isOpen).toBe(true);
  });

  test("a running transport cannot be started again", async () => {
    const agents: WsAgents = wsAgents();
    const { signalbox } = await host();
    expect(agents.size).toBe(0);
    await agents.stop();
    await signalbox.start();
    const twice = createSignalbox({ storage: memoryStorage(), secretKey: SECRET_KEY, agents: [agents, agents] });
    await expect(twice.start()).rejects.toThrow("started already");
    await twice.stop();
  });
});
