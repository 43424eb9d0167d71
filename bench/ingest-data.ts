import { readFileSync } from "node:fs";

/** Signs the tokens of both the engines and the satellites. */
export const SECRET = "a key for benchmarks only";
/** Satellites that report each minute, in rounds. */
export const SATELLITES = 1000;
/** Length of a report as sent, in bytes. */
const REPORT_BYTES = 19_000;
const CORES = 16;

/** Sources of additional monitors, beside a fresh engine's 15 monitors and 5 alerts. */
const SOURCES = [
  "100 - memory.available / memory.total * 100",
  "(stats.network.rx_sec + stats.network.tx_sec) / 1024",
  "stats.io.tIO_sec",
  "float(process.cpu)",
  "count(conns[.state == 'ESTABLISHED'])",
  "processes.list[.command == 'xyOps Satellite'].memRss",
  "cpu.totals.user + cpu.totals.system",
  "stats && stats.network ? stats.network.rx_sec : 0",
  "memory.swaptotal - memory.swapfree",
  "mounts.root.available / 1073741824",
  "load[1]",
  "load[2]",
  "uptime_sec / 86400",
  "processes.all - count(processes.list)",
  "stats.io.rWaitPercent + stats.io.wWaitPercent",
];
const CONDITIONS = [
  "cpu.currentLoad > 99.9",
  "deltas.os_bytes_out_sec >= 33554432000",
  "mounts.root.use >= 90 || mounts.root.available < 1073741824",
  "platform == 'linux' && memory.swaptotal > 0 && memory.swapfree / memory.swaptotal < 0.1",
  "platform in ['linux', 'darwin'] && uptime_sec < 300",
  "count(processes.list[.cpu > 80 && .memRss > 1000000000]) > 0",
  "count(processes.list[.state == 'Zombie']) >= 100",
  "monitors.open_files > 1000000",
  "monitors.net_conns >= 5000",
  "cpu.totals.iowait > 50",
  "load[0] > 64",
  "processes.all > 5000",
  "stats.network.rx_errors > 1000000",
  "memory.available < 104857600",
  "deltas.disk_iops_sec > 100000",
];

export const MONITORS = SOURCES.map((source, index) => {
  return { id: `bench_${index}`, title: `Benchmark ${index}`, source, data_type: "float" };
});
export const ALERTS = CONDITIONS.map((expression, index) => {
  return { id: `bench_${index}`, title: `Benchmark ${index}`, expression, message: "{{float(monitors.load_avg)}}" };
});

interface Row {
  readonly pid: number;
}
interface Minute {
  readonly version: string;
  readonly server: string;
  readonly hostname: string;
  readonly data: {
    readonly cpu: object;
    readonly conns: readonly Row[];
    readonly processes: { readonly list: readonly Row[] };
  };
}

/** A captured minute, as from a server with many processes; as in most minutes, no alert's condition holds. */
export function reportText(date: number): string {
  const minute = JSON.parse(readFileSync(new URL("data/minute.json", import.meta.url), "utf8")) as Minute;
  const { cpu, conns, processes } = minute.data;
  const textWith = (count: number): string => {
    const list = repeat(processes.list, count);
    const data = {
      ...minute.data,
      cpu: { ...cpu, cores: CORES },
      conns: repeat(conns, 20),
      processes: { ...processes, list, all: count },
    };
    return JSON.stringify({ cmd: "monitor", data: { ...minute, date, data } });
  };
  let count = processes.list.length;
  while (textWith(count).length < REPORT_BYTES) count++;
  return textWith(count);
}

const repeat = (rows: readonly Row[], total: number): Row[] =>
  Array.from({ length: total }, (_unused, index) => ({ ...(rows[index % rows.length] as Row), pid: 1000 + index }));
