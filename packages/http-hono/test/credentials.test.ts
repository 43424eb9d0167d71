import { describe, expect, test } from "vitest";
import { start } from "./start.ts";

const path = "/api/app/reflect/v1";
const unknown = "x".repeat(24);

describe("API keys", () => {
  test("are accepted by header, body or query", async () => {
    const { get, post, key } = await start();
    expect((await get(path)).body.code).toBe(0);
    expect((await get(`${path}?api_key=${key}`, {})).body.code).toBe(0);
    expect((await post(path, { api_key: key }, {})).body.code).toBe(0);
    expect((await post(path, new URLSearchParams({ api_key: key }), {})).body.code).toBe(0);
  });

  test("may be sent twice when they are equal", async () => {
    const { post, get, key } = await start();
    expect((await post(`${path}?api_key=${key}`, { api_key: key })).body.code).toBe(0);
    expect((await get(path, { "x-api-key": `${key}, ${key}` })).body.code).toBe(0);
  });

  test("two credentials that differ are refused", async () => {
    const { get, post, key } = await start();
    const refusal = { status: 400, body: { code: "api", description: "More than one API Key was provided." } };
    expect(await get(`${path}?api_key=${unknown}`)).toMatchObject(refusal);
    expect(await get(`${path}?api_key=${unknown}&api_key=${key}`, {})).toMatchObject(refusal);
    expect(await get(path, { "x-api-key": `${key}, ${unknown}` })).toMatchObject(refusal);
    expect(await post(path, { api_key: unknown })).toMatchObject(refusal);
  });

  test.each([
    [{}, "session", "No Session ID or API Key could be found"],
    [{ "x-api-key": unknown }, "session", "Invalid API Key"],
    [{ "x-session-id": "zz" }, "session", "Session has expired or is invalid."],
    [{ cookie: "a=b; session_id=zz" }, "session", "Session has expired or is invalid."],
    [{ cookie: "my_session_id=zz" }, "session", "No Session ID or API Key could be found"],
    [{ authorization: `Bearer ${unknown}` }, "session", "No Session ID or API Key could be found"],
  ] as [Record<string, string>, string, string][])("%j gives %s %s", async (headers, code, description) => {
    const { get } = await start();
    expect(await get(path, headers)).toMatchObject({ status: 403, body: { code, description } });
  });

  test("in a body must be texts", async () => {
    const { post } = await start();
    expect((await post(path, { api_key: 5, session_id: {} }, {})).body.code).toBe("session");
  });

  test("are ignored by public operations", async () => {
    const { get } = await start();
    expect((await get(`/api/app/ping/v1?api_key=${unknown}`, { "x-api-key": "other" })).body).toEqual({ code: 0 });
  });
});

describe("traces of credentials", () => {
  test("are in no parameter, whichever was used", async () => {
    const { post, key } = await start();
    const { body } = await post(`${path}?api_key=${key}&session_id=&csrf_token=c`, { csrf_token: "c", kept: 1 });
    expect(body.params).toEqual({ kept: 1 });
  });

  test("are in no header that an operation sees", async () => {
    const { get, key } = await start();
    const headers = { "x-api-key": key, cookie: "a=b", "x-csrf-token": "c", authorization: "Basic x", "x-kept": "1" };
    expect((await get(path, headers)).body.client.headers).toEqual({ "x-kept": "1" });
  });

  test("are not in the log of refused calls", async () => {
    const { get, post, logged, key } = await start();
    await get(`/api/app/fail_with/v1/${key}?kind=access&token=${key}`, {
      "x-api-key": key,
      cookie: `session_id=${key}`,
    });
    await post("/api/app/fail_with/v1", { kind: "crash", api_key: key });
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({
      level: "warn",
      code: "access",
      url: "/api/app/fail_with",
      operation: "fail_with",
    });
    expect(JSON.stringify(logged)).not.toContain(key);
  });
});

describe("a caller that the host knows", () => {
  const ann = { id: "ann", name: "Ann", privileges: ["admin"] };
  const resolveUser = (request: Request) => (request.headers.has("x-ann") ? ann : undefined);

  test("takes precedence over every credential", async () => {
    const { get } = await start({ resolveUser });
    expect((await get(path, { "x-ann": "1", "x-api-key": unknown })).body.actor).toBe("ann");
    expect((await get(path, {})).body.code).toBe("session");
  });

  test("has no more rights than the host says", async () => {
    const { get } = await start({ resolveUser: () => ({ ...ann, privileges: [] }) });
    expect((await get("/api/app/fire/v1", {})).body.code).toBe("access");
  });

  test("cannot be made to write by a link when cookies are involved", async () => {
    const { get } = await start({ resolveUser: async () => ann });
    expect((await get("/api/app/fire/v1", { cookie: "host=1" })).body.description).toBe("Invalid session");
    expect((await get("/api/app/fire/v1", {})).body.code).toBe(0);
    expect((await get("/api/app/get_tags/v1", { cookie: "host=1" })).body.code).toBe(0);
  });
});
