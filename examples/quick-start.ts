/**
 * The first five minutes: a small web app of your own with Signalbox mounted at /ops.
 * It measures this machine, lets an alert fire on a real reading, runs the job that the alert asks for, and receives
 * the alert's web hook on its own route. `--once` ends after the narration.
 */
import { serve } from "@hono/node-server";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import { localAgent } from "@signalbox/adapters/local-agent";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox, defineEvent } from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { Hono } from "hono";
import * as z from "zod";
import { livePage, liveState } from "./lib/live-page.ts";
import { narrate } from "./lib/narrator.ts";
import { quickStartSettings } from "./lib/settings.ts";

const once = process.argv.includes("--once");
const port = Number(process.env["PORT"] ?? (once ? 0 : 5522));
const { dataDir, secretKey, administratorKey } = await quickStartSettings();

// A function of your own program, started every minute by the scheduler or by whoever has the right to.
const greet = defineEvent({
  id: "greet",
  title: "Greet from inside the process",
  params: z.object({ name: z.string().default("world") }),
  schedule: "* * * * *",
  run: async ({ params, log, progress }) => {
    log(`Hello ${params.name}, this ran inside process ${process.pid}.`);
    progress(1);
    return { greeted: params.name };
  },
});

const signalbox = createSignalbox({
  storage: sqliteStorage({ filename: `${dataDir}/quick-start.sqlite` }),
  blobs: fsBlobStore(`${dataDir}/blobs`),
  agents: localAgent(),
  webHooks: fetchWebHookClient(),
  events: [greet],
  secretKey,
  administratorKey,
});

const hooks: unknown[] = [];
const app = new Hono();
app.get("/", (c) => c.html(livePage));
app.get("/live", async (c) => c.json(await liveState(signalbox)));
app.post("/hooks/alert", async (c) => {
  hooks.push(await c.req.json());
  return c.json({ received: true });
});
app.route("/ops", createRouter(signalbox));

const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" });
await new Promise<void>((resolve) => (server.listening ? resolve() : server.once("listening", resolve)));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`;

const close = async (): Promise<void> => {
  await signalbox.stop();
  server.close();
};
if (!once) for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());

const told = await narrate(signalbox, { url, administratorKey, hooks, deadlineMs: 60_000 });
if (once) {
  await close();
  process.exitCode = told ? 0 : 1;
} else console.log("\nStaying up; Ctrl-C ends it.");
