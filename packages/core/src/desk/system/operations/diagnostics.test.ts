import { describe, expect, test } from "vitest";
import { keyWith, refusalOf, startEngine } from "../../../../test/engine.ts";
import { localClient } from "../../../kernel/calls/context.ts";
import type { StreamResult } from "../../../kernel/calls/operation.ts";

const readAll = async ({ body }: StreamResult): Promise<unknown> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
};

test("ping answers all callers, also with a bad key", async () => {
  await using engine = await startEngine();
  expect(await engine.as({}).ping()).toEqual({});
  expect(await engine.as({ apiKey: "bad" }).ping()).toEqual({});
});

test("error always fails with its test text", async () => {
  await using engine = await startEngine();
  expect(await refusalOf(engine.as({}).error())).toEqual({
    code: "test",
    description: "This is a test error message.",
  });
});

describe("echo", () => {
  test("is for administrators", async () => {
    await using engine = await startEngine();
    expect((await refusalOf(engine.as({}).echo())).code).toBe("session");
    expect((await refusalOf(engine.as(keyWith(["run_jobs"])).echo())).code).toBe("access");
  });

  test("answers the input, after the requested milliseconds", async () => {
    await using engine = await startEngine();
    let answered = false;
    const call = engine
      .execute({
        operation: "echo",
        input: { sleep: "250", a: [1] },
        actor: keyWith(["admin"]),
        client: { ...localClient, method: "GET", ips: ["192.0.2.1"], headers: { accept: "*/*" } },
        uploads: [{ field: "f", filename: "x.txt", sizeBytes: 5, key: "tmp/1" }],
      })
      .then((result) => {
        answered = true;
        return result as StreamResult;
      });
    await engine.clock.advance(0.249);
    expect(answered).toBe(false);
    await engine.clock.advance(0.001);
    const result = await call;
    expect(result.contentType).toBe("application/json");
    expect(await readAll(result)).toEqual({
      code: 0,
      method: "GET",
      url: "",
      ips: ["192.0.2.1"],
      query: {},
      headers: { accept: "*/*" },
      cookies: {},
      params: { sleep: 250, a: [1] },
      files: { f: { name: "x.txt", size: 5 } },
    });
  });

  test("is indented by tabs where the address says pretty, like every answer", async () => {
    await using engine = await startEngine();
    const client = { ...localClient, method: "GET", ips: [], url: "/api/app/echo/v1?a=1&pretty=0", headers: {} };
    const call = engine.execute({ operation: "echo", actor: keyWith(["admin"]), client });
    await engine.clock.advance(0.001);
    const { body } = (await call) as StreamResult;
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^\{\n\t"code": 0,\n\t"method": "GET",.*\n\}\n$/s);
  });

  test("sleeps ten seconds at most and ends with its caller", async () => {
    await using engine = await startEngine();
    const long = engine.api.echo({ sleep: 1e9 });
    await engine.clock.advance(10);
    await long;
    const abort = new AbortController();
    const call = engine.execute({
      operation: "echo",
      input: { sleep: 10_000 },
      actor: keyWith(["admin"]),
      signal: abort.signal,
    });
    abort.abort();
    expect(await readAll((await call) as StreamResult)).toMatchObject({ code: 0 });
  });
});
