/** The program of a container or of a systemd unit: its settings come only from its environment and from files. */
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { wsAgents } from "@signalbox/adapters/agents";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import { createSignalbox } from "@signalbox/core";
import { createDashboard } from "@signalbox/dashboard";
import { pgStorage } from "@signalbox/storage-pg";

const { DATABASE_URL: connectionString = "", SECRET_KEY_FILE = "/run/secrets/secret_key" } = process.env;
const { FILES = "/var/lib/ops", PORT = "5522" } = process.env;

const satellites = wsAgents();
const signalbox = createSignalbox({
  storage: pgStorage({ connectionString }),
  blobs: fsBlobStore(FILES),
  agents: satellites,
  secretKey: readFileSync(SECRET_KEY_FILE, "utf8").trim(),
});
console.log(await signalbox.start()); // the first start prints { administratorKey, administratorPassword }

const server = serve({ fetch: createDashboard(signalbox), port: Number(PORT) }, (address) =>
  console.log("Listening", address),
);
satellites.attach(server);

process.once("SIGTERM", async () => {
  server.close();
  await signalbox.stop();
  process.exit(0);
});
