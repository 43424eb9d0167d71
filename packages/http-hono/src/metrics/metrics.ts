import { residentBytes } from "@signalbox/core/adapter";
import { systemActor } from "@signalbox/core/plugin";
import type { Settings } from "../settings.ts";
import { fleetFigures, type Measured } from "./metrics-fleet.ts";
import { type Figure, metricsText } from "./metrics-text.ts";

/** Counts since the router was created; callers cannot add others. */
interface Counts {
  started: number;
  succeeded: number;
  failed: number;
  fired: number;
  cleared: number;
}

/** The answer of a list. */
interface Listed {
  readonly list: { readonly length: number };
  readonly rows: readonly unknown[];
}

/** The figures of this node, for `/metrics`. */
export function createMetrics(settings: Settings): () => Promise<string> {
  const { engine, options } = settings;
  const counts: Counts = { started: 0, succeeded: 0, failed: 0, fired: 0, cleared: 0 };
  const count = (what: keyof Counts): void => {
    counts[what] += 1;
  };
  engine.events.on("job.started", () => count("started"));
  engine.events.on("job.completed", ({ code }) => count(code === 0 ? "succeeded" : "failed"));
  engine.events.on("alert.fired", () => count("fired"));
  engine.events.on("alert.cleared", () => count("cleared"));
  const read = async (operation: string) =>
    (await engine.dispatch({ operation, input: { limit: 1 }, actor: systemActor })) as Listed;
  return async () => {
    const [jobs, servers] = [await read("get_active_jobs"), await read("get_active_servers")];
    const now = { jobs: jobs.list.length, servers: servers.list.length };
    const fleet = options.monitorMetrics
      ? fleetFigures(servers.rows as readonly Measured[], engine.leadership().node)
      : [];
    return metricsText([...trafficOf(settings), ...workOf(counts, now), ...processOf(), ...fleet]);
  };
}

const one = (type: Figure["type"], name: string, help: string, value: number): Figure => ({
  name,
  type,
  help,
  samples: [{ value }],
});

function trafficOf({ traffic, openStreams, engine }: Settings): Figure[] {
  return [
    one("gauge", "signalbox_up", "1 while the stores of this node work.", engine.fault() ? 0 : 1),
    one("counter", "signalbox_http_requests_total", "Requests to this node.", traffic.requests),
    one("counter", "signalbox_http_received_bytes_total", "Bytes of bodies that came.", traffic.bytesIn),
    one("counter", "signalbox_http_sent_bytes_total", "Bytes of bodies that went.", traffic.bytesOut),
    one("gauge", "signalbox_http_streams", "Answers that stay open: live updates and followed logs.", openStreams.size),
  ];
}

function workOf(counts: Counts, now: { readonly jobs: number; readonly servers: number }): Figure[] {
  return [
    one("gauge", "signalbox_jobs_active", "Jobs that run or wait, of all nodes.", now.jobs),
    one("gauge", "signalbox_servers_connected", "Servers that are connected, to any node.", now.servers),
    one("counter", "signalbox_jobs_started_total", "Jobs that this node started.", counts.started),
    {
      name: "signalbox_jobs_completed_total",
      type: "counter",
      help: "Jobs that ended on this node.",
      samples: [
        { labels: { result: "success" }, value: counts.succeeded },
        { labels: { result: "error" }, value: counts.failed },
      ],
    },
    one("counter", "signalbox_alerts_fired_total", "Alerts that fired on this node.", counts.fired),
    one("counter", "signalbox_alerts_cleared_total", "Alerts that cleared on this node.", counts.cleared),
  ];
}

/** Figures of the process, under the names that other Node programs use, so that dashboards show both. */
function processOf(): Figure[] {
  const { user, system } = process.cpuUsage();
  return [
    one("counter", "process_cpu_seconds_total", "Processor time of this process.", (user + system) / 1e6),
    one("gauge", "process_resident_memory_bytes", "Memory of this process.", residentBytes()),
  ];
}
