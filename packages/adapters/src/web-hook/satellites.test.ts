import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createPort, type Server, type Socket } from "node:net";
import { createServer as createSecurePort, TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import type { WebHookClient } from "@signalbox/core/adapter";
import { fakeClock, type ScriptedServer, scriptedAgent } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";

const pem = (part: string) => readFileSync(new URL(`fixtures/self-signed.${part}.pem`, import.meta.url));
const run = promisify(execFile);

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
const serve = async (answer: RequestListener) => `http://127.0.0.1:${await portOf(createServer(answer))}/`;

interface Command {
  readonly id: string;
  readonly command: string;
  readonly script: string;
  readonly timeout: number;
}

/** The check command that a satellite was given. */
const ownOf = ({ received }: ScriptedServer): Command | undefined =>
  received
    .flatMap(({ data }) => {
      const { commands } = (data ?? {}) as { commands?: Command[] };
      return commands ? [commands] : [];
    })
    .at(-1)
    ?.find(({ id }) => id === "signalbox_checks");

/** An engine whose own requests fail, and satellites that run their commands. */
async function setUp(config: object = {}) {
  const clock = fakeClock(1_800_000_000);
  const agent = scriptedAgent();
  const send: WebHookClient["send"] = async () => Promise.reject(new Error("Not reached from here"));
  const storage = memoryStorage({ clock });
  const box = createSignalbox({
    ...{ storage, clock, agents: agent, secretKey: "a secret key for tests", webHooks: { send } },
    config: { alert_universal_actions: [], ...config },
  });
  await box.start();
  onTestFinished(() => box.stop());
  const pass = async (seconds: number) => {
    for (let gone = 0; gone < seconds; gone += 10) await clock.advance(10);
  };
  /** The findings of a satellite in one minute. */
  const findings = async (server: ScriptedServer): Promise<Record<string, unknown>> => {
    const { command, script } = ownOf(server) as Command;
    expect(command).toBe("/bin/sh");
    const { stdout } = await run(command, ["-c", script]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const minute = async (server: ScriptedServer, commands: Record<string, unknown>) => {
    await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
    const stored = new Promise<void>((resolve) => box.events.on("server.minute", () => resolve()));
    server.send("monitor", { version: "1.0", date: clock.now(), data: { commands } });
    await stored;
    await clock.advance(1);
  };
  const live = async (check: string) =>
    (await box.api.searchAlerts({ query: `check:${check} active:true`, limit: 9 })).rows;
  const join = (id: string, groups: string[] = []) =>
    agent.connect({ hostname: `${id}.example.com`, id, initial: { title: id.toUpperCase(), groups } });
  return { agent, api: box.api, clock, findings, join, live, minute, pass };
}

const quiet = (socket: Socket): Socket => socket.on("error", () => undefined);
const own = { cert: pem("cert"), key: pem("key") };

/** A server with different pages; `seen` collects the keys that another origin received. */
async function pages() {
  const seen: unknown[] = [];
  const other = await serve(({ headers }, response) => {
    seen.push(headers["x-key"]);
    response.end("moved here");
  });
  const url = await serve(({ url: path, headers, method }, response) => {
    if (path === "/moved") return void response.writeHead(302, { Location: other }).end();
    if (path === "/round") return void response.writeHead(301, { Location: "/round" }).end();
    if (path === "/inside") return void response.writeHead(302, { Location: "http://169.254.169.254/latest" }).end();
    if (path === "/slow") return undefined;
    response.writeHead(path === "/bad" ? 503 : 200).end(`${method} ${headers["x-key"]}: all fine`);
  });
  return { seen, url };
}

/** A port that greets with two lines, waits for the client between them, and switches to TLS when asked. */
const mailPort = () =>
  portOf(
    createPort((socket) => {
      quiet(socket).write("220-mail\r\n");
      let isReady = false;
      setTimeout(() => {
        isReady = true;
        socket.write("220 ready\r\n");
      }, 30);
      socket.on("data", function answer(chunk) {
        const said = chunk.toString().trim();
        if (!isReady) return void socket.end("554 too early\r\n");
        socket.write(said === "STARTTLS" ? "220 go ahead\r\n" : "250-mail\r\n250 STARTTLS\r\n");
        if (said !== "STARTTLS") return;
        socket.off("data", answer);
        quiet(new TLSSocket(socket, { isServer: true, ...own })).resume();
      });
    }),
  );

/** A name server that knows one address. */
async function nameServer(): Promise<string> {
  const server = createSocket("udp4");
  server.on("message", (asked, from) => {
    const head = Buffer.from(asked.subarray(0, asked.indexOf(0, 12) + 5));
    for (const [at, word] of [
      [2, 0x8180],
      [6, 1],
      [8, 0],
      [10, 0],
    ] as const)
      head.writeUInt16BE(word, at);
    const row = Buffer.of(0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7);
    server.send(Buffer.concat([head, row]), from.port, from.address);
  });
  server.bind(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `127.0.0.1:${server.address().port}`;
}

/** Checks, each with its expected result. */
async function cases(url: string): Promise<readonly (readonly [object, object])[]> {
  const mail = await mailPort();
  const secure = await portOf(createSecurePort(own, quiet));
  const resolver = await nameServer();
  const headers = [{ name: "X-Key", value: "k1" }];
  const page = (path: string, members: object = {}) => ({ type: "http", url: url + path, headers, ...members });
  const port = (number: number, members: object = {}) => ({ type: "tcp", host: "127.0.0.1", port: number, ...members });
  const blocked = (kind: string) => ({ ok: false, reason: "blocked", text: expect.stringContaining(`(${kind})`) });
  const ends = { ok: true, days_left: expect.any(Number), address: "127.0.0.1" };
  return [
    [page("", { contains: "GET k1: all fine", not_contains: "bad" }), { ok: true, status: 200, from: "s1" }],
    [page("bad"), { ok: false, reason: "status", text: "The status is 503." }],
    [page("", { not_contains: "all fine" }), { reason: "content", text: 'The answer holds "all fine".' }],
    [page("moved", { contains: "moved here" }), { ok: true }],
    [page("round"), { reason: "answer", text: "Too many redirects (5)" }],
    [page("inside"), blocked("metadata")],
    [page("slow", { timeout: 1 }), { ok: false, reason: "timeout" }],
    [port(mail, { contains: "ready" }), { ok: true, address: "127.0.0.1" }],
    [port(80, { host: "::ffff:169.254.169.254" }), blocked("metadata")],
    [port(1), { ok: false, reason: "refused" }],
    [port(secure, { type: "tls", verify: false }), ends],
    [port(mail, { type: "tls", starttls: "smtp", verify: false }), ends],
    [port(secure, { type: "tls" }), { ok: false, reason: "tls" }],
    [
      { type: "dns", name: "a.example.com", resolver, equals: ["192.0.2.7"] },
      { ok: true, address: "192.0.2.7" },
    ],
    [{ type: "dns", name: "a.example.com", resolver: "169.254.1.1" }, blocked("link-local")],
  ];
}

test("a satellite has the same results as the engine, and sends only facts", async () => {
  const at = await setUp();
  const server = await at.join("s1");
  const { url, seen } = await pages();
  const all = await cases(url);
  for (const [id, [members]] of all.entries())
    await at.api.createCheck({ id: `c${id}`, title: "C", from: ["s1"], ...members } as never);
  await at.pass(60);
  const found = await at.findings(server);
  expect(JSON.stringify(found)).not.toMatch(/all fine|220 mail|k1/);
  await at.minute(server, { signalbox_checks: found });
  for (const [id, [asked, result]] of all.entries())
    expect((await at.api.getCheck({ id: `c${id}` })).results, JSON.stringify(asked)).toMatchObject([result]);
  expect(seen).toEqual([undefined]);
});

test("the air gap applies to satellites like to the engine", async () => {
  const at = await setUp({ airgap: { enabled: true, whitelist: ["loopback"], blacklist: ["127.0.0.2"] } });
  const server = await at.join("s1");
  const number = await portOf(createPort(quiet));
  for (const [id, host] of [
    ["inside", "127.0.0.1"],
    ["refused", "127.0.0.2"],
    ["outside", "192.0.2.1"],
  ] as const)
    await at.api.createCheck({ id, title: id, type: "tcp", host, port: number, from: ["s1"] });
  await at.pass(60);
  const outside = { blocked: true, text: expect.stringContaining("(outside of the air gap)") };
  expect(await at.findings(server)).toMatchObject({ inside: { address: "127.0.0.1" }, refused: outside, outside });
});

test("places agree before a notice is sent, and the notice names them", async () => {
  const at = await setUp();
  await at.api.createGroup({ id: "web", title: "Web", hostname_match: "^none$" });
  const one = await at.join("s1", ["web"]);
  const two = await at.join("s2", ["web"]);
  const away = await at.join("s3");
  await at.api.createCheck({
    ...{ id: "shop", title: "Shop", type: "tcp", host: "192.0.2.1", port: 25, retries: 0, from: ["web", "s3"] },
  });
  await at.pass(60);
  expect([one, two, away].map((server) => ownOf(server)?.script.includes('"id":"shop"'))).toEqual([true, true, true]);
  const answers = (answer: object) => ({ signalbox_checks: { shop: { ms: 3, ...answer } } });
  const good = answers({ words: [], heard: false, address: "192.0.2.1" });
  const bad = answers({ blocked: false, code: "ECONNREFUSED", text: "connect ECONNREFUSED" });
  await at.minute(one, bad);
  expect(await at.live("shop")).toHaveLength(1);
  await at.minute(two, good);
  await at.minute(away, good);
  await at.minute(one, bad);
  await at.pass(130);
  await at.minute(two, good);
  expect(await at.live("shop")).toEqual([]);
  await at.minute(one, bad);
  await at.minute(two, bad);
  const [firing] = await at.live("shop");
  expect(firing).toMatchObject({ alert: "check_down", message: "From S1, S2: connect ECONNREFUSED" });
  const { down, places, results } = await at.api.getCheck({ id: "shop" });
  expect(down).toBe(true);
  expect(results[0]).toMatchObject({ ok: false, from: "s2" });
  expect(places.map(({ place, fresh, down: isDown }) => [place, fresh, isDown])).toEqual([
    ["s1", true, true],
    ["s2", true, true],
    ["s3", false, false],
  ]);
});
