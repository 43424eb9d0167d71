import { describe, expect, test } from "vitest";
import { setUpHook } from "../../../../test/directory/hook-setup.ts";
import { cradleProbe, startEngine } from "../../../../test/engine.ts";
import type { WebHook } from "../model.ts";

describe("refused firings", () => {
  test("for an unknown hook, a disabled hook and a host without a client are outcomes", async () => {
    await using at = await setUpHook({ hook: { enabled: 0 } });
    expect(await at.sender.fire("nope", {})).toEqual({ code: "webhook", description: "Web Hook not found: nope" });
    expect(await at.sender.fire("ops", {})).toEqual({ code: "webhook", description: "Web Hook is disabled: ops" });
    const probe = cradleProbe();
    await using bare = await startEngine({ plugins: [probe.plugin] });
    expect(await probe.cradle().webHooks.fire("example_hook", {})).toEqual({
      code: "webhook",
      description: "Web hooks are not configured: the host gave no web hook client",
    });
    expect(bare.report.administratorKey).toBeDefined();
  });

  test("begin after max_per_day firings, including failed ones, until the next day", async () => {
    await using at = await setUpHook({ hook: { max_per_day: 2 }, steps: [{ status: 404, statusText: "Not Found" }] });
    expect((await at.sender.fire("ops", {})).description).toBe("Error: HTTP 404 Not Found: https://example.com/a");
    await at.sender.fire("ops", {});
    const full = { code: "webhook", description: "Web Hook has reached maximum daily limit: ops (2/day)" };
    expect(await at.sender.fire("ops", {})).toEqual(full);
    expect(at.client.sent).toHaveLength(2);
    // The engine starts at 08:00 UTC.
    at.engine.clock.step(16 * 3600 - 1);
    expect(await at.sender.fire("ops", {})).toEqual(full);
    await at.engine.clock.advance(1);
    await at.sender.fire("ops", {});
    expect(at.client.sent).toHaveLength(3);
  });

  test("end at midnight of the configured zone", async () => {
    await using at = await setUpHook({ hook: { max_per_day: 1 }, config: { tz: "Asia/Tokyo" } });
    await at.sender.fire("ops", {});
    // 08:00 UTC is 17:00 in Tokyo.
    at.engine.clock.step(7 * 3600 - 1);
    await at.sender.fire("ops", {});
    expect(at.client.sent).toHaveLength(1);
    await at.engine.clock.advance(1);
    await at.sender.fire("ops", {});
    expect(at.client.sent).toHaveLength(2);
  });

  test("count all firings at the same time", async () => {
    await using at = await setUpHook({ hook: { max_per_day: 5 } });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => at.sender.fire("ops", {})));
    expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(5);
    expect(at.client.sent).toHaveLength(5);
  });

  test("do not apply to a record fired directly", async () => {
    await using at = await setUpHook();
    const record: WebHook = { ...(await at.engine.api.getWebHook({ id: "example_hook" })).web_hook, max_per_day: 1 };
    await at.sender.fire(record, { text: "t" });
    expect(await at.sender.fire(record, { text: "t" })).toMatchObject({ code: 0 });
  });
});

describe("retries of a firing", () => {
  const settle = async (at: Awaited<ReturnType<typeof setUpHook>>, seconds: number) => {
    const before = at.client.sent.length;
    await at.engine.clock.advance(seconds);
    return at.client.sent.length - before;
  };

  test("wait 1, 2, 4 … 30 seconds with the same idempotency key", async () => {
    await using at = await setUpHook({ hook: { retries: 6 }, steps: [{ status: 503, statusText: "Busy" }] });
    const done = at.sender.fire("ops", {}, { idempotencyKey: "j1/0" });
    expect(await settle(at, 0.5)).toBe(1);
    for (const seconds of [1, 2, 4, 8, 16, 30]) {
      expect(await settle(at, seconds - 0.6)).toBe(0);
      expect(await settle(at, 0.6)).toBe(1);
    }
    expect(await done).toMatchObject({ code: "webhook", description: "Error: HTTP 503 Busy: https://example.com/a" });
    expect(new Set(at.client.sent.map(({ headers }) => headers["X-Idempotency-Key"]))).toEqual(new Set(["j1/0"]));
  });

  test.each([408, 425, 429, 500, 502, 503, 504])("happen after %i", async (status) => {
    await using at = await setUpHook({ hook: { retries: 1 }, steps: [{ status }, {}] });
    const done = at.sender.fire("ops", {});
    await at.engine.clock.advance(1);
    expect(await done).toMatchObject({ code: 0 });
    expect(at.client.sent).toHaveLength(2);
  });

  test.each([300, 400, 401, 403, 404, 409, 501])("do not happen after %i", async (status) => {
    await using at = await setUpHook({ hook: { retries: 3 }, steps: [{ status, statusText: "" }] });
    expect(await at.sender.fire("ops", {})).toMatchObject({
      description: `Error: HTTP ${status}: https://example.com/a`,
    });
    expect(at.client.sent).toHaveLength(1);
  });

  test("happen without an answer, and the reason is reported at the end", async () => {
    await using at = await setUpHook({ hook: { retries: 1 }, steps: [new Error("connect ECONNREFUSED")] });
    const done = at.sender.fire("ops", {});
    await at.engine.clock.advance(1);
    expect(await done).toMatchObject({ code: "webhook", description: "Error: connect ECONNREFUSED" });
    expect(at.client.sent).toHaveLength(2);
  });

  test.each<[string, number]>([
    ["7", 7],
    ["3600", 60],
    ["0", 0.001],
    [new Date((1_800_000_000 + 20) * 1000).toUTCString(), 20],
    ["soon", 1],
  ])("obey Retry-After %s, up to a minute", async (value, seconds) => {
    await using at = await setUpHook({
      hook: { retries: 1 },
      steps: [{ status: 429, headers: { "Retry-After": value } }, {}],
    });
    const done = at.sender.fire("ops", {});
    if (seconds > 0.5) {
      await at.engine.clock.advance(seconds - 0.1);
      expect(at.client.sent).toHaveLength(1);
    }
    await at.engine.clock.advance(0.2);
    expect(await done).toMatchObject({ code: 0 });
  });

  test("end with an abort during the wait", async () => {
    await using at = await setUpHook({ hook: { retries: 5 }, steps: [{ status: 500, statusText: "Oops" }] });
    const abort = new AbortController();
    const done = at.sender.fire("ops", {}, { signal: abort.signal });
    await at.engine.clock.advance(0);
    abort.abort();
    expect(await done).toMatchObject({ code: "webhook", description: "Error: HTTP 500 Oops: https://example.com/a" });
    expect(at.client.sent).toHaveLength(1);
  });
});

describe("the report of a firing", () => {
  test("contains request, answer and timing", async () => {
    await using at = await setUpHook({
      hook: { body: "hello", retries: 2, timeout: 1, follow: true },
      steps: [{ status: 201, statusText: "Created", headers: { etag: "1" }, body: '{"ok":true}' }],
    });
    const { details = "" } = await at.sender.fire("ops", {});
    for (const line of ["POST", "https://example.com/a", "Follow", "2", "1 second", "hello", "201 Created", "etag: 1"])
      expect(details).toContain(line);
    expect(details).toContain('{"ok":true}');
    expect(details).toContain('"scale": 1000');
  });

  test("leaves out empty sections", async () => {
    await using at = await setUpHook({ hook: { method: "GET" } });
    const { details = "" } = await at.sender.fire("ops", {});
    expect(details).not.toContain("Request Body");
    expect(details).not.toContain("Response Body");
    expect(details).toContain("None");
    expect(details).toContain("n/a");
  });

  test("an answer cannot end its own block", async () => {
    await using at = await setUpHook({ steps: [{ body: "```\n# Fake heading\n````" }] });
    const { details = "" } = await at.sender.fire("ops", {});
    expect(details).toContain("`````\n```\n# Fake heading\n````\n`````");
  });

  test("a long answer is cut", async () => {
    await using at = await setUpHook({ steps: [{ body: "x".repeat(70_000) }] });
    const { details = "" } = await at.sender.fire("ops", {});
    expect(details.length).toBeLessThan(68_000);
    expect(details).toContain("(4464 more characters)");
  });

  test("a reason from outside is cut to plain text", async () => {
    await using at = await setUpHook({ steps: [{ status: 418, statusText: "<b>\u0007I am\nhere" }] });
    expect((await at.sender.fire("ops", {})).description).toBe("Error: HTTP 418 bI amhere: https://example.com/a");
  });

  test("and the log name the hook and neither url nor body", async () => {
    await using at = await setUpHook({
      hook: { url: "https://example.com/token123", body: "secret456" },
      steps: [{ status: 400 }],
    });
    await at.sender.fire("ops", {});
    const text = JSON.stringify(at.log.lines);
    expect(text).toContain("A web hook failed");
    expect(text).not.toMatch(/token123|secret456/);
  });
});
