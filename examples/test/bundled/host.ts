/** A host that bundlers join into one file: pages, an upload, and a function in its own thread. Prints the results and ends. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { wsAgents } from "@signalbox/adapters/agents";
import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox, defineEvent } from "@signalbox/core";
import { createDashboard } from "@signalbox/dashboard";
import { nodeListener } from "@signalbox/http-hono/node";
import { sqliteStorage } from "@signalbox/storage-sqlite";

const administratorKey = "bundledTestAdministratorKey";
const module = "data:text/javascript,export const run = () => ({ thread: true })";
const signalbox = createSignalbox({
  storage: sqliteStorage({ filename: ":memory:" }),
  agents: [localAgent({ quickEverySec: 0 }), wsAgents()],
  events: [defineEvent({ id: "work", title: "Work", worker: { module } })],
  secretKey: "only for this test, long enough",
  administratorKey,
});

/** The program as a function, since CommonJS has no top-level `await`. */
async function main(): Promise<void> {
  await signalbox.start();
  const server = createServer(nodeListener(createDashboard(signalbox))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const ops = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`;
  const page = await fetch(`${ops}/`);
  const body = new FormData();
  body.append("file1", new File(["x"], "a.txt"));
  const headers = { "x-api-key": administratorKey };
  const upload = await fetch(`${ops}/api/app/upload_files/v1`, { method: "POST", headers, body });
  const run = await fetch(`${ops}/api/app/run_event/v1/wait?id=work`, { method: "POST", headers });
  const { job } = (await run.json()) as { job: Record<string, unknown> };
  const seen = { page: page.status, upload: upload.status, code: job["code"], data: job["data"] };
  console.log(JSON.stringify({ ...seen, isPage: (await page.text()).includes('<div id="app">') }));
  server.close();
  await signalbox.stop();
}

void main();
