import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createPort } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { fakeClock } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { fetchWebHookClient } from "./fetch-client.ts";

const pem = (part: string) => readFileSync(new URL(`fixtures/self-signed.${part}.pem`, import.meta.url));

/** A real server on the local machine, with the given answer. */
async function listen(secure: boolean, answer: RequestListener): Promise<string> {
  const server = secure ? createSecureServer({ cert: pem("cert"), key: pem("key") }, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `${secure ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function setUp(allow: readonly string[] = ["loopback"], now = 1_800_000_000, checks: readonly string[] = []) {
  const clock = fakeClock(now);
  const box = createSignalbox({
    ...{ storage: memoryStorage(), clock, secretKey: "a secret key for tests", webHooks: fetchWebHookClient() },
    config: { web_hooks: { allow: [...allow] }, checks: { allow: [...checks] } },
  });
  await box.start();
  onTestFinished(() => box.stop());
  const { api } = box;
  const live = async (): Promise<string[]> => {
    const { rows } = await api.searchAlerts({ query: "check:shop active:true", limit: 10 });
    return rows.map(({ alert }) => alert).sort();
  };
  /** The server takes real time, which the engine's clock does not measure. */
  const becomes = async (expected: readonly string[]) => {
    for (let turn = 0; turn < 600 && JSON.stringify(await live()) !== JSON.stringify(expected); turn++) {
      await clock.advance(5);
      await pause(5);
    }
    expect(await live()).toEqual(expected);
  };
  const create = (url: string, members: object = {}) =>
    api.createCheck({ id: "shop", title: "Shop", type: "http", url, ...members });
  return { api, box, clock, create, becomes };
}

test("a failing address is reported after its retries, explained, and over when it answers again", async () => {
  let status = 200;
  const url = await listen(false, (_request, response) => response.writeHead(status).end("all fine"));
  const at = await setUp();
  await at.create(url, { contains: "fine" });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: true, status: 200 });
  await at.clock.advance(61);
  await at.becomes([]);
  status = 503;
  await at.becomes(["check_down"]);
  const { rows } = await at.api.explainAlert({ alert: "check_down", check: "shop" });
  const subject = { type: "check", id: "shop", title: "Shop" };
  expect(rows).toMatchObject([{ server: "", subject, state: "live", invocation: { message: "The status is 503." } }]);
  const { down, failures, results } = await at.api.getCheck({ id: "shop" });
  expect([down, failures >= 3, results[0]?.reason]).toEqual([true, true, "status"]);
  expect(JSON.stringify(results)).not.toContain("all fine");
  status = 200;
  await at.becomes([]);
  const tried = { check: "shop", expression: "check.status == 200", message: "{{check.title}}" };
  expect(await at.api.testAlert(tried)).toMatchObject({ result: true, message: "Shop" });
});

test("a certificate that ends soon is reported with its days, and an untrusted one is a failure", async () => {
  const url = await listen(true, (_request, response) => response.end("fine"));
  const ends = Date.parse(new X509Certificate(pem("cert")).validTo) / 1000;
  const at = await setUp(["loopback"], ends - 10 * 86_400 - 1800);
  await at.create(url, { verify: false });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: true, days_left: 10 });
  await at.becomes(["cert_expiring"]);
  await at.api.updateCheck({ id: "shop", verify: true });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: false, reason: "tls" });
});

test("addresses that web hooks may not reach are refused for checks, and never connected to", async () => {
  let asked = 0;
  const url = await listen(false, (_request, response) => {
    asked++;
    response.end();
  });
  const at = await setUp([]);
  await at.create(url);
  const { result } = await at.api.testCheck({ id: "shop" });
  expect(result).toMatchObject({ ok: false, reason: "blocked", text: expect.stringContaining("not allowed") });
  expect(asked).toBe(0);
});

test("a slow answer ends with the timeout, and ten trials a minute are allowed", async () => {
  let arrived = Promise.withResolvers<void>();
  const url = await listen(false, (_request, response) => {
    response.writeHead(200).write("a");
    arrived.resolve();
  });
  const at = await setUp();
  await at.create(url, { timeout: 1 });
  for (let count = 0; count < 10; count++) {
    arrived = Promise.withResolvers();
    const trial = at.api.testCheck({ id: "shop" });
    await arrived.promise;
    await at.clock.advance(1);
    expect((await trial).result).toMatchObject({ ok: false, reason: "timeout" });
  }
  await expect(at.api.testCheck({ id: "shop" })).rejects.toThrow("Too many trials of checks in a minute.");
});

test("a port is checked for a text, reported when it is missing, and over when it comes", async () => {
  let word = "ready";
  const server = createPort((socket) => socket.on("error", () => undefined).end(`220 ${word}\r\n`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const at = await setUp([], 1_800_000_000, ["loopback"]);
  const members = { id: "shop", title: "Shop", host: "127.0.0.1", port, contains: "ready", severity: "info" } as const;
  await at.api.createCheck({ type: "tcp", every: 20, retries: 1, ...members });
  const { result } = await at.api.testCheck({ id: "shop" });
  expect(result).toMatchObject({ ok: true, address: "127.0.0.1" });
  await at.becomes([]);
  word = "busy";
  await at.becomes(["check_down"]);
  const { rows } = await at.api.searchAlerts({ query: "check:shop active:true", limit: 10 });
  expect(rows).toMatchObject([{ severity: "info", message: 'The answer does not hold "ready".' }]);
  expect(JSON.stringify(await at.api.getCheck({ id: "shop" }))).not.toContain("busy");
  word = "ready";
  await at.becomes([]);
});

test("a certificate is checked at its port, and targets allowed only for checks are closed to web hooks", async () => {
  const url = new URL(await listen(true, (_request, response) => response.end("fine")));
  const at = await setUp([], 1_800_000_000, ["loopback"]);
  const members = { id: "shop", title: "Shop", host: url.hostname, port: Number(url.port), verify: false };
  await at.api.createCheck({ type: "tls", ...members });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ days_left: expect.any(Number) });
  const hook = { id: "t", title: "T", url: `http://127.0.0.1:${url.port}/`, method: "GET" } as const;
  await expect(at.api.testWebHook(hook)).rejects.toThrow("Address is not allowed");
});

test("headers and body are sent, but not to another origin", async () => {
  const seen: unknown[] = [];
  const keep = (at: string) => (request: IncomingMessage, response: ServerResponse, to?: string) => {
    request.on("data", (body) => seen.push([at, request.method, request.headers["x-probe"], String(body)]));
    request.on("end", () => {
      if (seen.length === 0 || at === "second") seen.push([at, request.headers["x-probe"]]);
      if (to) response.writeHead(307, { location: to }).end();
      else response.end("fine");
    });
  };
  const second = await listen(false, (request, response) => keep("second")(request, response));
  const first = await listen(false, (request, response) => keep("first")(request, response, second));
  const at = await setUp();
  await at.create(first, { method: "POST", body: "ping", headers: [{ name: "X-Probe", value: "yes" }] });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: true });
  expect(seen).toEqual([
    ["first", "POST", "yes", "ping"],
    ["second", undefined],
  ]);
});

/** A check with a secret in its header and body, and the requests that its server got. */
async function withSecret(answer: RequestListener = (_request, response) => response.end("fine")) {
  const seen: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const url = await listen(false, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    seen.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    answer(request, response);
  });
  const at = await setUp();
  const { api } = at;
  await api.createSecret({ id: "z1", title: "Key", fields: [{ name: "KEY", value: "s3cr3t" }], checks: ["shop"] });
  const said = { headers: [{ name: "X-Key", value: "{{ secrets.KEY }}" }], body: '{"key":"{{ secrets.KEY }}"}' };
  await at.create(url, { method: "POST", ...said });
  return { ...at, seen, url };
}

test("a secret is sent in headers and body, and is in no record, result or row", async () => {
  const at = await withSecret((_request, response) => response.writeHead(500).end("s3cr3t"));
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({ ok: false, reason: "status" });
  expect(at.seen).toMatchObject([{ headers: { "x-key": "s3cr3t" }, body: '{"key":"s3cr3t"}' }]);
  await at.becomes(["check_down"]);
  const shown = [
    await at.api.getCheck({ id: "shop" }),
    await at.api.getChecks({}),
    await at.api.searchActivity({ limit: 50 }),
    await at.api.searchAlerts({ query: "", limit: 10 }),
  ];
  expect(JSON.stringify(shown)).toContain("{{ secrets.KEY }}");
  expect(JSON.stringify(shown)).not.toContain("s3cr3t");
});

test("without its secret a check is not run and says so; a deleted check has lost its secrets", async () => {
  const at = await withSecret();
  await at.api.updateSecret({ id: "z1", enabled: false });
  expect((await at.api.testCheck({ id: "shop" })).result).toMatchObject({
    ...{ ok: false, reason: "blocked", text: "No secret of this check has the variable KEY." },
  });
  expect(at.seen).toEqual([]);
  await at.api.deleteCheck({ id: "shop" });
  expect((await at.api.getSecrets({})).rows).toMatchObject([{ checks: [] }]);
});

test("a user who manages checks but is no administrator cannot change a check that has a secret", async () => {
  const at = await withSecret();
  const { plain_key: apiKey } = await at.api.createApiKey({ title: "Keeper", privileges: { manage_checks: true } });
  const keeper = at.box.as({ apiKey });
  await expect(keeper.updateCheck({ id: "shop", url: "http://elsewhere.example/" })).rejects.toMatchObject({
    code: "access",
  });
  await at.api.updateSecret({ id: "z1", checks: [] });
  await keeper.updateCheck({ id: "shop", title: "Shop 2" });
});

test("five redirects are followed, each to an allowed address", async () => {
  let left = 5;
  let last = "/end";
  const url = await listen(false, (_request, response) => {
    left -= 1;
    if (left < 0) response.end("fine");
    else response.writeHead(302, { Location: left === 0 ? last : `/${left}` }).end();
  });
  const at = await setUp();
  await at.create(url);
  const ask = async (redirects: number) => {
    left = redirects;
    return (await at.api.testCheck({ id: "shop" })).result;
  };
  expect(await ask(5)).toMatchObject({ ok: true });
  expect(await ask(6)).toMatchObject({
    ok: false,
    reason: "answer",
    text: expect.stringMatching(/^Too many redirects/),
  });
  last = "http://169.254.169.254/latest/meta-data/";
  expect(await ask(5)).toMatchObject({ ok: false, reason: "blocked" });
});
