import type { CreateMonitor, Monitor } from "../model.ts";
import { newMonitor } from "./definition.ts";

const percent = { suffix: "%", min_vert_scale: 100 };
const rate = (scale: number) => ({
  suffix: "/sec",
  min_vert_scale: scale,
  delta: true,
  delta_min_value: 0,
  divide_by_delta: true,
});

type Preset = readonly [
  id: string,
  title: string,
  source: string,
  data_type: string,
  members: Readonly<Record<string, unknown>>,
];

/** See docs/contract/monitors.md#presets. */
const PRESETS: readonly Preset[] = [
  ["load_avg", "CPU Load Average", "load[0]", "float", { min_vert_scale: 1 }],
  ["cpu_usage", "CPU Usage %", "cpu.currentLoad", "float", percent],
  ["mem_used", "Memory in Use", "memory.used", "bytes", { min_vert_scale: 1024 }],
  ["mem_free", "Available Memory", "memory.available", "bytes", { min_vert_scale: 1024 }],
  ["net_conns", "Network Connections", "stats.network.conns", "integer", { min_vert_scale: 10 }],
  ["disk_usage_root", "Disk Usage % (Root)", "mounts.root.use", "float", percent],
  ["disk_read_sec", "Disk Read (Bytes)", "stats.fs.rx", "bytes", rate(1024)],
  ["disk_write_sec", "Disk Write (Bytes)", "stats.fs.wx", "bytes", rate(1024)],
  ["disk_iops_sec", "Disk I/O Operations", "stats.io.tIO", "integer", rate(100)],
  ["io_wait", "CPU I/O Wait %", "cpu.totals.iowait", "float", { ...percent, notes: "Linux" }],
  [
    "open_files",
    "Open Files",
    "commands.open_files",
    "integer",
    { data_match: "(\\d+)", min_vert_scale: 10, notes: "Linux" },
  ],
  ["os_bytes_in_sec", "Network In (Bytes)", "stats.network.rx_bytes", "bytes", rate(1024)],
  ["os_bytes_out_sec", "Network Out (Bytes)", "stats.network.tx_bytes", "bytes", rate(1024)],
  ["total_procs", "Total Processes", "processes.all", "integer", { min_vert_scale: 10 }],
  ["active_jobs", "Active Jobs", "jobs", "integer", { min_vert_scale: 10 }],
];

/** Default monitors of a new installation. */
export function defaultMonitors(now: number): Monitor[] {
  return PRESETS.map(([id, title, source, data_type, members], sortOrder) => {
    // Pages append the suffix without checking whether there is one.
    const input: CreateMonitor = { id, title, source, data_type, suffix: "", ...members };
    return newMonitor(input, { id, username: "admin", now, sortOrder });
  });
}
