/** The engine, its pages and its API on one port; `npm start` runs it with what `.env` says. */
import { serve } from "@hono/node-server";
import { manual } from "@signalbox/adapters/documents";
import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox } from "@signalbox/core";
import { createDashboard } from "@signalbox/dashboard";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { events } from "./events.ts";

const { SIGNALBOX_SECRET_KEY: secretKey = "", HOST: hostname = "localhost", PORT = "5522" } = process.env;
// No browser can open the address of all interfaces (0.0.0.0 or ::); other IPv6 addresses need brackets.
const name = /^(?:0\.0\.0\.0|::)$/.test(hostname) ? "localhost" : hostname.replace(/.*:.*/, "[$&]");
const { APP_URL = `http://${name}:${PORT}` } = process.env;
const signalbox = createSignalbox({
  storage: sqliteStorage({ filename: "ops.sqlite" }),
  agents: localAgent(),
  secretKey,
  events,
  // The guides, for the page "Guides".
  documents: manual(),
  // Base address of links in mails.
  config: { base_app_url: APP_URL },
});
let server: ReturnType<typeof serve> | undefined;
// Before the start: a program that is stopped in the middle of it gives the database free as well.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    server?.close();
    await signalbox.stop();
    process.exit();
  });
const made = await signalbox.start();
if (made.administratorPassword) console.log("Sign in as admin; this is told once:", made);

const fetch = createDashboard(signalbox);
server = serve({ fetch, hostname, port: Number(PORT) }, ({ port }) => {
  console.log(`Signalbox is at http://${name}:${port}`);
});
