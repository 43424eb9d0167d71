import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { memoryStorage } from "@signalbox/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { leadingTexts } from "../src/json/leading-texts.ts";
import { KEY, serveAgents, sha256 } from "./serve-agents.ts";
import { read, type Started, start } from "./start.ts";

const KB = 1024;
const path = "/api/app/write_body/v1";
const unknown = { code: "session", description: "No Session ID or API Key could be found" };
const tooLarge = { code: "api", description: "Request body exceeds the maximum size." };
const body = (bytes: number, members: object = {}) =>
  JSON.stringify({ value: "v", ...members, filler: "x".repeat(bytes) });

/** Sends an endless body, and reports how much of it was requested. */
async function drip({ app }: Started, to: string, headers: Record<string, string>, head = "") {
  let sent = 0;
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull(controller) {
      sent += 8 * KB;
      if (sent > 4096 * KB) controller.close();
      else controller.enqueue(new Uint8Array(8 * KB).fill(120));
    },
  });
  const init = { method: "POST", body: stream, duplex: "half", headers };
  const response = await app.request(to, init as RequestInit);
  return { ...(await read(response)), sent };
}

const json = { "content-type": "application/json" };
const multipart = { "content-type": "multipart/form-data; boundary=xx" };
const file = '--xx\r\nContent-Disposition: form-data; name="file1"; filename="big.bin"\r\n\r\n';
const stored = ({ engine }: Started) => engine.blobs.list("", { limit: 10 });

describe("an unknown caller", () => {
  test.each<[string, Record<string, string>, object]>([
    ["without credentials", {}, unknown],
    ["with an unknown key", { "x-api-key": "wrong" }, { code: "session", description: "Invalid API Key" }],
    ["with an expired session", { "x-session-id": "ab".repeat(32) }, { code: "session" }],
    ["with an expired cookie", { cookie: `session_id=${"ab".repeat(32)}` }, { code: "session" }],
  ])("%s can send no more than 64 KB of a body", async (_who, credentials, refusal) => {
    const started = await start();
    const answer = await drip(started, path, { ...json, ...credentials }, '{"value":"');
    expect(answer).toMatchObject({ status: 403, body: refusal });
    expect(answer.sent).toBeLessThan(100 * KB);
    const long = await started.post(path, body(100 * KB), credentials);
    expect(long).toMatchObject({ status: 403, body: refusal });
  });

  test("is also limited to that for operations open to everyone", async () => {
    const started = await start();
    for (const to of ["/api/app/fail_with/v1", "/api/user/login/v1"]) {
      const answer = await drip(started, to, json, '{"username":"');
      expect(answer).toMatchObject({ status: 413, body: tooLarge });
      expect(answer.sent).toBeLessThan(100 * KB);
    }
  });

  test("with a body up to 64 KB gets the usual answer: its form is checked before the credentials", async () => {
    const { post } = await start();
    expect((await post(path, body(60 * KB), {})).body).toEqual(unknown);
    expect((await post(path, "{}", {})).body).toEqual({ code: "api", description: "Missing parameter: value" });
  });

  test("has credentials in a body of any length checked beside the ones in its head", async () => {
    const { post } = await start();
    const expired = { code: "session", description: "Session has expired or is invalid." };
    for (const bytes of [1, 100 * KB])
      expect((await post(path, body(bytes, { session_id: "ab".repeat(32) }), { "x-api-key": KEY })).body).toEqual(
        expired,
      );
  });

  test("can store no file, and can send no more than 64 KB of a long one", async () => {
    const started = await start();
    const answer = await drip(started, "/api/app/upload_things/v1", multipart, file);
    expect(answer).toMatchObject({ status: 403, body: unknown });
    expect(answer.sent).toBeLessThan(100 * KB);
    const form = new FormData();
    form.append("file1", new File(["abc"], "a.txt"));
    expect((await started.post("/api/app/upload_things/v1", form, {})).body).toEqual(unknown);
    expect(await stored(started)).toEqual([]);
  });
});

describe("a known caller", () => {
  test("can send a long body with any credentials in its head", async () => {
    const { post, key } = await start();
    expect((await post(path, body(200 * KB))).status).toBe(200);
    expect((await post(`${path}?api_key=${key}`, body(200 * KB), {})).status).toBe(200);
  });

  test("can send a long body with credentials in its first 64 KB, but not with later ones", async () => {
    const { post, key } = await start();
    const answer = await post(path, body(200 * KB, { note: { a: ['"'] }, api_key: key }), {});
    expect(answer).toMatchObject({ status: 200, body: { params: { value: "v" } } });
    expect(answer.body.params).not.toHaveProperty("api_key");
    const behind = JSON.stringify({ value: "v", filler: "x".repeat(200 * KB), api_key: key });
    expect((await post(path, behind, {})).body).toEqual(unknown);
  });

  test("can store files with credentials in the fields before them", async () => {
    const started = await start();
    const { post, key } = started;
    const form = new FormData();
    form.append("api_key", key);
    form.append("file1", new File(["x".repeat(200 * KB)], "a.txt"));
    const answer = await post("/api/app/upload_things/v1", form, {});
    expect(answer).toMatchObject({ status: 200, body: { uploads: [{ sizeBytes: 200 * KB }] } });
    const late = new FormData();
    late.append("file1", new File(["abc"], "a.txt"));
    late.append("api_key", key);
    const small = await post("/api/app/upload_things/v1", late, {});
    expect(small).toMatchObject({ status: 200, body: { uploads: [{ sizeBytes: 3 }] } });
    expect(await stored(started)).toEqual([]);
  });

  test("can send neither a long body nor a file without the right to call the operation", async () => {
    const started = await start();
    const { plain_key } = await started.engine.as({ apiKey: started.key } as never).createApiKey({ title: "Weak" });
    const weak = { "x-api-key": plain_key };
    const answer = await drip(started, "/api/app/fire/v1", { ...json, ...weak }, '{"value":"');
    expect(answer).toMatchObject({ status: 403, body: { code: "access" } });
    expect(answer.sent).toBeLessThan(100 * KB);
    const ticket = await drip(started, "/api/app/create_ticket/v1", { ...multipart, ...weak }, file);
    expect(ticket).toMatchObject({ status: 403, body: { code: "access" } });
    expect(ticket.sent).toBeLessThan(100 * KB);
    expect(await stored(started)).toEqual([]);
  });

  test("uses its rate only once for a call with a long body", async () => {
    const { engine, key, post } = await start();
    const { plain_key } = await engine.as({ apiKey: key } as never).createApiKey({ title: "Twice", max_per_sec: 2 });
    const send = async () => (await post(path, body(100 * KB), { "x-api-key": plain_key })).status;
    // Two in a row may fall into two seconds, three cannot fit into one.
    const statuses = [await send(), await send()];
    expect(statuses).toEqual([200, 200]);
  });

  test("can send a long body as a user signed in by the host", async () => {
    const { engine } = await start();
    const app = createRouter(engine, { resolveUser: () => ({ id: "ann" }) });
    const response = await app.request(path, { method: "POST", body: body(200 * KB), headers: json });
    expect(response.status).toBe(200);
  });
});

describe("satellites", () => {
  const begin = async () => {
    const at = await serveAgents({ storage: memoryStorage() });
    const server = await at.connect();
    return { at, server, id: await at.launch(server) };
  };

  test("send files of any length with their token, and none with a wrong one", async () => {
    const { at, server, id } = await begin();
    const text = "x".repeat(300 * KB);
    const auth = sha256(server.id + KEY);
    const taken = await at.upload({ id, auth, server: server.id }, { text });
    expect(taken).toMatchObject({ status: 200, body: { code: 0, size: 300 * KB } });
    expect(await at.upload({ id, auth: "wrong", server: server.id }, { text, version: "/v1" })).toMatchObject({
      status: 403,
      body: { code: "auth" },
    });
    expect(await at.engine.blobs.list("tmp/", { limit: 1 })).toEqual([]);
  });

  test("send long results with their token at the end, for existing jobs", async () => {
    const { at, server, id } = await begin();
    const job = { state: "complete", code: 0, data: { text: "x".repeat(300 * KB) } };
    const auth = sha256(server.id + KEY);
    const nobody = await at.post("/api/app/finish_job/v1", { id: "jnone", job, auth, server: server.id });
    expect(nobody).toMatchObject({ status: 403, body: { code: "auth" } });
    const answer = await at.post("/api/app/finish_job", { id, job, auth, server: server.id });
    expect(answer).toEqual({ status: 200, body: { code: 0 } });
    expect((await at.engine.api.getJob({ id })).job).toMatchObject({ final: true, code: 0 });
  });
});

describe("all unknown callers together", () => {
  /** Starts a request, leaves its body open and resolves to the status of the answer, 0 if there is none. */
  function open(port: number, length: number): Promise<number> {
    const call = request({ port, path, method: "POST", headers: { ...json, "content-length": length } });
    onTestFinished(() => void call.destroy());
    call.on("error", () => undefined);
    call.write('{"value":"');
    return (once(call, "response") as Promise<[IncomingMessage]>).then(
      ([response]) => response.resume().statusCode ?? 0,
      () => 0,
    );
  }

  test("use bounded memory for bodies, and one without memory is asked to retry", async () => {
    const started = await start({ config: { api: { max_body_memory: 1024 * KB } } });
    const server = createServer(getRequestListener(started.app.fetch));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const answers: number[] = [];
    for (let count = 0; count < 9; count++) void open(port, 64 * KB).then((status) => void answers.push(status));
    while (answers.length === 0) await fetch(`http://127.0.0.1:${port}/api/app/ping`);
    expect(answers).toEqual([503]);
  });
});

test.each<[string, Record<string, string>]>([
  ['{"id":"j1","job":{"auth":"no","a":["x",{"b":"c"}]},"auth":"t', { id: "j1" }],
  ['{"id":"j1","n":5,"auth":"t"', { id: "j1", auth: "t" }],
  ['{"a":1,"b":"\\"x\\u00e9","c":nul', { b: '"xé' }],
  ['["id","j1"', {}],
  ["", {}],
  ['{"a":"b\u0001"', {}],
])("%j contains %j before its end", (text, expected) => {
  expect(leadingTexts(text)).toEqual(expected);
});
