import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { localAgent } from "@signalbox/adapters/local-agent";
import { openTelemetry } from "@signalbox/adapters/tracing";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox } from "@signalbox/core";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createRouter } from "../src/index.ts";
import { openStorage } from "./open-storage.ts";

const exporter = new InMemorySpanExporter();
const ADMINISTRATOR = "an administrator key of a test";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const incoming = { traceparent: `00-${TRACE}-${CALLER}-01` };

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
});
afterAll(() => {
  trace.disable();
  context.disable();
});
beforeEach(() => exporter.reset());

async function start({ traced = true } = {}) {
  const tempDir = await mkdtemp(join(tmpdir(), "signalbox-tracing-"));
  onTestFinished(() => rm(tempDir, { recursive: true, force: true }));
  const engine = createSignalbox({
    storage: await openStorage("sqlite"),
    secretKey: "a secret key for tests",
    administratorKey: ADMINISTRATOR,
    agents: localAgent({ tempDir, quickEverySec: 0, killTimeoutSec: 2 }),
    webHooks: fetchWebHookClient({ allow: ["loopback"] }),
    ...(traced ? { tracer: openTelemetry({ trace, context }) } : {}),
  });
  onTestFinished(() => engine.stop());
  await engine.start();
  const app = createRouter(engine);
  const ended = new Map<string, PromiseWithResolvers<void>>();
  const endOf = (id: string) => {
    const end = ended.get(id) ?? Promise.withResolvers<void>();
    ended.set(id, end);
    return end;
  };
  engine.events.on("job.completed", ({ id }) => endOf(id).resolve());
  return {
    engine,
    async post(operation: string, body: object, headers: Record<string, string> = {}) {
      const sent = { "content-type": "application/json", "x-api-key": ADMINISTRATOR, ...headers };
      const answer = await app.request(`/api/app/${operation}/v1`, {
        ...{ method: "POST", headers: sent, body: JSON.stringify(body) },
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    async jobOf(id: unknown) {
      await endOf(String(id)).promise;
      return (await engine.api.getJob({ id: String(id) })).job as Record<string, unknown>;
    },
  };
}

const script = (text: string, more: object = {}) => ({
  ...{ id: "backup", title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["local"] },
  ...{ algo: "random", params: { script: text }, triggers: [{ type: "manual", enabled: true }], actions: [], ...more },
});

const named = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);
const idOf = (span: Pick<ReadableSpan, "spanContext"> | undefined) => span?.spanContext().spanId;

/** The only span with a name. */
function only(name: string): ReadableSpan {
  const [span, ...others] = named(name);
  expect(others).toEqual([]);
  if (!span) throw new Error(`No span ${name} among ${exporter.getFinishedSpans().map((each) => each.name)}`);
  return span;
}

async function startReceiver() {
  const { promise: told, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    resolve(request.headers["traceparent"]);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test("a call continues the trace of its request, and shows neither parameters nor credentials", async () => {
  const { post } = await start();
  exporter.reset();
  await post("create_tag", { title: "canary-title" }, incoming);
  const call = only("create_tag");
  expect(call.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: CALLER, isRemote: true });
  expect(call.attributes).toEqual({
    ...{ "signalbox.operation": "create_tag", "signalbox.code": 0, "signalbox.caller": "api_key" },
  });
  expect(idOf(call)).toBe(only("storage write").parentSpanContext?.spanId);
  const all = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
  expect(JSON.stringify(all)).not.toMatch(/canary|administrator/);
});

test("a refusal has its code and is no failure; made-up operations have no span", async () => {
  const { post } = await start();
  exporter.reset();
  await post("get_tag", { id: "missing" }, { traceparent: "00-malformed" });
  await post("no_such_operation", {});
  const calls = exporter.getFinishedSpans().filter(({ attributes }) => "signalbox.operation" in attributes);
  expect(
    calls.map(({ name, attributes, status, parentSpanContext }) => [
      ...[name, attributes["signalbox.code"], status.code, parentSpanContext],
    ]),
  ).toEqual([["get_tag", "notfound", 0, undefined]]);
});

test("the active span of the host takes precedence over the header", async () => {
  const { post } = await start();
  exporter.reset();
  const host = trace.getTracer("host").startSpan("request");
  await context.with(trace.setSpan(context.active(), host), () => post("get_tags", {}, incoming));
  host.end();
  expect(only("get_tags").parentSpanContext?.spanId).toBe(idOf(host));
});

test("a job continues its call from launch to end, and its process and web hooks continue the job", async () => {
  const { engine, post, jobOf } = await start();
  const { told, url } = await startReceiver();
  await engine.api.createWebHook({ id: "ops", title: "Ops", url, method: "POST", enabled: true });
  const actions = [{ enabled: true, type: "web_hook", condition: "complete", web_hook: "ops" }];
  await engine.api.createEvent(script("echo $TRACEPARENT; exit 3", { actions }) as never);
  exporter.reset();
  const { id } = await post("run_event", { id: "backup" }, incoming);
  const job = await jobOf(id);
  const launch = only("launch backup");
  const span = only("job backup");
  const launched = `00-${TRACE}-${idOf(launch)}-01`;
  expect(String(job["output"])).toContain(launched);
  expect(span.spanContext().traceId).toBe(TRACE);
  expect(span.parentSpanContext?.spanId).toBe(idOf(launch));
  expect(span.attributes).toMatchObject({
    ...{ "signalbox.job": id, "signalbox.code": 3, "signalbox.source": "key", "signalbox.cause.kind": "api_key" },
  });
  expect(span.status.code).toBe(2);
  expect(span.endTime[0]).toBe(Math.floor(Number(job["completed"])));
  const hook = only("web hook POST");
  expect(hook.parentSpanContext?.spanId).toBe(idOf(launch));
  expect(await told).toBe(`00-${TRACE}-${idOf(hook)}-01`);
  const transaction = exporter.getFinishedSpans().find((each) => idOf(each) === launch.parentSpanContext?.spanId);
  expect(transaction).toMatchObject({ name: "storage write", parentSpanContext: { spanId: idOf(only("run_event")) } });
});

test("a retry stays in the trace of the first attempt", async () => {
  const { engine, post, jobOf } = await start();
  const limits = [{ type: "retry", enabled: true, amount: 1, duration: 0 }];
  await engine.api.createEvent(script("exit 1", { limits }) as never);
  const { id } = await post("run_event", { id: "backup" }, incoming);
  const [again] = (await jobOf(id))["jobs"] as { id: string }[];
  await jobOf(again?.id);
  const [first, second] = named("launch backup");
  expect(second?.parentSpanContext?.spanId).toBe(idOf(first));
  expect(named("job backup").map((each) => each.spanContext().traceId)).toEqual([TRACE, TRACE]);
});

test("a sub-job continues its workflow", async () => {
  const { engine, post, jobOf } = await start();
  await engine.api.createEvent(script("true") as never);
  const part = { id: "n2", type: "event", x: 9, y: 9, data: { event: "backup" } };
  await engine.api.createEvent({
    ...{ id: "flow", title: "Flow", enabled: true, category: "general", type: "workflow" },
    triggers: [{ id: "n1", type: "manual", enabled: true }],
    workflow: {
      nodes: [{ id: "n1", type: "trigger", x: 1, y: 1, data: {} }, part],
      connections: [{ id: "c1", source: "n1", dest: "n2" }],
    },
  } as never);
  const { id } = await post("run_event", { id: "flow" }, incoming);
  expect(await jobOf(id)).toMatchObject({ code: 0 });
  expect(only("launch backup").parentSpanContext?.spanId).toBe(idOf(only("launch flow")));
  expect(only("job backup").spanContext().traceId).toBe(TRACE);
});

test("launches that share a transaction keep their own traces", async () => {
  const { engine, post } = await start();
  await engine.api.createEvent(script("true") as never);
  const traces = ["1", "2", "3", "4"].map((digit) => digit.repeat(32));
  await Promise.all(traces.map((id) => post("run_event", { id: "backup" }, { traceparent: `00-${id}-${CALLER}-01` })));
  expect(
    named("launch backup")
      .map((each) => each.spanContext().traceId)
      .sort(),
  ).toEqual(traces);
});

test("without a tracer there are no spans, no variable and no header", async () => {
  const { engine, post, jobOf } = await start({ traced: false });
  const { told, url } = await startReceiver();
  await engine.api.createWebHook({ id: "ops", title: "Ops", url, method: "POST", enabled: true });
  const actions = [{ enabled: true, type: "web_hook", condition: "complete", web_hook: "ops" }];
  await engine.api.createEvent(script("echo [$TRACEPARENT]", { actions }) as never);
  const { id } = await post("run_event", { id: "backup" }, incoming);
  expect(String((await jobOf(id))["output"])).toContain("[]");
  expect(await told).toBeUndefined();
  expect(exporter.getFinishedSpans()).toEqual([]);
});
