// biome-ignore-all lint/suspicious/noProto: only this access is free, as explained below
import { type Data, step } from "../members.ts";

/** Reads one member by the rules of `step`. */
export type Reader = (value: unknown) => unknown;

type Known = (record: Data | undefined) => unknown;

const plain = Object.prototype;

/** A plain record inherits none of the names below, so a value that is found is its own; everything else goes through `step`. */
const own = (record: unknown, name: string, value: unknown, prototype: unknown): unknown => {
  if (prototype !== plain) return step(record, name);
  return typeof value === "function" ? undefined : value;
};

/**
 * Names that agents, jobs and events send. The JavaScript engine caches property positions per access site, so a name with its
 * own site is read two to three times as fast as through a variable, and checking the prototype costs nothing. Every other name
 * works as well, through `step`.
 */
const known: Readonly<Record<string, Known>> = {
  active: (record) => (record == null ? undefined : own(record, "active", record.active, record.__proto__)),
  all: (record) => (record == null ? undefined : own(record, "all", record.all, record.__proto__)),
  arch: (record) => (record == null ? undefined : own(record, "arch", record.arch, record.__proto__)),
  available: (record) => (record == null ? undefined : own(record, "available", record.available, record.__proto__)),
  avgLoad: (record) => (record == null ? undefined : own(record, "avgLoad", record.avgLoad, record.__proto__)),
  bytes_in: (record) => (record == null ? undefined : own(record, "bytes_in", record.bytes_in, record.__proto__)),
  bytes_out: (record) => (record == null ? undefined : own(record, "bytes_out", record.bytes_out, record.__proto__)),
  command: (record) => (record == null ? undefined : own(record, "command", record.command, record.__proto__)),
  commands: (record) => (record == null ? undefined : own(record, "commands", record.commands, record.__proto__)),
  conns: (record) => (record == null ? undefined : own(record, "conns", record.conns, record.__proto__)),
  cores: (record) => (record == null ? undefined : own(record, "cores", record.cores, record.__proto__)),
  cpu: (record) => (record == null ? undefined : own(record, "cpu", record.cpu, record.__proto__)),
  cpus: (record) => (record == null ? undefined : own(record, "cpus", record.cpus, record.__proto__)),
  currentLoad: (record) =>
    record == null ? undefined : own(record, "currentLoad", record.currentLoad, record.__proto__),
  deltas: (record) => (record == null ? undefined : own(record, "deltas", record.deltas, record.__proto__)),
  disk_iops_sec: (record) =>
    record == null ? undefined : own(record, "disk_iops_sec", record.disk_iops_sec, record.__proto__),
  disk_read_sec: (record) =>
    record == null ? undefined : own(record, "disk_read_sec", record.disk_read_sec, record.__proto__),
  disk_usage_root: (record) =>
    record == null ? undefined : own(record, "disk_usage_root", record.disk_usage_root, record.__proto__),
  disk_write_sec: (record) =>
    record == null ? undefined : own(record, "disk_write_sec", record.disk_write_sec, record.__proto__),
  docker: (record) => (record == null ? undefined : own(record, "docker", record.docker, record.__proto__)),
  established: (record) =>
    record == null ? undefined : own(record, "established", record.established, record.__proto__),
  event: (record) => (record == null ? undefined : own(record, "event", record.event, record.__proto__)),
  free: (record) => (record == null ? undefined : own(record, "free", record.free, record.__proto__)),
  fs: (record) => (record == null ? undefined : own(record, "fs", record.fs, record.__proto__)),
  graphics: (record) => (record == null ? undefined : own(record, "graphics", record.graphics, record.__proto__)),
  group: (record) => (record == null ? undefined : own(record, "group", record.group, record.__proto__)),
  groups: (record) => (record == null ? undefined : own(record, "groups", record.groups, record.__proto__)),
  hostname: (record) => (record == null ? undefined : own(record, "hostname", record.hostname, record.__proto__)),
  id: (record) => (record == null ? undefined : own(record, "id", record.id, record.__proto__)),
  idle: (record) => (record == null ? undefined : own(record, "idle", record.idle, record.__proto__)),
  interfaces: (record) => (record == null ? undefined : own(record, "interfaces", record.interfaces, record.__proto__)),
  io: (record) => (record == null ? undefined : own(record, "io", record.io, record.__proto__)),
  io_wait: (record) => (record == null ? undefined : own(record, "io_wait", record.io_wait, record.__proto__)),
  iowait: (record) => (record == null ? undefined : own(record, "iowait", record.iowait, record.__proto__)),
  ip: (record) => (record == null ? undefined : own(record, "ip", record.ip, record.__proto__)),
  job: (record) => (record == null ? undefined : own(record, "job", record.job, record.__proto__)),
  jobs: (record) => (record == null ? undefined : own(record, "jobs", record.jobs, record.__proto__)),
  list: (record) => (record == null ? undefined : own(record, "list", record.list, record.__proto__)),
  load: (record) => (record == null ? undefined : own(record, "load", record.load, record.__proto__)),
  load_avg: (record) => (record == null ? undefined : own(record, "load_avg", record.load_avg, record.__proto__)),
  mem: (record) => (record == null ? undefined : own(record, "mem", record.mem, record.__proto__)),
  mem_free: (record) => (record == null ? undefined : own(record, "mem_free", record.mem_free, record.__proto__)),
  mem_used: (record) => (record == null ? undefined : own(record, "mem_used", record.mem_used, record.__proto__)),
  memory: (record) => (record == null ? undefined : own(record, "memory", record.memory, record.__proto__)),
  memRss: (record) => (record == null ? undefined : own(record, "memRss", record.memRss, record.__proto__)),
  memVsz: (record) => (record == null ? undefined : own(record, "memVsz", record.memVsz, record.__proto__)),
  metrics: (record) => (record == null ? undefined : own(record, "metrics", record.metrics, record.__proto__)),
  missing: (record) => (record == null ? undefined : own(record, "missing", record.missing, record.__proto__)),
  monitors: (record) => (record == null ? undefined : own(record, "monitors", record.monitors, record.__proto__)),
  mounts: (record) => (record == null ? undefined : own(record, "mounts", record.mounts, record.__proto__)),
  net: (record) => (record == null ? undefined : own(record, "net", record.net, record.__proto__)),
  net_conns: (record) => (record == null ? undefined : own(record, "net_conns", record.net_conns, record.__proto__)),
  network: (record) => (record == null ? undefined : own(record, "network", record.network, record.__proto__)),
  open_files: (record) => (record == null ? undefined : own(record, "open_files", record.open_files, record.__proto__)),
  os: (record) => (record == null ? undefined : own(record, "os", record.os, record.__proto__)),
  os_bytes_in_sec: (record) =>
    record == null ? undefined : own(record, "os_bytes_in_sec", record.os_bytes_in_sec, record.__proto__),
  os_bytes_out_sec: (record) =>
    record == null ? undefined : own(record, "os_bytes_out_sec", record.os_bytes_out_sec, record.__proto__),
  params: (record) => (record == null ? undefined : own(record, "params", record.params, record.__proto__)),
  parentPid: (record) => (record == null ? undefined : own(record, "parentPid", record.parentPid, record.__proto__)),
  pid: (record) => (record == null ? undefined : own(record, "pid", record.pid, record.__proto__)),
  platform: (record) => (record == null ? undefined : own(record, "platform", record.platform, record.__proto__)),
  priority: (record) => (record == null ? undefined : own(record, "priority", record.priority, record.__proto__)),
  process: (record) => (record == null ? undefined : own(record, "process", record.process, record.__proto__)),
  processes: (record) => (record == null ? undefined : own(record, "processes", record.processes, record.__proto__)),
  release: (record) => (record == null ? undefined : own(record, "release", record.release, record.__proto__)),
  rIO_sec: (record) => (record == null ? undefined : own(record, "rIO_sec", record.rIO_sec, record.__proto__)),
  root: (record) => (record == null ? undefined : own(record, "root", record.root, record.__proto__)),
  running: (record) => (record == null ? undefined : own(record, "running", record.running, record.__proto__)),
  rx_bytes: (record) => (record == null ? undefined : own(record, "rx_bytes", record.rx_bytes, record.__proto__)),
  rx_errors: (record) => (record == null ? undefined : own(record, "rx_errors", record.rx_errors, record.__proto__)),
  rx_sec: (record) => (record == null ? undefined : own(record, "rx_sec", record.rx_sec, record.__proto__)),
  server: (record) => (record == null ? undefined : own(record, "server", record.server, record.__proto__)),
  started: (record) => (record == null ? undefined : own(record, "started", record.started, record.__proto__)),
  state: (record) => (record == null ? undefined : own(record, "state", record.state, record.__proto__)),
  states: (record) => (record == null ? undefined : own(record, "states", record.states, record.__proto__)),
  stats: (record) => (record == null ? undefined : own(record, "stats", record.stats, record.__proto__)),
  swapfree: (record) => (record == null ? undefined : own(record, "swapfree", record.swapfree, record.__proto__)),
  swaptotal: (record) => (record == null ? undefined : own(record, "swaptotal", record.swaptotal, record.__proto__)),
  swapused: (record) => (record == null ? undefined : own(record, "swapused", record.swapused, record.__proto__)),
  system: (record) => (record == null ? undefined : own(record, "system", record.system, record.__proto__)),
  threads: (record) => (record == null ? undefined : own(record, "threads", record.threads, record.__proto__)),
  time: (record) => (record == null ? undefined : own(record, "time", record.time, record.__proto__)),
  tIO: (record) => (record == null ? undefined : own(record, "tIO", record.tIO, record.__proto__)),
  tIO_sec: (record) => (record == null ? undefined : own(record, "tIO_sec", record.tIO_sec, record.__proto__)),
  title: (record) => (record == null ? undefined : own(record, "title", record.title, record.__proto__)),
  total: (record) => (record == null ? undefined : own(record, "total", record.total, record.__proto__)),
  totals: (record) => (record == null ? undefined : own(record, "totals", record.totals, record.__proto__)),
  tx_bytes: (record) => (record == null ? undefined : own(record, "tx_bytes", record.tx_bytes, record.__proto__)),
  tx_errors: (record) => (record == null ? undefined : own(record, "tx_errors", record.tx_errors, record.__proto__)),
  tx_sec: (record) => (record == null ? undefined : own(record, "tx_sec", record.tx_sec, record.__proto__)),
  type: (record) => (record == null ? undefined : own(record, "type", record.type, record.__proto__)),
  uptime_sec: (record) => (record == null ? undefined : own(record, "uptime_sec", record.uptime_sec, record.__proto__)),
  usage: (record) => (record == null ? undefined : own(record, "usage", record.usage, record.__proto__)),
  use: (record) => (record == null ? undefined : own(record, "use", record.use, record.__proto__)),
  used: (record) => (record == null ? undefined : own(record, "used", record.used, record.__proto__)),
  user: (record) => (record == null ? undefined : own(record, "user", record.user, record.__proto__)),
  wIO_sec: (record) => (record == null ? undefined : own(record, "wIO_sec", record.wIO_sec, record.__proto__)),
};

/** A host may be started with `--disable-proto=throw`. */
const isPrototypeReadable = (): boolean => {
  try {
    return ({} as Data).__proto__ === plain;
  } catch {
    // The access is forbidden here; `step` then reads all names.
    return false;
  }
};

const readers: ReadonlyMap<string, Reader> = new Map(
  isPrototypeReadable() ? (Object.entries(known) as [string, Reader][]) : [],
);

export const readerOf = (name: string): Reader => readers.get(name) ?? ((value) => step(value, name));
