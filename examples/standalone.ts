/** A complete server configured by its environment: what people put into a container. See docs/guide/standalone.md. */
import { mkdir } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import { localAgent, nodeProcesses } from "@signalbox/adapters/local-agent";
import { jsonLogger } from "@signalbox/adapters/log";
import { logMailer } from "@signalbox/adapters/mail";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox } from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { openStorage, readEnvironment } from "./lib/environment.ts";

const log = jsonLogger();
const environment = await readEnvironment(process.env).catch((error: Error) => {
  log.error({}, error.message);
  process.exit(2);
});
await mkdir(environment.dataDir, { recursive: true });

const processes = nodeProcesses();
const signalbox = createSignalbox({
  storage: openStorage(environment.storage),
  blobs: fsBlobStore(`${environment.dataDir}/blobs`),
  agents: localAgent({ processes }),
  webHooks: fetchWebHookClient(),
  mailer: logMailer(log),
  processes,
  secretKey: environment.secretKey,
  administratorKey: environment.administratorKey,
  config: environment.config,
  log,
});
const { administratorKey } = await signalbox.start().catch((error: Error) => {
  log.error({ error }, "Signalbox could not start");
  process.exit(1);
});
if (administratorKey && !environment.administratorKey)
  // Not through the log: logs are shipped and kept, this is for the eyes of whoever starts the server.
  process.stderr.write(`Fresh installation. Administrator key, shown this once: ${administratorKey}\n`);

const { port, host } = environment;
const server = serve({ fetch: createRouter(signalbox).fetch, port, hostname: host }, (address) =>
  log.info({ host, port: address.port, storage: environment.storage.split(":")[0] }, "Signalbox is listening"),
);

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, "Signalbox is stopping");
  server.close();
  if ("closeIdleConnections" in server) server.closeIdleConnections();
  await signalbox.stop();
  log.info({}, "Signalbox has stopped");
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => {
    stop(signal).catch((error: Error) => {
      log.error({ error }, "Signalbox did not stop cleanly");
      process.exit(1);
    });
  });
