import { describe, expect, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { openAdmin } from "./boxes/admin-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";

const FROM = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

describe.each(ONE_STORAGE)("traffic over %s", (name) => {
  test("requests and the bytes of their bodies are counted for the day, and kept when it is closed", async () => {
    const at = await openAdmin(name);
    const day = async () => (await at.get("dash_stats/v1")).body.stats.day;
    const before = await day();
    const made = await at.post("create_tag", { title: "Counted" });
    const refused = await at.post("create_tag", {});
    const after = await day();
    expect(after.requests).toBeGreaterThan(before.requests);
    // The day's stored counters are added to those since then.
    expect(after.bytes_out).toBeGreaterThanOrEqual(made.text.length + refused.text.length);
    expect(after).toMatchObject({ bytes_in: expect.any(Number), transactions: { tag_create: 3 } });
    expect(after.transactions).not.toHaveProperty("requests");
    await at.post("admin_reset_daily_stats");
    expect((await day()).requests).toBeLessThan(3);
    const { items } = (await at.get("search_stat_history/v1?path=requests")).body;
    expect(items).toMatchObject([{ date: "2027-01-15", data: expect.any(Number) }]);
    expect(items[0].data).toBeGreaterThanOrEqual(after.requests);
  });
});

test("bodies with a declared length are counted", async () => {
  const at = await openAdmin("memory");
  const body = JSON.stringify({ duration: 0 });
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  await at.send("/api/app/test_internal_job/v1", { method: "POST", headers, body });
  expect(at.engine.traffic).toMatchObject({ requests: 1, bytesIn: body.length });
});

describe("/server-status", () => {
  const ask = async (
    from: string | undefined,
    options: Parameters<typeof createRouter>[1] = {},
    path = "/server-status",
  ) => {
    const at = await openAdmin("memory");
    const app = createRouter(at.engine, options);
    await app.request("/api/app/ping/v1");
    return app.request(path, {}, from === undefined ? {} : FROM(from));
  };

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("shows counters to %s", async (from) => {
    const answer = await ask(from);
    expect(answer.status).toBe(200);
    const counters = { began: expect.any(Number), requests: 1, bytes_in: 0, bytes_out: 11, streams: 0 };
    expect(await answer.json()).toEqual({ code: 0, ...counters });
  });

  test.each(["10.1.2.3", "203.0.113.9", undefined])("shows nothing to %s", async (from) => {
    const answer = await ask(from);
    expect([answer.status, await answer.json()]).toEqual([403, { code: "access", description: "Forbidden" }]);
  });

  test("shows them to addresses that the host names, or is left to the host", async () => {
    expect((await ask("10.1.2.3", { statusFrom: ["10.0.0.0/8"] })).status).toBe(200);
    expect((await ask("127.0.0.1", { statusFrom: ["10.0.0.0/8"] })).status).toBe(403);
    expect((await ask("127.0.0.1", { statusPath: false })).status).toBe(404);
    expect((await ask("127.0.0.1", { statusPath: "/counters" }, "/counters")).status).toBe(200);
    await expect(ask("127.0.0.1", { statusFrom: ["nowhere"] })).rejects.toThrow('statusFrom: "nowhere" is no address');
  });
});
