import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type ConfigInput, createSignalbox, memoryStorage } from "@signalbox/core";
import { type LogFields, silentLogger } from "@signalbox/core/adapter";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { quickPasswords } from "../../core/test/engine.ts";
import { createRouter } from "../src/index.ts";
import { probes } from "./plugin.ts";

const PASSWORD = "correct horse battery";
const cleared = "session_id=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax";
const badCsrf = { code: "session", description: "Invalid session" };
const ended = { code: "session", description: "Session has expired or is invalid." };

type Headers = Record<string, string>;

async function send(method: string, url: string, headers: Headers = {}, sent?: object) {
  const init = sent ? { body: JSON.stringify(sent) } : {};
  const response = await fetch(url, {
    method,
    headers: { connection: "close", "content-type": "application/json", ...headers },
    ...init,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  const body = (await response.json()) as any;
  return { status: response.status, body, setCookie: response.headers.get("set-cookie") };
}

/** A server on a socket, with the administrator `admin`; `mount` is where the host mounts the router. */
async function serve({ config = {}, mount = "/" }: { config?: ConfigInput; mount?: string } = {}) {
  const engine = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    administratorPassword: PASSWORD,
    plugins: [quickPasswords, probes()],
    config,
  });
  const logged: LogFields[] = [];
  const log = { ...silentLogger, warn: (fields: LogFields) => void logged.push(fields) };
  const { administratorKey = "" } = await engine.start();
  const app = new Hono().route(mount, createRouter(engine, { log }));
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => engine.stop());
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount === "/" ? "" : mount}/api`;
  const get = (path: string, headers?: Headers) => send("GET", `${base}/${path}`, headers);
  const post = (path: string, sent: object = {}, headers?: Headers) => send("POST", `${base}/${path}`, headers, sent);
  return {
    engine,
    key: administratorKey,
    logged,
    get,
    post,
    async login(headers: Headers = {}) {
      const answer = await post("user/login", { username: "admin", password: PASSWORD }, headers);
      const [pair = ""] = answer.setCookie?.split(";") ?? [];
      const csrf: string = answer.body.csrf_token;
      return { ...answer, cookie: pair, sessionId: pair.replace("session_id=", ""), csrf };
    },
  };
}

describe("a browser", () => {
  test("signs in, reads, writes only with the CSRF token, and signs out", async () => {
    const { get, post, login } = await serve();
    const { body, cookie, csrf, setCookie } = await login();
    expect(setCookie).toMatch(/^session_id=[0-9a-f]{64}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(body).toMatchObject({ code: 0, username: "admin", user: { username: "admin" } });
    expect(body).not.toHaveProperty("session_id");
    expect((await get("app/get_tags/v1", { cookie })).body.code).toBe(0);
    const write = (more: object, headers: object) =>
      post("app/create_tag/v1", { title: "T", ...more }, { cookie, ...headers });
    expect(await write({}, {})).toMatchObject({ status: 403, body: badCsrf });
    expect((await write({}, { "x-csrf-token": "0".repeat(64) })).body).toEqual(badCsrf);
    expect((await write({}, { "x-csrf-token": csrf })).body).toMatchObject({ code: 0, tag: { username: "admin" } });
    const byBody = await write({ csrf_token: csrf }, {});
    expect(byBody.body.tag).not.toHaveProperty("csrf_token");
    expect(await post("user/logout", {}, { cookie })).toMatchObject({ body: { code: 0 }, setCookie: cleared });
    expect(await get("app/get_tags/v1", { cookie })).toMatchObject({ status: 403, body: ended });
  });

  test("resumes its session with the cookie alone", async () => {
    const { post, login } = await serve();
    const { cookie, csrf, setCookie } = await login();
    const resumed = await post("user/resume_session", {}, { cookie });
    expect(resumed).toMatchObject({ body: { code: 0, username: "admin", csrf_token: csrf }, setCookie });
  });

  test("loses an expired cookie when it resumes with it", async () => {
    const { post } = await serve();
    const cookie = `session_id=${"ab".repeat(32)}`;
    expect(await post("user/resume_session/v1", {}, { cookie })).toMatchObject({
      status: 403,
      body: ended,
      setCookie: cleared,
    });
    expect((await post("user/resume_session", {}, {})).body).toEqual({ code: 0 });
  });

  test("cannot be made to write by a link", async () => {
    const { get, login } = await serve();
    const { cookie, sessionId } = await login();
    for (const operation of ["app/fire/v1", "user/logout/v1", "user/resume_session/v1"])
      expect(await get(operation, { cookie })).toMatchObject({ status: 403, body: badCsrf });
    expect((await get("app/fire/v1", { "x-session-id": sessionId })).body.code).toBe(0);
  });

  test("needs the CSRF token also for a POST on a read", async () => {
    const { post, login } = await serve();
    const { cookie, csrf } = await login();
    expect((await post("app/get_tags/v1", {}, { cookie })).body).toEqual(badCsrf);
    expect((await post("app/get_tags/v1", {}, { cookie, "x-csrf-token": csrf })).body.code).toBe(0);
  });

  test("with an expired cookie can still use a key", async () => {
    const { get, key } = await serve();
    const stale = "ab".repeat(32);
    expect((await get("app/get_tags/v1", { cookie: `session_id=${stale}`, "x-api-key": key })).body.code).toBe(0);
    expect((await get("app/get_tags/v1", { "x-session-id": stale, "x-api-key": key })).body).toEqual(ended);
  });

  test("never gets a session with an id that it sent", async () => {
    const { get, login } = await serve();
    const planted = "cd".repeat(32);
    const { sessionId } = await login({ cookie: `session_id=${planted}`, "x-session-id": planted });
    expect(sessionId).toMatch(/^[0-9a-f]{64}$/);
    expect(sessionId).not.toBe(planted);
    expect((await get("app/get_tags/v1", { cookie: `session_id=${planted}` })).body).toEqual(ended);
  });

  test("behind a proxy with HTTPS gets a secure cookie", async () => {
    const { login } = await serve();
    expect((await login({ "x-forwarded-proto": "https" })).setCookie).toContain("; Secure; HttpOnly");
  });

  test("gets a cookie for the path where the engine is mounted", async () => {
    const { login, get, post } = await serve({ mount: "/ops" });
    const { setCookie, cookie } = await login();
    expect(setCookie).toContain("; Path=/ops; ");
    expect((await get("app/get_tags", { cookie })).body.code).toBe(0);
    expect((await post("user/logout", {}, { cookie })).setCookie).toContain("; Path=/ops; ");
  });
});

describe("a program", () => {
  test("sends the session in a header, in the body or in the query, without a CSRF token", async () => {
    const { get, post, login } = await serve();
    const { sessionId } = await login();
    expect((await get("app/get_tags/v1", { "x-session-id": sessionId })).body.code).toBe(0);
    expect((await get(`app/get_tags/v1?session_id=${sessionId}`)).body.code).toBe(0);
    const create = (body: object, headers: Record<string, string>, query = "") =>
      post(`app/create_tag/v1${query}`, { title: "T", ...body }, headers);
    for (const made of [
      await create({}, { "x-session-id": sessionId }),
      await create({ session_id: sessionId }, {}),
      await create({}, {}, `?session_id=${sessionId}`),
      await create({ csrf_token: "ignored" }, { "x-session-id": sessionId }),
    ]) {
      expect(made.body).toMatchObject({ code: 0, tag: { title: "T" } });
      expect(JSON.stringify(made.body)).not.toContain(sessionId);
    }
  });

  test("gets the session id in the answer when cookies are disabled", async () => {
    const { post, get } = await serve({ config: { User: { cookie_settings: false } } });
    const { body, setCookie } = await post("user/login", { username: "admin", password: PASSWORD });
    expect(setCookie).toBeNull();
    expect((await get("app/get_tags/v1", { "x-session-id": body.session_id })).body.code).toBe(0);
    expect((await post("user/logout", { session_id: body.session_id })).setCookie).toBeNull();
    expect((await get("app/get_tags/v1", { "x-session-id": body.session_id })).body).toEqual(ended);
  });
});

describe("traces of a session", () => {
  test("are neither in headers that operations see, nor in the log, nor in the activity", async () => {
    const { engine, get, post, logged, login } = await serve();
    const { cookie, sessionId, csrf } = await login();
    const referer = `http://ops.example/page?session_id=${sessionId}#${sessionId}`;
    const seen = await get("app/reflect/v1", { cookie, referer, "x-csrf-token": csrf });
    expect(seen.body.client.headers.referer).toBe("http://ops.example/page");
    await post(`app/create_tag/v1?session_id=${sessionId}`, {}, { cookie, referer, "x-csrf-token": csrf });
    await post("user/login", { username: "admin", password: `${PASSWORD}x` }, { cookie, referer });
    await post("user/logout", {}, { cookie, referer });
    expect(logged.length).toBeGreaterThanOrEqual(2);
    const { rows } = await engine.api.searchActivity({});
    const written = JSON.stringify([seen.body, logged, rows]);
    for (const secret of [sessionId, csrf, PASSWORD]) expect(written).not.toContain(secret);
  });

  test("are in no header with the address that a proxy has rewritten", async () => {
    const { engine, get, post, login } = await serve();
    const { cookie, sessionId, csrf } = await login();
    const path = "/ops/api/app/create_tag/v1";
    const rewritten = {
      "x-envoy-original-path": `${path}?session_id=${sessionId}`,
      "x-original-url": `HTTPS://ops.example${path}?session_id=${sessionId}`,
    };
    const seen = await get("app/reflect/v1", { cookie, ...rewritten });
    expect(seen.body.client.headers).toMatchObject({
      "x-envoy-original-path": path,
      "x-original-url": `HTTPS://ops.example${path}`,
    });
    await post("app/create_tag/v1", { title: "Tag" }, { cookie, "x-csrf-token": csrf, ...rewritten });
    const { rows } = await engine.api.searchActivity({ query: "action:tag_create" });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(sessionId);
  });

  test("a refused login is answered by the table of statuses, and with 200 without a version", async () => {
    const { post } = await serve();
    const wrong = { username: "admin", password: "wrong" };
    const body = { code: "login", description: "Username or password incorrect." };
    expect(await post("user/login", wrong)).toMatchObject({ status: 200, body });
    expect(await post("user/login/v1", wrong)).toMatchObject({ status: 400, body });
  });
});

describe("a caller behind a proxy of this machine", () => {
  const throttled = "Too many failed attempts.  Please try again later.";
  /** The proxy appends the caller's real address to the header that the caller sent. */
  const forged = (number: number) => ({ "x-forwarded-for": `198.51.100.${number}, 203.0.113.7` });

  test("does not bypass the throttle of logins by naming another address with each attempt", async () => {
    const { post } = await serve();
    const attempts = Array.from({ length: 60 }, (_, number) =>
      post("user/login/v1", { username: "nobody", password: "wrong" }, forged(number)),
    );
    const answers = (await Promise.all(attempts)).map(({ body }) => body.description as string);
    expect(answers.filter((text) => text === throttled)).toHaveLength(30);
  });

  test("does not bypass the throttle of magic links by naming another address with each attempt", async () => {
    const { get } = await serve();
    const descriptions = new Set<string>();
    for (let number = 0; number < 60; number++)
      descriptions.add((await get(`app/magic/v1/wrong_key_${number}`, forged(number))).body.description);
    expect(descriptions.size).toBe(2);
  });
});
