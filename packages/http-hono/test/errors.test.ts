import { silentLogger, systemClock } from "@signalbox/core/adapter";
import { SignalboxError } from "@signalbox/core/plugin";
import { describe, expect, test } from "vitest";
import { createAnswerRoom } from "../src/answer/answer-room.ts";
import { createOutput, plainDescription } from "../src/answer/output.ts";
import { toResponse } from "../src/answer/plain-answer.ts";
import { start } from "./start.ts";

const settings = {
  traffic: { requests: 0, bytesIn: 0, bytesOut: 0 },
  headers: {},
  options: {},
  answers: createAnswerRoom(1),
  clock: systemClock,
  log: silentLogger,
};

describe("the status of errors", () => {
  test.each([
    ["input", "api", 400],
    ["gone", "api", 404],
    ["access", "access", 403],
    ["session", "session", 403],
    ["rate", "rate", 429],
    ["notfound", "notfound", 404],
    ["test", "test", 500],
    ["unknown", "job", 404],
    ["conflict", "job", 409],
    ["malformed", "job", 400],
    ["failed", "job", 500],
    ["crash", "internal", 500],
  ])("for %s with code %s is %i with a version, and 200 without", async (kind, code, status) => {
    const { get } = await start();
    expect(await get(`/api/app/fail_with/v1?kind=${kind}`)).toMatchObject({ status, body: { code } });
    expect(await get(`/api/app/fail_with?kind=${kind}`)).toMatchObject({ status: 200, body: { code } });
  });

  test("is 503 everywhere for a temporary error", async () => {
    const { get } = await start();
    for (const path of ["/api/app/fail_with/v1", "/api/app/fail_with"])
      expect(await get(`${path}?kind=unavailable`)).toMatchObject({ status: 503, body: { code: "job" } });
  });

  test("is 503 everywhere for master, which names its host", async () => {
    const { get } = await start();
    const answer = { status: 503, body: { code: "master", description: "Elsewhere", host: "other" } };
    expect(await get("/api/app/fail_with/v1?kind=master")).toMatchObject(answer);
    expect(await get("/api/app/fail_with?kind=master")).toMatchObject(answer);
  });

  test.each([
    ["/api/app/error/v1", "GET", 500, "test", "This is a test error message."],
    ["/api/app/create_tag/v1", "POST", 400, "api", "Missing parameter: title"],
    ["/api/app/get_tag/v1?id=nope", "GET", 404, "notfound", "Failed to locate tag: nope"],
    ["/api/app/get_tag/v1?id=0", "GET", 400, "api", "Invalid ID parameter: 0 (reserved word)"],
  ])("%s %s", async (path, method, status, code, description) => {
    const { get, post } = await start();
    const answer = await (method === "GET" ? get(path) : post(path));
    expect(answer).toMatchObject({ status, body: { code, description } });
  });

  test("distinguishes 404 from 409 for an unknown id on update and a taken id on create", async () => {
    const { post } = await start();
    const tag = { id: "red", title: "Red" };
    expect((await post("/api/app/create_tag/v1", tag)).status).toBe(200);
    const taken = { status: 409, body: { code: "tag", description: "Tag ID already exists: red" } };
    expect(await post("/api/app/create_tag/v1", tag)).toMatchObject(taken);
    const gone = { status: 404, body: { code: "tag", description: "Failed to delete tag: Error: Item not found" } };
    expect(await post("/api/app/delete_tag/v1", { id: "blue" })).toMatchObject(gone);
  });

  test("says when to retry for a key over its rate", async () => {
    const { post, get } = await start();
    const { body } = await post("/api/app/create_api_key/v1", { title: "Slow", max_per_sec: 1 });
    const headers = { "x-api-key": body.plain_key };
    const answers = [];
    for (let call = 0; call < 3; call++) answers.push(await get("/api/app/get_tags/v1", headers));
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(refused?.body).toEqual({ code: "rate", description: "API Key has exceeded rate limit (1/sec)" });
  });

  test("an internal error shows nothing of itself", async () => {
    const { get } = await start();
    const { text, body } = await get("/api/app/fail_with/v1?kind=crash");
    expect(body.description).toMatch(/^Internal server error \(q\w+\)$/);
    expect(text).not.toMatch(/secret|at .*\.ts/);
  });

  test("every refusal is logged with its request id and, once known, its caller", async () => {
    const { get, engine, logged } = await start();
    const [key] = (await engine.api.getApiKeys()).rows;
    await get("/api/app/get_tag/v1?id=nope");
    await get("/api/app/get_tag/v1?id=nope", {});
    await get("/api/app/nope");
    const requestId = expect.stringMatching(/^q\w{15}$/);
    expect(logged).toMatchObject([
      { level: "warn", code: "notfound", description: "Failed to locate tag: nope", requestId, username: key?.id },
      { level: "warn", code: "session", requestId },
      { level: "warn", code: "api", description: "Unsupported API: app/nope", requestId },
    ]);
    expect(logged.map((line) => "username" in line)).toEqual([true, false, false]);
    expect(new Set(logged.map((line) => line["requestId"])).size).toBe(3);
  });
});

describe("the form of answers", () => {
  test("removes tags from descriptions", async () => {
    const { get } = await start();
    expect((await get("/api/app/fail_with?kind=input")).body.description).toBe("Malformed parameter: x");
  });

  test.each([
    ["a <b>bold</b> word", "a bold word"],
    ["a < b", "a < b"],
    ["<<a>>", ">"],
    ["<", "<"],
    ["", ""],
  ])("changes %j to %j", (text, plain) => expect(plainDescription(text)).toBe(plain));

  test("a long run of opening brackets is cut in linear time", () => {
    const before = process.threadCpuUsage();
    expect(plainDescription("<".repeat(5_000_000))).toHaveLength(4096);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  test("details cannot replace the code", async () => {
    const error = new SignalboxError("test", "Odd", { details: { code: 0, more: 1 } });
    const response = toResponse(createOutput(settings).failure(error, { versioned: true, pretty: false }));
    expect(await response.json()).toEqual({ code: "test", description: "Odd", more: 1 });
  });

  test("successes are compact JSON with a line end, never stored by caches", async () => {
    const { post } = await start();
    const { text, headers } = await post("/api/app/create_tag/v1", { id: "red", title: "Red" });
    expect(text).toMatch(/^\{"code":0,"tag":\{"id":"red",.*\}\}\n$/);
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["application/json", "no-store"]);
  });

  test("a member called code does not hide success", async () => {
    const textOf = async (members: unknown) =>
      toResponse(await createOutput(settings).success(members, { pretty: false })).text();
    expect(await textOf({ code: 5, a: 1 })).toBe('{"code":0,"a":1}\n');
    expect(await textOf(undefined)).toBe('{"code":0}\n');
  });

  test("errors are not stored by caches either", async () => {
    const { get } = await start();
    const { headers } = await get("/api/app/error/v1");
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["application/json", "no-store"]);
  });

  test("configured headers and signature are on every answer, otherwise there is no Server header", async () => {
    const config = { WebServer: { response_headers: { "X-Frame-Options": "DENY" }, server_signature: "Box" } };
    const { get } = await start({ config });
    for (const path of ["/api/app/ping", "/api/app/error/v1", "/api/app/stream_lines"]) {
      const { headers } = await get(path);
      expect([headers.get("x-frame-options"), headers.get("server")]).toEqual(["DENY", "Box"]);
    }
    expect((await (await start()).get("/api/app/ping")).headers.has("server")).toBe(false);
  });

  test("headers of the answer take precedence over configured ones, in any case of letters", async () => {
    const response_headers = { "CONTENT-type": "x/y", "cache-Control": "public", "access-control-ALLOW-origin": "b" };
    const { app, get } = await start({ config: { WebServer: { response_headers } } });
    const { headers } = await get("/api/app/ping");
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual(["application/json", "no-store"]);
    expect(headers.get("access-control-allow-origin")).toBe("b");
    const preflight = await app.request("/api/app/ping", { method: "OPTIONS", headers: { origin: "https://a" } });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://a");
  });

  test("settings changed while the engine runs apply from the next request on", async () => {
    const { app, get, post } = await start();
    await post("/api/app/admin_update_config/v1", {
      "WebServer.response_headers": { "X-Frame-Options": "DENY" },
      "api.cors": "host",
      "api.max_json_size": 100,
    });
    expect((await get("/api/app/ping")).headers.get("x-frame-options")).toBe("DENY");
    const preflight = await app.request("/api/app/ping", { method: "OPTIONS", headers: { origin: "https://a" } });
    expect(preflight.status).toBe(404);
    expect((await post("/api/app/echo/v1", { text: "x".repeat(200) })).status).toBe(413);
  });
});
