/** The program that is killed: the stand-alone server with its own functions, whose clock can run faster. */
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createAdaptorServer } from "@hono/node-server";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import { localAgent, nodeProcesses } from "@signalbox/adapters/local-agent";
import { jsonLogger } from "@signalbox/adapters/log";
import { smtpMailer } from "@signalbox/adapters/mail";
import { fetchWebHookClient } from "@signalbox/adapters/web-hook";
import { createSignalbox } from "@signalbox/core";
import { systemClock } from "@signalbox/core/adapter";
import type { Config } from "@signalbox/core/plugin";
import { createRouter } from "@signalbox/http-hono";
import { httpAccess, openStorage, readEnvironment } from "../../lib/environment.ts";
import { fastClock } from "../fast-clock.ts";
import { stopOnSigterm } from "../stop-on-sigterm.ts";
import { functionEvents } from "./kinds.ts";

const { CRASH_NODE = "0", CRASH_RUNS = "", CRASH_SPEED = "1" } = process.env;
const { port, host, dataDir, storage: address, smtp, secretKeys, ...given } = await readEnvironment(process.env);
const { administratorKey, config } = given;
const log = jsonLogger({ level: "warn" });
const clock = fastClock(Number(CRASH_SPEED), systemClock.now());
const processes = nodeProcesses();
const blobs = fsBlobStore(`${dataDir}/blobs`);
const storage = await openStorage(address, log);
const signalbox = createSignalbox({
  storage,
  clock,
  blobs,
  processes,
  secretKeys,
  administratorKey,
  config,
  log,
  agents: localAgent({
    processes,
    blobs,
    tempDir: `${dataDir}/tmp`,
    killTimeoutSec: 2,
    jobEnv: { CRASH_NODE },
    ...httpAccess((): Config => signalbox.config),
  }),
  webHooks: fetchWebHookClient({ allow: ["loopback"] }),
  ...(smtp ? { mailer: smtpMailer({ server: smtp, log }) } : {}),
  events: functionEvents({ ran: (id) => appendFileSync(CRASH_RUNS, `${id}\n`) }),
});
await signalbox.start();
const { fetch } = createRouter(signalbox);
const server = createAdaptorServer({
  // Counts of unfinished queued work, which no operation returns.
  fetch: async (request: Request) =>
    new URL(request.url).pathname === "/open-work" ? Response.json(await storage.work.stats()) : fetch(request),
});
stopOnSigterm({ signalbox, server, log });
// A killed process writes no compile cache: this saves the next start from compiling everything again.
flushCompileCache();
server.listen({ port, host }, () => {
  const listening = server.address();
  console.log(JSON.stringify({ msg: "Signalbox is listening", port: (listening as { port: number }).port }));
});
