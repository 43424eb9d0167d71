import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { start } from "./start.ts";

describe("streams", () => {
  test("have their own type, status and headers, without line breaks", async () => {
    const { get } = await start();
    const answer = await get("/api/app/stream_lines/v1");
    expect([answer.status, answer.text]).toEqual([200, "line 1\nline 2\nline 3\n"]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="aX-Evil: 1.txt"');
    expect([answer.headers.get("x-evil"), answer.headers.get("cache-control")]).toEqual([null, "no-store"]);
  });

  test("without a body answer only their status", async () => {
    const { get } = await start();
    const answer = await get("/api/app/stream_lines?status=204");
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([204, "", null]);
  });

  test("fail as JSON before they start", async () => {
    const { get } = await start();
    expect(await get("/api/app/stream_lines/v1", {})).toMatchObject({ status: 403, body: { code: "session" } });
  });

  test("streams of events are marked so that proxies do not hold them back", async () => {
    const { app, key } = await start();
    const response = await app.request("/api/app/stream_endless", { headers: { "x-api-key": key } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    await response.body?.cancel();
  });

  test("request a chunk only when the client reads", async () => {
    const { app, key, watch } = await start();
    const response = await app.request("/api/app/stream_endless", { headers: { "x-api-key": key } });
    expect(watch.produced).toBe(0);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    expect(watch.produced).toBe(2);
    await reader?.cancel();
    expect(await watch.ended).toBe("aborted");
  });

  test("end their waiting when the client disconnects", async () => {
    const { app, key, watch } = await start();
    const response = await app.request("/api/app/stream_endless?wait=1", { headers: { "x-api-key": key } });
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read();
    await reader?.cancel();
    expect([await watch.ended, (await next)?.done]).toEqual(["aborted", true]);
  });

  test("end when the request is aborted", async () => {
    const { app, key, watch } = await start();
    const abort = new AbortController();
    const init = { headers: { "x-api-key": key }, signal: abort.signal };
    const response = await app.request("/api/app/stream_endless?wait=1", init);
    const reader = response.body?.getReader();
    await reader?.read();
    const rest = reader?.read();
    abort.abort();
    expect([await watch.ended, (await rest)?.done]).toEqual(["aborted", true]);
  });

  test("end when the engine stops", async () => {
    const { app, key, watch, engine } = await start();
    const response = await app.request("/api/app/stream_endless?wait=1", { headers: { "x-api-key": key } });
    const reader = response.body?.getReader();
    await reader?.read();
    const rest = reader?.read();
    await engine.stop();
    expect([await watch.ended, (await rest)?.done]).toEqual(["aborted", true]);
  });

  test("of events that are not read for 30 seconds are given up", async () => {
    const clock = fakeClock();
    const { app, key, watch } = await start({ clock });
    const response = await app.request("/api/app/stream_endless", { headers: { "x-api-key": key } });
    const reader = response.body?.getReader();
    await reader?.read();
    await clock.advance(29);
    await reader?.read();
    await clock.advance(31);
    expect(await watch.ended).toBe("aborted");
    expect((await reader?.read())?.done).toBe(true);
  });

  test("streams that break are cut off and logged", async () => {
    const { app, key, logged } = await start();
    const response = await app.request("/api/app/stream_broken", { headers: { "x-api-key": key } });
    await expect(response.text()).rejects.toThrow();
    expect(logged.some(({ level, error }) => level === "error" && String(error).includes("the disk is gone"))).toBe(
      true,
    );
  });

  test("never run when requested by HEAD", async () => {
    const { app, key, watch } = await start();
    const headers = { "x-api-key": key };
    const response = await app.request("/api/app/stream_endless", { method: "HEAD", headers });
    expect([response.status, await response.text(), watch.produced]).toEqual([200, "", 0]);
  });
});
