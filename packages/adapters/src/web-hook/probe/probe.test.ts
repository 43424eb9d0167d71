import { X509Certificate } from "node:crypto";
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer, TLSSocket } from "node:tls";
import type { Probe } from "@signalbox/core/adapter";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchWebHookClient } from "../fetch-client.ts";

const pem = (part: string) => readFileSync(new URL(`../fixtures/self-signed.${part}.pem`, import.meta.url));
const own = { cert: pem("cert"), key: pem("key") };
const ENDS = Date.parse(new X509Certificate(own.cert).validTo) / 1000;

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
const serve = (onConnection: (socket: Socket) => void) =>
  listening(createServer((socket) => onConnection(socket.on("error", () => undefined))));

const never = new AbortController().signal;
type Asked = { kind: Probe["kind"] } & Record<string, unknown>;
function ask(probe: Asked, { allow = ["loopback"], signal = never }: { allow?: string[]; signal?: AbortSignal } = {}) {
  const { probe: send } = fetchWebHookClient();
  if (!send) throw new Error("The client asks by HTTP alone");
  return send({ timeoutMs: 2000, targets: { allow }, ...probe } as unknown as Probe, signal);
}

describe("a port", () => {
  test("answers by a connection, with its address and the time", async () => {
    const port = await serve((socket) => socket.end());
    const answer = await ask({ kind: "tcp", host: "localhost", port });
    expect(answer).toEqual({ address: "127.0.0.1", elapsedMs: expect.any(Number) });
  });

  test("is read until an expected text has come, or it ends", async () => {
    const port = await serve((socket) => {
      socket.write("220 mail");
      setTimeout(() => socket.write(".example.com ready\r\n"), 5);
    });
    const answer = await ask({ kind: "tcp", host: "127.0.0.1", port, until: "ready" });
    expect(answer.text).toBe("220 mail.example.com ready\r\n");
    const short = await serve((socket) => socket.end("bye"));
    expect((await ask({ kind: "tcp", host: "127.0.0.1", port: short, until: "ready" })).text).toBe("bye");
  });

  test("is sent a text first, and read up to 4 KB", async () => {
    const port = await serve((socket) => socket.on("data", (said) => socket.write(`${said} ${"x".repeat(9000)}`)));
    const answer = await ask({ kind: "tcp", host: "127.0.0.1", port, send: "PING\r\n", until: "never" });
    expect(answer.text).toHaveLength(4096);
    expect(answer.text).toMatch(/^PING\r\n x/);
  });

  test("a free port refuses, and a probe of a silent one ends with its signal", async () => {
    const port = await serve((socket) => socket.resume());
    const free = await serve(() => undefined);
    const closing = new AbortController();
    setTimeout(() => closing.abort(new Error("No answer within 20 ms")), 20);
    const asked = { kind: "tcp", host: "127.0.0.1", port, until: "x" } as const;
    await expect(ask(asked, { signal: closing.signal })).rejects.toThrow("within 20 ms");
    await expect(ask(asked, { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
    expect(free).not.toBe(port);
    const gone = createServer();
    const unused = await listening(gone);
    gone.close();
    await expect(ask({ kind: "tcp", host: "127.0.0.1", port: unused })).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test.each([
    ["127.0.0.1", [], "loopback"],
    ["localhost", [], "loopback"],
    ["::1", [], "loopback"],
    ["169.254.169.254", ["loopback", "private"], "metadata"],
    ["10.0.0.1", ["loopback"], "private"],
  ])("at %s is not connected to with %j open", async (host, allow, kind) => {
    let asked = 0;
    const port = await serve(() => void asked++);
    await expect(ask({ kind: "tcp", host, port }, { allow })).rejects.toThrow(kind);
    await expect(ask({ kind: "tls", host, port, starttls: "none" }, { allow })).rejects.toThrow(TypeError);
    expect(asked).toBe(0);
  });
});

describe("a certificate", () => {
  const secured = () => listening(createSecureServer(own, (socket) => socket.on("error", () => undefined)));

  test("has its expiry, and is refused when it is untrusted", async () => {
    const probe = { kind: "tls", host: "127.0.0.1", port: await secured(), starttls: "none" } as const;
    expect(await ask({ ...probe, verify: false })).toMatchObject({ certificateEnds: ENDS, address: "127.0.0.1" });
    await expect(ask({ ...probe, verify: true })).rejects.toMatchObject({ code: expect.stringMatching(/CERT|SIGNED/) });
  });

  /** A server that switches to TLS when asked with the commands of its protocol. */
  const talker = (talk: Readonly<Record<string, string>>, greeting: string, asked: string) =>
    serve((socket) => {
      socket.write(greeting);
      socket.on("data", function answer(chunk) {
        const said = chunk.toString().trim();
        socket.write(talk[said] ?? "500 what?\r\n");
        if (said !== asked) return;
        socket.off("data", answer);
        new TLSSocket(socket, { isServer: true, ...own }).on("error", () => undefined).resume();
      });
    });

  test.each([
    [
      "smtp",
      "220 mail.example.com\r\n",
      { "EHLO signalbox": "250-mail.example.com\r\n250-SIZE\r\n250 STARTTLS\r\n", STARTTLS: "220 go ahead\r\n" },
      "STARTTLS",
    ],
    ["imap", "* OK ready\r\n", { "a1 STARTTLS": "a1 OK begin\r\n" }, "a1 STARTTLS"],
  ])("of a server that speaks %s first", async (starttls, greeting, talk, asked) => {
    const port = await talker(talk as Record<string, string>, greeting, asked);
    const answer = await ask({ kind: "tls", host: "127.0.0.1", port, starttls, verify: false });
    expect(answer).toMatchObject({ certificateEnds: ENDS });
  });

  test("of a server whose greeting has several lines, with a pause between them", async () => {
    const port = await serve((socket) => {
      socket.write("220-mail.example.com\r\n");
      let isReady = false;
      setTimeout(() => {
        isReady = true;
        socket.write("220 mail.example.com\r\n");
      }, 30);
      socket.once("data", () => {
        if (!isReady) return void socket.end("554 You speak too early\r\n");
        socket.write("250 STARTTLS\r\n");
        socket.once("data", () => {
          socket.write("220-go\r\n220 ahead\r\n");
          new TLSSocket(socket, { isServer: true, ...own }).on("error", () => undefined).resume();
        });
      });
    });
    const answer = await ask({ kind: "tls", host: "127.0.0.1", port, starttls: "smtp", verify: false });
    expect(answer).toMatchObject({ certificateEnds: ENDS });
  });

  test("is missing when a server does not switch to TLS", async () => {
    const port = await talker({}, "220 mail.example.com\r\n", "STARTTLS");
    const asked = ask({ kind: "tls", host: "127.0.0.1", port, starttls: "smtp", verify: false });
    await expect(asked).rejects.toThrow("The server does not go over to TLS: 500 what?");
  });

  test.each([
    ["smtp", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["smtp", "250 hello\r\n"],
    ["imap", "+OK POP3 ready\r\n"],
    ["imap", "* BYE too busy\r\n"],
  ] as const)("of a server probed by %s that begins with %j is refused", async (starttls, banner) => {
    const port = await serve((socket) => void socket.write(banner));
    const asked = ask({ kind: "tls", host: "127.0.0.1", port, starttls, verify: false });
    await expect(asked).rejects.toThrow(`The server does not go over to TLS: ${banner.trim()}`);
  });
});

/** A name server that gives the same answer to every question of a type. */
async function nameServer(answers: Readonly<Record<number, readonly Buffer[]>>): Promise<string> {
  const server: Datagrams = createSocket("udp4");
  server.on("message", (asked, from) => {
    const end = asked.indexOf(0, 12) + 5;
    const type = asked.readUInt16BE(end - 4);
    const found = answers[type] ?? [];
    const head = Buffer.from(asked.subarray(0, 12));
    head.writeUInt16BE(found.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt32BE(0, 8);
    const rows = found.map((data) => {
      const row = Buffer.alloc(12);
      row.writeUInt16BE(0xc00c, 0);
      row.writeUInt16BE(type, 2);
      row.writeUInt16BE(1, 4);
      row.writeUInt32BE(60, 6);
      row.writeUInt16BE(data.length, 10);
      return Buffer.concat([row, data]);
    });
    server.send(Buffer.concat([head, asked.subarray(12, end), ...rows]), from.port, from.address);
  });
  server.bind(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `127.0.0.1:${server.address().port}`;
}

describe("a name in a DNS probe", () => {
  const named = (text: string) =>
    Buffer.concat([
      ...text.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
      Buffer.of(0),
    ]);

  test("gets the answers of its server", async () => {
    const resolver = await nameServer({
      1: [Buffer.of(192, 0, 2, 1), Buffer.of(192, 0, 2, 2)],
      15: [Buffer.concat([Buffer.of(0, 10), named("mail.example.com")])],
      16: [Buffer.from("\u0005v=abc")],
    });
    const asked = { kind: "dns", name: "shop.example.com", resolver } as const;
    const addresses = await ask({ ...asked, record: "A" });
    expect(addresses).toMatchObject({ values: ["192.0.2.1", "192.0.2.2"], address: "192.0.2.1" });
    expect((await ask({ ...asked, record: "MX" })).values).toEqual(["10 mail.example.com"]);
    expect((await ask({ ...asked, record: "TXT" })).values).toEqual(["v=abc"]);
    await expect(ask({ ...asked, record: "NS" })).rejects.toMatchObject({
      code: expect.stringMatching(/ENOTFOUND|ENODATA/),
    });
  });

  test("is not asked of a server outside of the allowed targets", async () => {
    const resolver = await nameServer({});
    const asked = { kind: "dns", name: "shop.example.com", record: "A" } as const;
    await expect(ask({ ...asked, resolver }, { allow: [] })).rejects.toThrow("loopback");
    await expect(ask({ ...asked, resolver: "a:b" })).rejects.toThrow("Malformed resolver");
  });

  test("a query without an answer ends with its signal", async () => {
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const closing = new AbortController();
    setTimeout(() => closing.abort(new Error("late")), 20);
    const asked = { kind: "dns", name: "a.example.com", record: "A", resolver: `127.0.0.1:${silent.address().port}` };
    await expect(ask(asked as Asked, { signal: closing.signal })).rejects.toThrow("late");
  });
});

test.each([
  { kind: "tcp", host: "db.example.com", port: 5432 },
  { kind: "tls", host: "db.example.com", port: 443, starttls: "none", verify: true },
  { kind: "dns", name: "example.com", record: "A", resolver: "ns.example.com" },
] as const)("a probe by $kind ends with its signal while its name is resolved", async (asked) => {
  const { probe } = fetchWebHookClient({ resolve: () => new Promise(() => undefined) });
  const closing = new AbortController();
  const answer = probe?.({ timeoutMs: 2000, ...asked } as unknown as Probe, closing.signal);
  closing.abort(new Error("No answer in time"));
  await expect(answer).rejects.toThrow("No answer in time");
});
