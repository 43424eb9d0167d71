/** The server of standalone.ts: it starts as soon as this module is loaded. */
import { mkdir } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import type { Server } from "node:net";
import { wsAgents } from "@signalbox/adapters/agents";
import { manual } from "@signalbox/adapters/documents";
import { keyFile } from "@signalbox/adapters/keys";
import { localAgent, nodeProcesses } from "@signalbox/adapters/local-agent";
import { fileLogger, jsonLogger } from "@signalbox/adapters/log";
import { logMailer, smtpMailer } from "@signalbox/adapters/mail";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox } from "@signalbox/core";
import { type Config, StorageError } from "@signalbox/core/plugin";
import { createDashboard } from "@signalbox/dashboard";
import { behindProxies, limitPipelining } from "@signalbox/http-hono";
import { nodeListener } from "@signalbox/http-hono/node";
import { openBlobs } from "./blobs.ts";
import { httpAccess, openStorage, readEnvironment } from "./environment.ts";
import { OWN_FLAGS, setFlags } from "./own-process.ts";
import { recoverAdmin, resetAdmin } from "./reset-admin.ts";
import { taken } from "./taken-environment.ts";

const log = jsonLogger();
/** Ends the process because of a wrong variable, with one sentence and no stack. */
const refuse = (error: Error): never => {
  log.error({}, error.message);
  process.exit(2);
};
const environment = await readEnvironment(taken.variables).catch(refuse);
const { port, host, serverId, dataDir, storage, smtp, secretKeys, keyStore, config } = environment;
const { administratorKey, administratorPassword } = environment;
await mkdir(dataDir, { recursive: true }).catch((error: Error) =>
  refuse(new Error(`SIGNALBOX_DATA_DIR cannot be used: ${error.message}`)),
);

if (taken.warning) log.warn(taken.warning.fields, taken.warning.text);
if (environment.unread.length > 0)
  log.warn({ variables: environment.unread }, "Nothing reads these variables: look for a misspelling");
if (environment.isNameless)
  log.warn(
    { base_app_url: config.base_app_url },
    "Links in mails and web hooks work on this machine alone: set base_app_url of the configuration to the address that people open",
  );
if (process.argv.includes("--reset-admin")) process.exit(await resetAdmin(environment, log));
if (!(await recoverAdmin(environment, log))) process.exit(1);

const logFiles = environment.logDir
  ? fileLogger({ folder: environment.logDir, also: log, ...(config.tz ? { timeZone: config.tz } : {}) })
  : undefined;
const processes = nodeProcesses();
const blobs = openBlobs(environment.blobs);
let caller = behindProxies();
const satellites = wsAgents({
  clientAddress: (request) => caller.clientAddress(request),
  isSecure: (request) => caller.isSecure(request),
});
const signalbox = createSignalbox({
  storage: await openStorage(storage, log),
  blobs,
  agents: [
    localAgent({
      ...(serverId ? { id: serverId } : {}),
      processes,
      blobs,
      ...httpAccess((): Config => signalbox.config),
      ...(config.base_app_url ? { baseUrl: config.base_app_url } : {}),
    }),
    satellites,
  ],
  webHooks: fetchWebHookClient(),
  mailer: smtp ? smtpMailer({ server: smtp, log }) : logMailer(log),
  processes,
  // With a key store, the keys of the environment only fill a store that does not exist yet.
  ...(keyStore === undefined
    ? { secretKeys }
    : { keyProvider: keyFile({ filename: keyStore, ...(secretKeys.length > 0 ? { initial: secretKeys } : {}) }) }),
  administratorKey,
  administratorPassword,
  config,
  log: logFiles ?? log,
  ...(logFiles ? { logFiles } : {}),
  documents: manual(),
});

// The router's trusted proxies, including changes at run time, determine the addresses of satellites as well.
const nameProxies = (): void => {
  const { trusted_proxies: proxies, address_headers: believed } = signalbox.config.api;
  caller = behindProxies(proxies, believed);
};
nameProxies();
signalbox.events.on("config.changed", nameProxies);

/** Ends running work, then the process. Callers are served until other nodes have taken over its work. */
const closeAll = (code: number): void => {
  signalbox.events.on("signalbox.stopping", () => void entrance?.close());
  signalbox.stop({ drain: code === 0 }).then(
    () => {
      log.info({}, "Signalbox has stopped");
      process.exit(code);
    },
    (error: Error) => {
      log.error({ error }, "Signalbox did not stop cleanly");
      process.exit(1);
    },
  );
};
let entrance: Server | undefined;
let isEnding = false;
const end = (why: { readonly signal?: string }): void => {
  log.info(why, "Signalbox is stopping");
  // A second signal ends the process at once.
  if (isEnding) process.exit(1);
  isEnding = true;
  closeAll(0);
};
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => end({ signal }));
signalbox.events.on("signalbox.asked_to_drain", () => end({}));

const started = await signalbox.start().catch((error: Error) => {
  // The start fails because of the signal: `closeAll` frees the storage, and ends the process.
  if (isEnding) return new Promise<never>(() => undefined);
  // A storage fault has its own sentence; any other error is logged with its stack.
  if (error instanceof StorageError) log.error({}, error.description);
  else log.error({ error }, "Signalbox could not start");
  process.exit(1);
});
// On standard error instead of the log: logs are shipped and kept, and these are only for the person at the terminal.
const show = (what: string, made: string | undefined): void => {
  if (made) process.stderr.write(`Fresh installation. ${what}, shown this once: ${made}\n`);
};
if (!administratorKey) show("Administrator key", started.administratorKey);
if (!administratorPassword) show("Password of the user admin", started.administratorPassword);

// An `import` of this module would load all of Node's `fetch`, 13 MB that nothing needs until somebody opens a page.
const { createServer } = process.getBuiltinModule("node:http");
// Serves the pages at the root, and the API below them.
const dashboard = createDashboard(signalbox);
const server = createServer(
  // Cuts off request headers that arrive byte by byte, within the time that a satellite has to join. A body may be a file of a
  // gigabyte, which takes longer than Node's default of five minutes.
  { headersTimeout: 20_000, requestTimeout: 3_600_000, connectionsCheckingInterval: 5000 },
  limitPipelining(nodeListener(dashboard)),
);
// Pages may open their channel under any path.
satellites.attach(server, { path: "*" });
entrance = satellites.entrance(server);
entrance.once("error", (error: Error) => {
  log.error({ error, host, port }, "Signalbox could not listen");
  closeAll(1);
});
// The system's queue must hold a whole fleet that reconnects at once: a connection beyond it waits a second or more.
entrance.listen({ port, host, backlog: 4096 }, () => {
  const address = entrance?.address();
  const listening = typeof address === "object" ? address?.port : port;
  log.info({ host, port: listening, storage: storage.kind }, "Signalbox is listening");
  // By default the cache is written when the process ends: never if it is killed, and for the flags set by then.
  flushCompileCache?.();
  setFlags(OWN_FLAGS);
});
