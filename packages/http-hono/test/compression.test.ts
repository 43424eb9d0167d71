import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { silentLogger, systemClock } from "@signalbox/core/adapter";
import { describe, expect, test } from "vitest";
import { createAnswerRoom } from "../src/answer/answer-room.ts";
import { chooseEncoding, packSlices } from "../src/answer/compression.ts";
import { createOutput } from "../src/answer/output.ts";
import { toResponse } from "../src/answer/plain-answer.ts";
import type { RouterOptions } from "../src/index.ts";
import { start } from "./start.ts";

const long = "x".repeat(2000);

/** Requests an answer that repeats `value`. */
async function ask(accept: string, value = long, options: RouterOptions = {}) {
  const { app, key } = await start(options);
  const headers = { "x-api-key": key, "accept-encoding": accept };
  const response = await app.request(`/api/app/reflect/v1?value=${value}`, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe("compression", () => {
  test.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["deflate", "deflate", inflateSync],
  ])("sends %s a long answer as %s", async (accept, encoding, unpack) => {
    const { response, bytes } = await ask(accept);
    expect([response.status, response.headers.get("content-encoding")]).toEqual([200, encoding]);
    expect([response.headers.get("vary"), response.headers.get("content-type")]).toEqual([
      "accept-encoding",
      "application/json",
    ]);
    expect(JSON.parse(unpack(bytes).toString())).toMatchObject({ code: 0, params: { value: long } });
    expect(bytes.length).toBeLessThan(1000);
  });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
  ])("packs answers of many pieces by %s", async (encoding, unpack) => {
    const rows = Array.from({ length: 3000 }, (_, n) => ({ n, text: "ü".repeat(300) }));
    const traffic = { requests: 0, bytesIn: 0, bytesOut: 0 };
    const parts = { headers: {}, options: {}, clock: systemClock, log: silentLogger, traffic };
    const output = createOutput({ ...parts, answers: createAnswerRoom(1) });
    const response = toResponse(
      await output.success({ rows }, { pretty: false, accepted: new Headers({ "accept-encoding": encoding }) }),
    );
    expect([...response.headers]).toEqual([
      ["cache-control", "no-store"],
      ["content-encoding", encoding],
      ["content-type", "application/json"],
      ["vary", "accept-encoding"],
    ]);
    expect(JSON.parse(unpack(Buffer.from(await response.arrayBuffer())).toString())).toEqual({ code: 0, rows });
  });

  test("does not delay a caller without support for it, and `vary` says that others get it", async () => {
    const traffic = { requests: 0, bytesIn: 0, bytesOut: 0 };
    const parts = { headers: {}, options: {}, clock: systemClock, log: silentLogger, traffic };
    const output = createOutput({ ...parts, answers: createAnswerRoom(1) });
    const response = toResponse(output.success({ value: long }, { pretty: false, accepted: new Headers() }));
    if (response instanceof Promise) throw new TypeError("The answer came late");
    expect([response.headers.get("vary"), response.headers.get("content-encoding")]).toEqual(["accept-encoding", null]);
    const text = `{"code":0,"value":"${long}"}\n`;
    expect(await response.text()).toBe(text);
    expect(traffic.bytesOut).toBe(text.length);
  });

  test("ends with an error when a packed body breaks off", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(100_000, "x");
      throw new Error("broken");
    }
    await expect(Array.fromAsync(packSlices(broken(), "gzip"))).rejects.toThrow("broken");
  });

  test.each([
    ["short answers", "br", "x", {}],
    ["callers without support", "identity, br;q=0", long, {}],
    ["hosts that do it themselves", "br", long, { compress: false }],
  ])("is skipped for %s", async (_who, accept, value, options) => {
    const { response, bytes } = await ask(accept, value, options);
    expect(response.headers.has("content-encoding")).toBe(false);
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 0, params: { value } });
  });

  test("is skipped for errors", async () => {
    const { app } = await start();
    const path = `/api/app/nope/v1/${long}?pretty=1`;
    const { status, headers } = await app.request(path, { headers: { "accept-encoding": "gzip" } });
    expect([status, headers.get("content-encoding")]).toEqual([404, null]);
  });

  test("also packs the OpenAPI document", async () => {
    const { app } = await start();
    const response = await app.request("/api/openapi.json", { headers: { "accept-encoding": "gzip" } });
    const document = JSON.parse(gunzipSync(await response.arrayBuffer()).toString());
    expect([response.headers.get("content-encoding"), document.openapi]).toEqual(["gzip", "3.1.0"]);
  });

  test.each([
    [null, undefined],
    ["", undefined],
    ["GZIP", "gzip"],
    ["gzip;q=1.0, br;q=0.1", "br"],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["br;q=0.0, *", "gzip"],
    ["zstd", undefined],
  ])("%j selects %s", (accepted, encoding) => expect(chooseEncoding(accepted)).toBe(encoding));
});
