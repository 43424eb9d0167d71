/** One of the two nodes: an engine whose minutes take seconds. Reports over IPC when it listens, and when it leads. */
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createAdaptorServer } from "@hono/node-server";
import { wsAgents } from "@signalbox/adapters/agents";
import { localAgent } from "@signalbox/adapters/local-agent";
import { jsonLogger } from "@signalbox/adapters/log";
import { createSignalbox } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { createRouter } from "@signalbox/http-hono";
import { pgStorage } from "@signalbox/storage-pg";
import { fastClock } from "../fast-clock.ts";
import { stopOnSigterm } from "../stop-on-sigterm.ts";
import type { Report } from "./protocol.ts";
import { functionEvents } from "./schedules.ts";

const { STORAGE = "", RUNS = "", PACE = "", BASE = "", ADMIN_KEY = "", SECRET_KEY = "" } = process.env;
const report = (message: Report): void => void process.send?.(message);
const clock = fastClock(Number(PACE), Number(BASE));
const log = jsonLogger({ level: "error" });
const storage = pgStorage({ connectionString: STORAGE, clock, log });

/** Reports when this node leads: the leader launches due jobs. */
function tellOffice(of: Storage): Storage {
  const { coordination } = of;
  const lead: typeof coordination.lead = (office, hold, formerly) =>
    coordination.lead(
      office,
      (term) => {
        report({ kind: "leads" });
        return hold(term);
      },
      formerly,
    );
  return { ...of, coordination: { ...coordination, lead } };
}

const satellites = wsAgents({});
const signalbox = createSignalbox({
  storage: tellOffice(storage),
  clock,
  log,
  secretKey: SECRET_KEY,
  administratorKey: ADMIN_KEY,
  agents: [localAgent({ minuteEverySec: 86_400, quickEverySec: 0 }), satellites],
  config: { max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] } },
  events: functionEvents((id) => appendFileSync(RUNS, `${id}\n`)),
});
await signalbox.start();
const server = createAdaptorServer({ fetch: createRouter(signalbox).fetch });
satellites.attach(server);
stopOnSigterm({ signalbox, server, log, drain: true });
// A killed process writes no compile cache: this saves the next start from compiling everything again.
flushCompileCache();
server.listen({ port: 0, host: "127.0.0.1" }, () =>
  report({ kind: "listens", port: (server.address() as { port: number }).port }),
);
