/**
 * The first five minutes: a small web app of your own with Signalbox mounted at /ops. It measures this machine, lets an alert
 * fire on a real reading, runs the job that the alert asks for, receives the alert's web hook on its own route, reports two
 * alerts in one notice, opens a ticket, and shows jobs and a workflow. `--once` ends after the narration.
 */
import { localAgent } from "@signalbox/adapters/local-agent";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox, defineEvent } from "@signalbox/core";
import type { Mail, Mailer } from "@signalbox/core/adapter";
import { createDashboard } from "@signalbox/dashboard";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { Hono } from "hono";
import * as z from "zod";
import { jobTourEvents } from "./lib/job-tour.ts";
import { listen } from "./lib/listen.ts";
import { livePage, liveState } from "./lib/live-page.ts";
import { watchLoop } from "./lib/loop-watch.ts";
import { narrate } from "./lib/narrator.ts";
import { quickStartSettings } from "./lib/settings.ts";
import { workflowTourEvents } from "./lib/workflow-tour.ts";

const once = process.argv.includes("--once");
const settings = await quickStartSettings();
const { dataDir, secretKey, administratorKey, administratorPassword } = settings;
const { url, server, answer } = await listen(Number(process.env["PORT"] || (once ? 0 : 5522)));

// Counts everything that Signalbox does in this process, including its creation.
const loop = await watchLoop();

// A function of your own program, started every minute by the scheduler, or by callers with permission.
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

// A real host gives its SMTP server: `smtpMailer` of @signalbox/adapters/mail.
const mails: Mail[] = [];
const mailer: Mailer = { send: async (mail) => void mails.push(mail) };

const signalbox = createSignalbox({
  storage: sqliteStorage({ filename: `${dataDir}/quick-start.sqlite` }),
  agents: localAgent({ baseUrl: url }),
  // The alert's web hook calls this very program; addresses that are not public are closed unless they are allowed.
  webHooks: fetchWebHookClient({ allow: ["loopback"] }),
  events: [greet, ...jobTourEvents(), ...workflowTourEvents()],
  secretKey,
  administratorKey,
  administratorPassword,
  mailer,
  config: {
    // Address of the dashboard: links in mails and notices lead there.
    base_app_url: `${url}/ops`,
    email_from: "signalbox@example.com",
    tickets: { email_debounce_sec: 1 },
    client: { new_ticket_template: { notify: ["ops@example.com"] } },
  },
});

const hooks: unknown[] = [];
const app = new Hono();
app.get("/", (c) => c.html(livePage));
app.get("/live", async (c) => c.json(await liveState(signalbox)));
app.post("/hooks/alert", async (c) => {
  hooks.splice(0, hooks.length, await c.req.json());
  return c.json({ received: true });
});
const dashboard = createDashboard(signalbox);
app.all("/ops", (c) => dashboard(c.req.raw, c.env));
app.all("/ops/*", (c) => dashboard(c.req.raw, c.env));

let isEnding = false;
async function end(code: number): Promise<never> {
  isEnding = true;
  server.close();
  await signalbox.stop();
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    console.log("\nStopping.");
    void end(0);
  });

const report = await signalbox.start().catch((error: Error) => {
  console.error(`Signalbox could not start on ${dataDir}: ${error.message}`);
  process.exit(1);
});
answer(app.fetch);
const stage = { url, settings, report, hooks, mails, loop, deadlineMs: 70_000 };
const told = await narrate(signalbox, stage).catch((error: Error) => {
  // After Ctrl-C in the middle of the narration: a stopping engine refuses calls.
  if (!isEnding) throw error;
  return false;
});
if (!isEnding) {
  if (once) await end(told ? 0 : 1);
  console.log("\nStaying up; Ctrl-C ends it.");
}
