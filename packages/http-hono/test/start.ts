import { type ConfigInput, createSignalbox, memoryBlobStore, memoryStorage } from "@signalbox/core";
import type { LogFields } from "@signalbox/core/adapter";
import type { Hono } from "hono";
import { onTestFinished } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { createRouter, type RouterOptions } from "../src/index.ts";
import { createWatch, probes } from "./plugin.ts";

export interface Started {
  readonly app: Hono;
  readonly key: string;
  readonly engine: Awaited<ReturnType<typeof startEngine>>["engine"];
  readonly watch: ReturnType<typeof createWatch>;
  readonly logged: readonly (LogFields & { readonly level: string })[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

export async function startEngine(config: ConfigInput = {}) {
  const watch = createWatch();
  const blobs = memoryBlobStore();
  const engine = createSignalbox({
    storage: memoryStorage(),
    secretKey: "a secret key for tests",
    blobs,
    plugins: [quickKeys, probes(watch)],
    config,
  });
  const { administratorKey: key = "" } = await engine.start();
  return { engine, key, watch };
}

/** An engine in memory with the test plugin, behind a router. `get` and `post` send the administrator's key. */
export async function start({ config, ...options }: RouterOptions & { config?: ConfigInput } = {}): Promise<Started> {
  const { engine, key, watch } = await startEngine(config);
  onTestFinished(() => engine.stop());
  const logged: (LogFields & { level: string })[] = [];
  const line = (level: string) => (fields: LogFields, message: string) =>
    void logged.push({ level, message, ...fields });
  const log = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  const app = createRouter(engine, { log, ...options });
  const send = async (path: string, init: RequestInit): Promise<Answer> => read(await app.request(path, init));
  return {
    app,
    key,
    engine,
    watch,
    logged,
    get: (path, headers = { "x-api-key": key }) => send(path, { headers }),
    post: (path, body, headers = { "x-api-key": key }) => send(path, postInit(body, headers)),
  };
}

function postInit(body: unknown, headers: Record<string, string>): RequestInit {
  if (body instanceof FormData || body instanceof URLSearchParams) return { method: "POST", body, headers };
  const typed = { "content-type": "application/json", ...headers };
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  return { method: "POST", body: isRaw ? body : JSON.stringify(body ?? {}), headers: typed };
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status, headers, text, body: isJson && text !== "" ? JSON.parse(text) : undefined };
}
