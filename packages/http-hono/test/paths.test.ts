import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { createHandler, createRouter } from "../src/index.ts";
import { read, start, startEngine } from "./start.ts";

describe("paths", () => {
  test.each([
    ["/api/app/reflect", false, ""],
    ["/api/app/reflect/", false, ""],
    ["/api/app/reflect/v1", true, ""],
    ["/api/app/reflect/v1/", true, ""],
    ["/api/app/reflect/v1?x=/v2", true, ""],
    ["/api/app/reflect?x=/v1", false, ""],
    ["/api/app/reflect/v2/x", true, "x"],
    ["/api/app/reflect/v1/wait", true, "wait"],
    ["/api/app/reflect/wait", false, "wait"],
    ["/api/app/reflect/v1/TOKEN_a-b", true, "TOKEN_a-b"],
    ["/api/app/reflect/v1/a%2Fb", true, "a/b"],
    ["/api/app/reflect/v1/a%0Ab", true, "a\nb"],
    ["/api/app/reflect/vote/v12", true, "vote/v12"],
    ["/api/app/reflect/v1x", false, "v1x"],
    ["/api/app/reflect.json", false, ".json"],
    ["/api/APP/reflect/v1", true, ""],
    ["/api/a!p~p/reflect/v1", true, ""],
  ])("%s selects the operation, versioned %s, suffix %j", async (path, versioned, pathSuffix) => {
    const { get } = await start();
    const { body } = await get(path);
    expect(body).toMatchObject({ code: 0, client: { versioned, pathSuffix } });
  });

  test.each([
    ["/api/app/nope/v1", 404, "Unsupported API: app/nope"],
    ["/api/app/nope", 200, "Unsupported API: app/nope"],
    ["/api/app/Reflect/v1", 404, "Unsupported API: app/Reflect"],
    ["/api/app/whoami/v1", 404, "Unsupported API: app/whoami"],
    ["/api/user/reflect/v1", 404, "Unsupported API: user/reflect"],
    ["/api/other/reflect/v1", 404, "Unsupported API: other/reflect"],
    ["/api/app/__proto__/v1", 404, "Unsupported API: app/__proto__"],
    ["/api", 200, "Invalid API URL: /api"],
    ["/api/", 200, "Invalid API URL: /api/"],
    ["/api/app", 200, "Invalid API URL: /api/app"],
    ["/api/app/", 200, "Invalid API URL: /api/app/"],
    ["/api/app/-/v1", 400, "Invalid API URL: /api/app/-/v1"],
  ])("%s answers %i %s", async (path, status, description) => {
    const { get } = await start();
    const answer = await get(path);
    expect(answer).toMatchObject({ status, body: { code: "api", description } });
  });

  test("operations of the user namespace have their own paths", async () => {
    const { get } = await start();
    expect((await get("/api/user/whoami/v1")).body).toMatchObject({ code: 0, id: expect.stringMatching(/^k/) });
  });

  test.each([
    ["/", "/api/app/reflect/v1", "http://localhost"],
    ["/ops", "/ops/api/app/reflect/v1", "http://localhost/ops"],
    ["/v2/api", "/v2/api/api/app/reflect", "http://localhost/v2/api"],
    ["/:tenant/ops", "/acme/ops/api/app/reflect/v1/a%2Fb", "http://localhost/acme/ops"],
  ])("mounted at %s the router answers %s and knows its base URL", async (mount, path, baseUrl) => {
    const { engine, key } = await startEngine();
    const host = new Hono().route(mount, createRouter(engine));
    const { body } = await read(await host.request(path, { headers: { "x-api-key": key } }));
    expect(body.client).toMatchObject({ baseUrl, versioned: path.includes("/v1") });
  });

  test("the host's own middleware runs before the router and its own routes stay", async () => {
    const { engine } = await startEngine();
    const host = new Hono()
      .use("*", async (context, next) => {
        await next();
        context.header("X-Host", "yes");
      })
      .get("/api/mine", (context) => context.text("host"))
      .route("/", createRouter(engine));
    const answer = await read(await host.request("/api/app/ping/v1"));
    expect([answer.headers.get("x-host"), answer.text]).toEqual(["yes", '{"code":0}\n']);
    expect((await read(await host.request("/api/mine"))).text).toBe("host");
    expect((await host.request("/elsewhere")).status).toBe(404);
  });

  test("a body that middleware has read before is taken from its cache", async () => {
    const { engine, key } = await startEngine();
    const host = new Hono()
      .use("*", async (context, next) => {
        await context.req.json();
        await next();
      })
      .route("/", createRouter(engine));
    const init = { method: "POST", body: '{"a":1}', headers: { "x-api-key": key, "content-type": "application/json" } };
    expect((await read(await host.request("/api/app/reflect", init))).body.params).toEqual({ a: 1 });
  });

  test("createHandler answers requests of any fetch server", async () => {
    const { engine } = await startEngine();
    const handle = createHandler(engine);
    expect(await (await handle(new Request("http://x/api/app/ping/v1"))).text()).toBe('{"code":0}\n');
    expect((await handle(new Request("http://x/other"))).status).toBe(404);
  });

  test("another API base and other side paths can be chosen", async () => {
    const { app, get } = await start({ apiBase: "/rpc/v0", healthPath: "/alive", filesPath: false });
    expect((await get("/rpc/v0/app/reflect")).body.client).toMatchObject({ versioned: false });
    expect((await get("/alive")).body).toMatchObject({ code: 0, master: true });
    expect((await app.request("/api/app/ping")).status).toBe(404);
    expect((await app.request("/files/a")).status).toBe(404);
    expect(() => createRouter({} as never, { apiBase: "api/" })).toThrow(TypeError);
  });
});

describe("/health", () => {
  test("answers that the node serves", async () => {
    const { engine, get } = await start();
    const answer = await get("/health", {});
    const { node } = engine.leadership();
    expect([answer.status, answer.text]).toEqual([
      200,
      `{"code":0,"master":true,"node":"${node}","leader":"${node}"}\n`,
    ]);
  });

  test("answers 503 without a body once the engine stops", async () => {
    const { engine, get } = await start();
    await engine.stop();
    const answer = await get("/health", {});
    expect([answer.status, answer.text]).toEqual([503, ""]);
  });
});

async function withFile(key: string, text = "hello") {
  const started = await start();
  await started.engine.blobs.put(key, new Blob([text]).stream());
  return started;
}

describe("/files", () => {
  test("is the operation `file` with the path as its parameter", async () => {
    const { get } = await withFile("files/jobs/j1/x/a.txt");
    const answer = await get("/files/jobs/j1/x/a.txt?download=1&path=evil", { range: "bytes=0-1" });
    expect([answer.status, answer.text]).toEqual([206, "he"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "public, max-age=0",
      "content-disposition": 'attachment; filename="a.txt"',
      "content-length": "2",
      "content-range": "bytes 0-1/5",
      "content-type": "text/plain",
      "x-content-type-options": "nosniff",
    });
    const same = await get("/api/app/file/v1?path=jobs/j1/x/a.txt", {});
    expect([same.status, same.text]).toEqual([200, "hello"]);
  });

  test("decodes escapes once", async () => {
    const { get } = await withFile("files/a2e/b");
    expect((await get("/files/a%252e%2Fb")).text).toBe("hello");
    expect((await get("/files/a%2e2e/../a2e/b")).text).toBe("hello");
    expect((await get("/files/a2e%2Fb%00")).status).toBe(404);
  });

  test.each(["/files/..%2flogs/x", "/files/%2e%2e%2flogs/x", "/files/a/..%5c..%5clogs", "/files//logs/x", "/files/x/"])(
    "%s is no path",
    async (path) => {
      const { get } = await withFile("logs/x");
      expect((await get(path, {})).status).toBe(404);
    },
  );

  test.each(["/files/gone", "/api/app/file?path=gone", "/api/app/file/v1?path=gone"])(
    "%s is not found, whatever the form of the path",
    async (path) => {
      const { app } = await start();
      for (const method of ["GET", "HEAD"]) {
        const response = await app.request(path, { method });
        expect([response.status, await response.text()]).toEqual([404, method === "GET" ? "(File not found.)\n" : ""]);
      }
    },
  );

  test("HEAD has the headers and no body", async () => {
    const { app } = await withFile("files/a.txt");
    const response = await app.request("/files/a.txt", { method: "HEAD" });
    expect([response.headers.get("content-type"), await response.text()]).toEqual(["text/plain", ""]);
    expect(response.headers.get("content-length")).toBe("5");
  });

  test("other methods are left to the host", async () => {
    const { app } = await start();
    expect((await app.request("/files/a", { method: "POST" })).status).toBe(404);
  });
});
