import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { WebHookRequest } from "@signalbox/core/adapter";
import { afterEach, describe, expect, test } from "vitest";
import { type FetchWebHookClientOptions, fetchWebHookClient } from "./fetch-client.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on this machine; `hits` counts the requests that reached it. */
async function serve(listener: RequestListener = (_, response) => response.end("reached")) {
  let hits = 0;
  const server = createServer((request, response) => {
    hits += 1;
    listener(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, hits: () => hits };
}

const never = new AbortController().signal;
const request = (url: string, change: Partial<WebHookRequest> = {}): WebHookRequest => ({
  method: "GET",
  url,
  headers: {},
  timeoutMs: 5000,
  followRedirects: true,
  skipCertificateCheck: false,
  ...change,
});
const send = (url: string, options: FetchWebHookClientOptions = {}, change: Partial<WebHookRequest> = {}) =>
  fetchWebHookClient(options).send(request(url, change), never);
const resolvesTo = (...addresses: readonly string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
});

describe("by default only public addresses are reached", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0177.0.0.1",
    "0x7f.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "0.0.0.0",
    "0",
    "%31%32%37.0.0.1",
    "127。0。0。1",
    "localhost",
    "LOCALHOST",
  ])("http://%s/ does not reach a server on this machine", async (host) => {
    const at = await serve();
    await expect(send(`http://${host}:${at.port}/`)).rejects.toThrow("Address is not allowed");
    expect(at.hits()).toBe(0);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data", "169.254.169.254 (169.254.169.254: metadata)"],
    ["http://0xa9fea9fe/", "169.254.169.254"],
    ["http://2852039166/", "169.254.169.254"],
    ["http://0251.0376.0251.0376/", "169.254.169.254"],
    ["http://[fe80::1]/", "fe80::1 ([fe80::1]: link-local)"],
    ["http://[::1]/", "::1 ([::1]: loopback)"],
    ["http://[::]/", ":: ([::]: unspecified)"],
    ["http://[::ffff:169.254.169.254]/", "::ffff:a9fe:a9fe"],
    ["http://[64:ff9b::169.254.169.254]/", "64:ff9b::a9fe:a9fe"],
    ["http://[2002:a9fe:a9fe::1]/", "2002:a9fe:a9fe::1"],
    ["http://[fd00:ec2::254]/", "fd00:ec2::254"],
    ["http://168.63.129.16/", "168.63.129.16"],
    ["http://10.0.0.1/", "10.0.0.1 (10.0.0.1: private)"],
    ["http://192.168.1.1:8080/", "192.168.1.1 (192.168.1.1:8080: private)"],
    ["http://224.0.0.1/", "224.0.0.1 (224.0.0.1: multicast)"],
    ["https://255.255.255.255/", "255.255.255.255"],
  ])("%s is refused", async (url, named) => {
    const failure: Error = await send(url).then(
      () => new Error("sent"),
      (error) => error,
    );
    expect(failure).toBeInstanceOf(TypeError);
    expect(failure.message).toContain(`Address is not allowed: ${named}`);
  });

  test.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["169.254.169.254"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["fe80::1%eth0"],
    ["8.8.8.8", "127.0.0.1"],
    ["2606:4700::1111", "fd00:ec2::254"],
  ])("a name that resolves to %s is refused", async (...addresses) => {
    const at = await serve();
    await expect(send(`http://rebind.example:${at.port}/`, resolvesTo(...addresses))).rejects.toThrow(
      "Address is not allowed",
    );
    expect(at.hits()).toBe(0);
  });

  test("credentials in the URL are refused without being repeated", async () => {
    const failure: Error = await send("http://joe:hunter2@example.com/").then(
      () => new Error("sent"),
      (error) => error,
    );
    expect(failure).toBeInstanceOf(TypeError);
    expect(failure.message).toMatch(/user name or password/);
    expect(failure.message).not.toMatch(/joe|hunter2/);
  });
});

describe("redirects are checked like first requests", () => {
  test.each([
    "http://169.254.169.254/",
    "http://2852039166/",
    "http://[::ffff:10.0.0.1]/",
    "//0.0.0.0/",
    "http://[::1]/",
  ])("a redirect to %s is refused", async (location) => {
    const at = await serve((_, response) => response.writeHead(302, { Location: location }).end());
    const sent = send(`http://open.example:${at.port}/`, { allow: ["open.example"], ...resolvesTo("127.0.0.1") });
    await expect(sent).rejects.toThrow("Address is not allowed");
    expect(at.hits()).toBe(1);
  });

  test("a redirect to another name with the same address is refused when only the first name is allowed", async () => {
    const inner = await serve();
    const at = await serve((_, response) =>
      response.writeHead(307, { Location: `http://other.example:${inner.port}/` }).end(),
    );
    const sent = send(`http://open.example:${at.port}/`, { allow: ["open.example"], ...resolvesTo("127.0.0.1") });
    await expect(sent).rejects.toThrow("(other.example:");
    expect(inner.hits()).toBe(0);
  });

  test("a redirect to a URL with credentials is refused", async () => {
    const at = await serve((_, response) => response.writeHead(302, { Location: "http://a:b@example.com/" }).end());
    await expect(send(at.url, { allow: ["loopback"] })).rejects.toThrow("user name or password");
  });
});

test("a name server that changes its answer has no effect: the connection goes to the checked address", async () => {
  const at = await serve();
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    // Every first answer is an allowed address; a caller who resolves again gets the address on which the server listens.
    return [{ address: asked % 2 === 1 ? "127.0.0.2" : "127.0.0.1", family: 4 }];
  };
  const client = fetchWebHookClient({ allow: ["127.0.0.2"], resolve });
  const failures = new Set<string>();
  for (let count = 0; count < 1000; count++) {
    const sent = client.send(request(`http://rebind.example:${at.port}/`), never);
    failures.add(
      await sent.then(
        () => "reached",
        (error: Error) => error.message,
      ),
    );
  }
  expect(asked).toBe(1000);
  expect(at.hits()).toBe(0);
  expect([...failures].sort()).toEqual([
    `Address is not allowed: 127.0.0.1 (rebind.example:${at.port}: loopback)`,
    `Request to rebind.example:${at.port} failed: ECONNREFUSED`,
  ]);
});

describe("an allowed target is reached", () => {
  test.each<[readonly string[], string]>([
    [["loopback"], "http://127.0.0.1"],
    [["127.0.0.1"], "http://2130706433"],
    [["127.0.0.0/8"], "http://[::ffff:127.0.0.1]"],
    [["localhost"], "http://LOCALHOST"],
  ])("%j opens %s", async (allow, url) => {
    const at = await serve();
    // A machine may resolve its own name to IPv6 first, where the server does not listen.
    expect(await send(`${url}:${at.port}/`, { allow, ...resolvesTo("127.0.0.1") })).toMatchObject({ body: "reached" });
  });

  test("the request may open more than the client, and an air gap closes it again", async () => {
    const at = await serve();
    const airGap = { whitelist: ["10.0.0.0/8"], blacklist: [] };
    expect(await send(at.url, {}, { targets: { allow: ["loopback"] } })).toMatchObject({ body: "reached" });
    await expect(send(at.url, { allow: ["loopback"] }, { targets: { allow: [], airGap } })).rejects.toThrow(
      "outside of the air gap",
    );
    expect(at.hits()).toBe(1);
  });

  test("a malformed entry is named when the client is created", () => {
    expect(() => fetchWebHookClient({ allow: ["10.0.0.0/99"] })).toThrow("Malformed web hook target: 10.0.0.0/99");
  });
});

describe("another origin", () => {
  const seen: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const keep: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    seen.push({ headers: incoming.headers, body: Buffer.concat(chunks).toString() });
    response.end();
  };

  async function redirectTo(url: string, change: Partial<WebHookRequest>) {
    seen.length = 0;
    const at = await serve((_, response) => response.writeHead(307, { Location: url }).end());
    await send(at.url, { allow: ["loopback"] }, { method: "POST", body: "text", ...change });
    return seen[0];
  }

  test("does not get the headers and the body that are bound to the first", async () => {
    const other = await serve(keep);
    const headers = { "X-Token": "s", "X-Keep": "1", "Content-Type": "text/plain" };
    const got = await redirectTo(other.url, { headers, originBound: { headers: ["x-token"], body: true } });
    expect(got?.body).toBe("");
    expect(got?.headers).toMatchObject({ "x-keep": "1" });
    expect(got?.headers).not.toHaveProperty("x-token");
    expect(got?.headers["content-length"] ?? "0").toBe("0");
  });

  test("gets the body when only a header is bound", async () => {
    const other = await serve(keep);
    const got = await redirectTo(other.url, {
      headers: { "X-T": "s" },
      originBound: { headers: ["X-T"], body: false },
    });
    expect(got).toMatchObject({ body: "text" });
    expect(got?.headers).not.toHaveProperty("x-t");
  });
});

test("own certificate authorities replace the well-known ones", async () => {
  const read = (name: string) => readFileSync(new URL(`./fixtures/self-signed.${name}.pem`, import.meta.url));
  const server = createSecureServer({ key: read("key"), cert: read("cert") }, (_, response) => response.end("secure"));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const options = { allow: ["loopback"], ...resolvesTo("127.0.0.1") };
  const tls = { ca: read("cert").toString() };
  expect(await send(`https://localhost:${port}/`, { ...options, tls })).toMatchObject({ body: "secure" });
  await expect(send(`https://other.example:${port}/`, { ...options, tls })).rejects.toThrow("ERR_TLS_CERT_ALTNAME");
});
