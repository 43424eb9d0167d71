import { describe, expect, test } from "vitest";
import { type Started, start } from "./start.ts";

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
const send = ({ post, key }: Started, body: string, type: string, more: Record<string, string> = {}) =>
  post("/api/app/reflect/v1", body, { "x-api-key": key, "content-type": type, ...more });

describe("content types", () => {
  test.each([
    "application/json",
    "TEXT/plain",
    "application/javascript",
    "application/vnd.x+JSON; charset=utf-8",
    "x/js",
  ])("%s is read as JSON", async (type) => {
    expect((await send(await start(), '{"a":{"b":[1,"ü"]}}', type)).body.params).toEqual({ a: { b: [1, "ü"] } });
  });

  test("an unknown type is used when it is a JSON object and ignored otherwise", async () => {
    const started = await start();
    expect((await send(started, '{"a":1}', "application/octet-stream")).body.params).toEqual({ a: 1 });
    expect((await send(started, '{"a":', "application/octet-stream")).body.params).toEqual({});
    expect((await send(started, "[1]", "application/octet-stream")).body.params).toEqual({});
  });

  test("an encoded body is not parsed", async () => {
    const answer = await send(await start(), '{"a":1}', "application/json", { "content-encoding": "gzip" });
    expect(answer.body.params).toEqual({});
  });

  test("url-encoded fields are texts, and repeated ones arrays", async () => {
    const { post } = await start();
    const { body } = await post("/api/app/reflect", new URLSearchParams("a=1&b=2&b=3&c=x+y"));
    expect(body.params).toEqual({ a: "1", b: ["2", "3"], c: "x y" });
  });

  test("a url-encoded form is no longer than a megabyte", async () => {
    const { post } = await start();
    const form = (length: number) => new URLSearchParams({ a: "x".repeat(length) });
    expect((await post("/api/app/reflect/v1", form(1_000_000))).status).toBe(200);
    expect((await post("/api/app/reflect/v1", form(1_100_000))).status).toBe(413);
  });

  test("too many url-encoded fields are refused", async () => {
    const { post } = await start({ maxFields: 3 });
    expect((await post("/api/app/reflect/v1", new URLSearchParams("a=1&b=2&c=3"))).status).toBe(200);
    const answer = await post("/api/app/reflect/v1", new URLSearchParams("a=1&b=2&c=3&d=4"));
    expect(answer).toMatchObject({ status: 400, body: { description: "Malformed request body." } });
  });
});

describe("JSON bodies", () => {
  test("bytes that are no valid text are replaced, in a long body as well", async () => {
    const { post, key } = await start();
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(2_000_000, 0xff), Buffer.from('"}')]);
    const answer = await post("/api/app/reflect/v1", body, { "x-api-key": key, "content-type": "application/json" });
    expect(answer.body).toMatchObject({ params: { a: "\ufffd".repeat(2_000_000) } });
  });

  test.each(["", "  \n", "[]", "[1,2]", "null", "5", '"text"', "true"])("%j means no parameters", async (body) => {
    const answer = await send(await start(), body, "application/json");
    expect(answer).toMatchObject({ status: 200, body: { code: 0, params: {} } });
  });

  test.each(["{", "{'a':1}", '{"a":1}x', "undefined"])("%j is refused with an envelope", async (body) => {
    const answer = await send(await start(), body, "application/json");
    expect(answer).toMatchObject({ status: 400, body: { code: "api" } });
    expect(answer.body.description).toMatch(/^Failed to parse JSON: ./);
  });

  test.each(["", `"a":"${"x".repeat(70_000)}",`])(
    "no part of a text that does not parse is in the error or the log",
    async (long) => {
      const started = await start();
      const answer = await send(started, `{${long}"password":hunter2}`, "application/json");
      expect(answer.body.description).toMatch(/^Failed to parse JSON: Unexpected token 'h'/);
      expect(`${answer.body.description} ${JSON.stringify(started.logged)}`).not.toMatch(/unter|passw/);
    },
  );

  test("64 levels are accepted and 65 refused", async () => {
    const started = await start();
    expect((await send(started, nested(64), "application/json")).status).toBe(200);
    const answer = await send(started, nested(65), "application/json");
    expect(answer).toMatchObject({ status: 400, body: { code: "api", description: "Malformed request body." } });
  });

  test("brackets inside texts do not count as levels", async () => {
    const value = '\\"[[[{{{\\\\'.repeat(100);
    expect((await send(await start(), `{"a":"${value}"}`, "application/json")).status).toBe(200);
  });

  test("a million levels are refused before they are parsed", async () => {
    const answer = await send(await start(), "[".repeat(1_000_000), "application/json");
    expect(answer.body.description).toBe("Malformed request body.");
  });

  test("100000 members are accepted and one more refused", async () => {
    const started = await start();
    const list = (length: number) => `{"a":[${Array(length).fill(0).join(",")}]}`;
    expect((await send(started, list(99_999), "application/json")).status).toBe(200);
    expect((await send(started, list(100_000), "application/json")).body.description).toBe("Malformed request body.");
  });

  test.each(["", "x".repeat(20)])(
    "5000 members of one object are accepted and one more refused, with names like k0%s",
    async (tail) => {
      const started = await start();
      const wide = (length: number) =>
        JSON.stringify(Object.fromEntries(Array.from({ length }, (_, n) => [`k${n}${tail}`, n])));
      expect((await send(started, `{"a":[${wide(5000)},[${wide(5000)}]]}`, "application/json")).status).toBe(200);
      for (const body of [wide(5001), `{"a":[${wide(5001)}]}`])
        expect(await send(started, body, "application/json")).toMatchObject({
          status: 400,
          body: { code: "api", description: "Malformed request body." },
        });
    },
  );

  test("a long body that is no JSON is refused like a short one", async () => {
    const started = await start();
    const answer = await send(started, `{"a":"${"x".repeat(70_000)}",}`, "application/json");
    expect(answer).toMatchObject({ status: 400, body: { code: "api" } });
    expect(answer.body.description).toMatch(/^Failed to parse JSON: Unexpected token '}' at position \d+$/);
    expect((await send(started, " ".repeat(70_000), "application/json")).body.params).toEqual({});
    expect((await send(started, `[${" ".repeat(70_000)}]`, "application/json")).body.params).toEqual({});
  });

  test("parsing a body with many names yields to other requests", async () => {
    const { app, key, get } = await start();
    const objects = Array.from(
      { length: 9000 },
      (_, n) => `{${Array.from({ length: 10 }, (_, m) => `"k${n}_${m}":1`)}}`,
    );
    const headers = { "x-api-key": key, "content-type": "application/json" };
    let isDone = false;
    const long = Promise.resolve(
      app.request("/api/app/bare_write/v1", { method: "POST", headers, body: `{"a":[${objects}]}` }),
    ).then((response) => {
      isDone = true;
      return response.status;
    });
    let others = 0;
    while (!isDone) {
      await get("/api/app/ping");
      await new Promise(setImmediate);
      others++;
    }
    expect([await long, others > 3]).toEqual([200, true]);
  });

  test("a body over the bound is refused by its declared length", async () => {
    const started = await start({ config: { api: { max_json_size: 100 } } });
    expect((await send(started, `{"a":"${"x".repeat(90)}"}`, "application/json")).status).toBe(200);
    const answer = await send(started, `{"a":"${"x".repeat(100)}"}`, "application/json");
    const description = "Request body exceeds the maximum size.";
    expect(answer).toMatchObject({ status: 413, body: { code: "api", description } });
  });

  test("a body without a declared length is read only up to the bound", async () => {
    const { app, key } = await start({ config: { api: { max_json_size: 1000 } } });
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(100).fill(32));
      },
    });
    const init = { method: "POST", body, duplex: "half", headers: { "x-api-key": key, "content-type": "text/json" } };
    const response = await app.request("/api/app/reflect/v1", init as RequestInit);
    expect([response.status, pulled]).toEqual([413, expect.toSatisfy((count: number) => count < 15)]);
  });

  test("a wrong declared length does not bypass the bound", async () => {
    const { app, key } = await start({ config: { api: { max_json_size: 1000 } } });
    const headers = { "x-api-key": key, "content-type": "text/json", "content-length": "10" };
    const init = { method: "POST", body: " ".repeat(2000), headers };
    expect((await app.request("/api/app/reflect/v1", init)).status).toBe(413);
  });
});
