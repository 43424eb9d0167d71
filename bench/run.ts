/** Runs all benchmarks, or those named on the command line, and prints one table. */
import { runAgreement } from "./agreement.ts";
import { runApi } from "./api.ts";
import { runDashboard } from "./dashboard.ts";
import { runExpressions } from "./expressions.ts";
import { runMinutes } from "./fleet-minutes.ts";
import { runStorms } from "./fleet-storm.ts";
import { runHost } from "./host-loop.ts";
import { runIngest } from "./ingest.ts";
import { runJobs } from "./jobs.ts";
import { runMount } from "./mount.ts";
import { runNodes } from "./nodes.ts";
import { printReport, type Row } from "./report.ts";
import { runSearch } from "./search.ts";
import { runTimeline } from "./timeline.ts";
import { runWire } from "./wire.ts";
import { runWorkflows } from "./workflows.ts";

const benchmarks: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  expressions: async () => [...(await runExpressions()), ...runAgreement()],
  mount: runMount,
  dashboard: () => runDashboard({ only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? "") }),
  ingest: () => runIngest({ only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? "") }),
  api: () => runApi({ only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? "") }),
  timeline: () => runTimeline({ servers: Number(process.env["SIGNALBOX_BENCH_SERVERS"] ?? 1000), hours: 26 }),
  minutes: () =>
    runMinutes({
      satellites: Number(process.env["SIGNALBOX_BENCH_SATELLITES"] ?? 5000),
      minutes: Number(process.env["SIGNALBOX_BENCH_MINUTES"] ?? 5),
    }),
  jobs: () =>
    runJobs({
      only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? ""),
      runs: Number(process.env["SIGNALBOX_BENCH_RUNS"] ?? 5),
    }),
  host: () => runHost({ seconds: Number(process.env["SIGNALBOX_BENCH_SECONDS"] ?? 60) }),
  search: () => runSearch({ tickets: Number(process.env["SIGNALBOX_BENCH_TICKETS"] ?? 100_000) }),
  workflows: () => runWorkflows({ only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? "") }),
  wire: () =>
    runWire({
      tickets: Number(process.env["SIGNALBOX_BENCH_TICKETS"] ?? 10_000),
      satellites: Number(process.env["SIGNALBOX_BENCH_SATELLITES"] ?? 1000),
      idleSeconds: Number(process.env["SIGNALBOX_BENCH_SECONDS"] ?? 300),
      only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? ""),
      onPostgres: process.env["SIGNALBOX_BENCH_STORAGE"] === "postgres",
    }),
  nodes: () =>
    runNodes({
      satellites: Number(process.env["SIGNALBOX_BENCH_SERVERS"] ?? 300),
      mass: {
        satellites: Number(process.env["SIGNALBOX_BENCH_SATELLITES"] ?? 20_000),
        minutes: Number(process.env["SIGNALBOX_BENCH_MINUTES"] ?? 10),
      },
      only: new RegExp(process.env["SIGNALBOX_BENCH_ONLY"] ?? ""),
    }),
  storm: () => runStorms({ satellites: Number(process.env["SIGNALBOX_BENCH_SATELLITES"] ?? 5000) }),
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !benchmarks[name]);
if (unknown) throw new Error(`There is no benchmark "${unknown}": ${Object.keys(benchmarks).join(", ")}`);
const rows: Row[] = [];
for (const [name, run] of Object.entries(benchmarks))
  if (asked.length === 0 || asked.includes(name)) rows.push(...(await run()));
if (rows.length > 0) printReport(rows);
