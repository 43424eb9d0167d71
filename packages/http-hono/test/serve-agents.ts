import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createSignalbox, type SignalboxOptions } from "@signalbox/core";
import { type ScriptedServer, scriptedAgent } from "@signalbox/core/testing";
import { onTestFinished } from "vitest";
import { createHandler } from "../src/index.ts";

/** The captured calls contain tokens made with it. */
export const KEY = "EXAMPLE_CLUSTER_KEY";
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export interface CapturedLine {
  readonly dir: "in" | "out";
  readonly via: "ws" | "http";
  readonly cmd?: string;
  readonly data?: unknown;
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly status?: number;
  readonly body?: unknown;
}

/** The lines of a captured conversation, with the ids and tokens of the current one. */
export function captured(name: string, { job, server }: { job: string; server: string }): CapturedLine[] {
  const text = readFileSync(new URL(`./fixtures/jobs-${name}.ndjson`, import.meta.url), "utf8").trim();
  const [, theirs = ""] = /"cmd":"launch_job".*?"id":"(j\w+)"/.exec(text) ?? [];
  const [, host = ""] = /"server":"(s\w+)"/.exec(text) ?? [];
  return text
    .replaceAll(sha256(theirs + KEY), sha256(job + KEY))
    .replaceAll(theirs, job)
    .replaceAll(host, server)
    .split("\n")
    .map((line) => JSON.parse(line) as CapturedLine);
}

type Options = Partial<SignalboxOptions<[]>> & Pick<SignalboxOptions<[]>, "storage">;

/** An engine on a real port, as agents call it, with a server that the test controls. */
export async function serveAgents(options: Options) {
  const agent = scriptedAgent();
  const engine = createSignalbox({
    ...(options.secretKeys ? {} : { secretKey: KEY }),
    ...options,
    agents: agent,
    config: { debug: true, job_universal_actions: { default: [], workflow: [] }, ...options.config },
  });
  const { administratorKey = "" } = await engine.start();
  const server = createServer(getRequestListener(createHandler(engine), { overrideGlobalObjects: true }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => engine.stop());
  onTestFinished(() => close(server));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const connect = () => agent.connect({ hostname: "web01.example.internal", id: "s1", initial: { groups: ["main"] } });
  return {
    engine,
    administratorKey,
    connect,
    port,
    url,
    /** Runs a job of the shell plugin; resolves when its server has received the launch. */
    async launch(on: ScriptedServer): Promise<string> {
      const { api } = engine;
      const { event } = await api.createEvent({
        ...{ title: "Backup", enabled: true, category: "general", plugin: "shellplug", targets: ["main"] },
        ...{ algo: "random", params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
      });
      const { id } = await api.runEvent({ id: event.id });
      await on.message("launch_job");
      return id;
    },
    /** Makes one captured call. */
    async send({ method = "GET", url: path = "", headers = {}, body }: CapturedLine) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: text }) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    post: async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async upload(
      fields: Record<string, string>,
      { field = "file1", name = "a.csv", text = "a,1\n", version = "" } = {},
    ) {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, value);
      form.append(field, new File([text], name));
      const response = await fetch(`${url}/api/app/upload_job_file${version}`, { method: "POST", body: form });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
