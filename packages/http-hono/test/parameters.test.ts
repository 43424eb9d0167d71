import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { type Answer, start } from "./start.ts";

describe("queries", () => {
  test("values are texts and a repeated key gives an array", async () => {
    const { get } = await start();
    const { body } = await get("/api/app/reflect?a=1&b=x+y%20z&c=1&c=2&d&e=%E4%BD%A0&f=%zz");
    expect(body.params).toEqual({ a: "1", b: "x y z", c: ["1", "2"], d: "", e: "你", f: "%zz" });
  });

  test("reserved members never reach an operation", async () => {
    const { get } = await start();
    const { body } = await get("/api/app/reflect?cachebust=1&pretty=&callback=f&format=html&ttl=5&csrf_token=1&kept=1");
    expect(body.params).toEqual({ kept: "1" });
  });

  test("hostile keys are refused by name", async () => {
    const { get, post } = await start();
    const description = "Invalid parameter: __proto__ (illegal key)";
    expect((await get("/api/app/reflect?__proto__=1")).body.description).toBe(description);
    expect((await post("/api/app/reflect", '{"__proto__":{"admin":1}}')).body.description).toBe(description);
    expect((await post("/api/app/reflect", '{"a":{"__proto__":{}}}')).body.description).toBe(description);
    expect((await post("/api/app/reflect", new URLSearchParams("__proto__=1"))).body.description).toBe(description);
    const long = `{"filler":"${"x".repeat(100_000)}","a":[{"b":{"__proto__":{}}}]}`;
    expect((await post("/api/app/reflect", long)).body.description).toBe(description);
  });

  test.each(["1", "0", "false", "x"])("pretty=%s indents by tabs", async (value) => {
    const { get } = await start();
    expect((await get(`/api/app/ping?pretty=${value}`)).text).toBe('{\n\t"code": 0\n}\n');
    expect((await get(`/api/app/fail_with?kind=test&pretty=${value}`)).text).toContain('\n\t"code": "test",\n');
  });
});

describe("methods", () => {
  test("POST on a read merges the query over the body", async () => {
    const { post } = await start();
    const { body } = await post("/api/app/reflect?a=query", { a: "body", b: 2 });
    expect(body.params).toEqual({ a: "query", b: 2 });
    expect((await post("/api/app/reflect", { a: null, b: [null] })).body.params).toEqual({ b: [null] });
  });

  test("a write takes its parameters from the body alone", async () => {
    const { post } = await start();
    expect((await post("/api/app/write_body?value=q&other=q", { value: "b" })).body.params).toEqual({ value: "b" });
  });

  test("GET on a write that takes only a body lacks its parameters", async () => {
    const { get } = await start();
    const answer = await get("/api/app/write_body/v1?value=x");
    expect(answer).toMatchObject({ status: 400, body: { code: "api", description: "Missing parameter: value" } });
  });

  test("a write that merges is run by GET with a key or an explicit session", async () => {
    const { get, key } = await start();
    expect((await get("/api/app/fire/v1?value=x")).body.params).toEqual({ value: "x" });
    expect((await get(`/api/app/fire/v1?value=x&api_key=${key}`, {})).body.params).toEqual({ value: "x" });
    const answer = await get("/api/app/fire/v1", { "x-session-id": "a".repeat(64) });
    expect(answer.body.description).toBe("Session has expired or is invalid.");
  });

  const cookie = `session_id=${"a".repeat(64)}`;
  test.each(["fire", "bare_write"])("GET on %s is refused when the only credential is a cookie", async (name) => {
    const { get } = await start();
    const answer = await get(`/api/app/${name}/v1`, { cookie });
    expect(answer).toMatchObject({ status: 403, body: { code: "session", description: "Invalid session" } });
  });

  test("HEAD with a cookie cannot run a write either", async () => {
    const { app } = await start();
    expect((await app.request("/api/app/fire/v1", { method: "HEAD", headers: { cookie } })).status).toBe(403);
  });

  test("missing parameters are reported before the cookie is checked", async () => {
    const { get } = await start();
    expect((await get("/api/app/write_body/v1", { cookie })).body.description).toBe("Missing parameter: value");
  });

  test("GET on a read with a cookie goes to the session check", async () => {
    const { get } = await start();
    expect((await get("/api/app/get_tags/v1", { cookie })).body.description).toBe("Session has expired or is invalid.");
  });

  test("a key beside a cookie runs the write with its own rights", async () => {
    const { get, key } = await start();
    expect((await get("/api/app/fire/v1", { cookie, "x-api-key": key })).body.code).toBe(0);
  });

  test("an operation with tokens ignores the cookie on GET", async () => {
    const { get } = await start();
    expect((await get("/api/app/fire_by_token/v1", { cookie })).body).toEqual({ code: 0, kind: "anonymous" });
  });

  test.each(["PUT", "PATCH", "DELETE"])("%s is treated as POST", async (method) => {
    const { app, key } = await start();
    const init = { method, body: '{"value":"x"}', headers: { "x-api-key": key, "content-type": "application/json" } };
    expect(await (await app.request("/api/app/write_body", init)).json()).toEqual({ code: 0, params: { value: "x" } });
  });

  test("HEAD is GET without a body", async () => {
    const { app, key } = await start();
    const response = await app.request("/api/app/reflect?a=1", { method: "HEAD", headers: { "x-api-key": key } });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-type")).toBe("application/json");
  });
});

describe("OPTIONS", () => {
  test.each(["/api/app/nope/v1", "/api/x", "/health", "/files/a"])("is a preflight for %s", async (path) => {
    const { app } = await start();
    const headers = { origin: "https://a.example", "access-control-request-headers": "x-api-key" };
    const response = await app.request(path, { method: "OPTIONS", headers });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "https://a.example",
      "access-control-allow-methods": "POST, GET, HEAD, OPTIONS",
      "access-control-allow-headers": "x-api-key",
      "access-control-max-age": "1728000",
    });
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("allows every origin without one in the request", async () => {
    const { app } = await start();
    const { headers } = await app.request("/api/app/ping", { method: "OPTIONS" });
    expect([headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")]).toEqual([
      "*",
      "*",
    ]);
  });

  test.each([{ cors: "host" as const }, { config: { api: { cors: "host" as const } } }])(
    "is left to the host with %j",
    async (options) => {
      const { app } = await start(options);
      expect((await app.request("/api/app/ping", { method: "OPTIONS" })).status).toBe(404);
    },
  );

  test("other methods have no CORS header", async () => {
    const { get } = await start();
    const { headers } = await get("/api/app/ping", { origin: "https://a.example" });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("echo", () => {
  /** The operation answers after a millisecond, so time advances until it has. */
  async function echo(query: string, init: (key: string) => RequestInit) {
    const { clock, key, send } = await openEngine("memory");
    let answer: Answer | undefined;
    void send(`/api/app/echo/v1${query}`, init(key)).then((come) => {
      answer = come;
    });
    const after = async (): Promise<Answer | undefined> => {
      await clock.advance(1);
      return answer;
    };
    await expect.poll(after, { timeout: 120_000 }).toBeDefined();
    return { body: (answer as Answer | undefined)?.body, key };
  }

  test("answers what was sent, without credentials", async () => {
    const { body, key } = await echo("?a=1&a=2&session_id=&pretty=1", (key) => ({
      headers: { "x-api-key": key, cookie: "theme=dark; session_id=stale", "x-test": "1" },
    }));
    expect(body).toMatchObject({
      ...{ code: 0, method: "GET", url: "/api/app/echo/v1?a=1&a=2&pretty=1", query: { a: ["1", "2"] } },
      ...{ headers: { "x-test": "1" }, cookies: { theme: "dark" }, params: { a: ["1", "2"] }, files: {} },
    });
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${key}|stale`));
  });

  test("names the uploaded files", async () => {
    const form = new FormData();
    form.set("note", "x");
    form.set("f", new File(["abc"], "n.txt"));
    const { body } = await echo("", (key) => ({ method: "POST", body: form, headers: { "x-api-key": key } }));
    expect(body).toMatchObject({ params: { note: "x" }, files: { f: { name: "n.txt", size: 3 } }, query: {} });
  });
});
