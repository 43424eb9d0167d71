import { readFileSync } from "node:fs";
import { createSignalbox, memoryStorage } from "@signalbox/core";
import { createTestSignalbox } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { callForm, PlainAnswer } from "../src/answer/plain-answer.ts";
import type { CallRequest } from "../src/caller/call-request.ts";
import { createHandler, createRouter } from "../src/index.ts";

const FROM = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
const CALL: Omit<CallRequest, "url"> = {
  ...{ method: "GET", headers: new Headers(), body: null, bodyUsed: false },
  signal: new AbortController().signal,
  text: async () => "",
};
const make = () => createSignalbox({ storage: memoryStorage(), secretKey: "a key of the tests", plugins: [quickKeys] });

describe("/metrics", () => {
  test("shows this machine the counts of the node, in the format of Prometheus", async () => {
    const engine = make();
    const app = createRouter(engine);
    await engine.start();
    engine.events.emit("job.started", { id: "j1", event: "e", server: "s" });
    engine.events.emit("job.completed", { id: "j1", event: "e", code: 0 });
    engine.events.emit("job.completed", { id: "j2", event: "e", code: "abort" });
    engine.events.emit("alert.fired", { id: "i1", alert: "a", server: "s" });
    await app.request("/api/app/ping/v1");
    const answer = await app.request("/metrics", {}, FROM("127.0.0.1"));
    const text = await answer.text();
    await engine.stop();
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const values = Object.fromEntries(
      [...text.matchAll(/^(\w+(?:\{.*?\})?) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    expect(values).toMatchObject({
      signalbox_up: 1,
      signalbox_http_requests_total: 1,
      signalbox_jobs_active: 0,
      signalbox_servers_connected: 0,
      signalbox_jobs_started_total: 1,
      'signalbox_jobs_completed_total{result="success"}': 1,
      'signalbox_jobs_completed_total{result="error"}': 1,
      signalbox_alerts_fired_total: 1,
      signalbox_alerts_cleared_total: 0,
    });
    expect(values["process_cpu_seconds_total"]).toBeGreaterThan(0);
    expect(values["process_resident_memory_bytes"]).toBeGreaterThan(1e6);
  });

  test("shows the readings of the fleet's monitors where the host enables it", async () => {
    await using box = await createTestSignalbox();
    await box.minute(box.local, { load: [1.5, 1, 1] });
    const textOf = async (options: Parameters<typeof createRouter>[1]) =>
      (await createRouter(box.signalbox, options).request("/metrics", {}, FROM("127.0.0.1"))).text();
    expect(await textOf({ monitorMetrics: true })).toContain(
      'signalbox_monitor{server="local",monitor="load_avg"} 1.5\n',
    );
    expect(await textOf({})).not.toContain("signalbox_monitor");
  });

  test("is refused to other addresses, answered to named ones, and may be left to the host", async () => {
    await using engine = make();
    await engine.start();
    const status = async (options: Parameters<typeof createRouter>[1]) =>
      (await createRouter(engine, options).request("/metrics", {}, FROM("203.0.113.7"))).status;
    expect(await status({})).toBe(403);
    expect(await status({ statusFrom: ["203.0.113.0/24"] })).toBe(200);
    expect(await status({ metricsPath: false })).toBe(404);
  });
});

test("/ready says whether the node accepts calls, and why not", async () => {
  const engine = make();
  const app = createRouter(engine);
  const ready = async () => {
    const answer = await app.request("/ready");
    return [answer.status, await answer.json()];
  };
  const node = expect.any(String);
  expect(await ready()).toEqual([503, { ready: false, node, state: "starting", reason: "not started" }]);
  await engine.start();
  expect(await ready()).toEqual([200, { ready: true, node, state: "serving" }]);
  engine.events.emit("signalbox.draining", {});
  expect(await ready()).toEqual([503, { ready: false, node, state: "draining", reason: "draining" }]);
  await engine.stop();
  expect(await ready()).toEqual([503, { ready: false, node, state: "draining", reason: "stopping" }]);
});

test.each(["grafana.json", "alerts.yml"])("%s of the guide names existing metrics", async (name) => {
  await using engine = make();
  await engine.start();
  const text = await (await createRouter(engine).request("/metrics", {}, FROM("127.0.0.1"))).text();
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, figure]) => figure));
  const file = readFileSync(new URL(`../../../docs/observing/${name}`, import.meta.url), "utf8");
  const named = [...file.matchAll(/\b(?:signalbox|process)_\w+/g)].map(([figure]) => figure);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((figure) => !known.has(figure))).toEqual([]);
});

test.each([
  ["/health", ""],
  ["/ready", ""],
  ["/ops/health", "/ops"],
])("%s needs no `Request`, because balancers ask all the time", async (path, basePath) => {
  const engine = make();
  const call = callForm(createHandler(engine, { basePath }));
  const ask = (asked: string) => call?.({ ...CALL, url: `http://127.0.0.1${asked}` }, {});
  expect(await ask(path)).toMatchObject({ status: 503 });
  await engine.start();
  const answer = await ask(path);
  await engine.stop();
  expect(answer).toBeInstanceOf(PlainAnswer);
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(engine.leadership().node) });
  expect(ask(`${path}/more`)).toBeUndefined();
  if (basePath) expect(ask("/health")).toBeUndefined();
});
