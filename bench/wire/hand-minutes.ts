import type { DatabaseSync } from "node:sqlite";
import { createGroups } from "./hand-writes.ts";

/** The members of a sample that the preset monitors and alerts read. */
export interface Sample {
  readonly load: readonly number[];
  readonly cpu: { readonly currentLoad: number; readonly cores: number; readonly totals: { readonly iowait: number } };
  readonly memory: { readonly used: number; readonly available: number; readonly total: number };
  readonly stats: {
    readonly network: { readonly conns: number; readonly rx_bytes: number; readonly tx_bytes: number };
    readonly fs: { readonly rx: number; readonly wx: number };
    readonly io: { readonly tIO: number };
  };
  readonly mounts: { readonly root: { readonly use: number } };
  readonly commands?: { readonly open_files?: number };
  readonly processes: { readonly all: number };
  readonly jobs?: number;
}

export interface Minute {
  readonly server: string;
  readonly date: number;
  readonly data: Sample;
}

export interface HandMinutes {
  take(minute: Minute): void;
  takeSecond(server: string, sample: unknown): void;
  /** Last stored minute of a server. */
  latest(server: string): Minute | undefined;
}

const MONITORS: readonly ((sample: Sample) => number | undefined)[] = [
  ({ load }) => load[0],
  ({ cpu }) => cpu.currentLoad,
  ({ memory }) => memory.used,
  ({ memory }) => memory.available,
  ({ stats }) => stats.network.conns,
  ({ mounts }) => mounts.root.use,
  ({ stats }) => stats.fs.rx,
  ({ stats }) => stats.fs.wx,
  ({ stats }) => stats.io.tIO,
  ({ cpu }) => cpu.totals.iowait,
  ({ commands }) => commands?.open_files,
  ({ stats }) => stats.network.rx_bytes,
  ({ stats }) => stats.network.tx_bytes,
  ({ processes }) => processes.all,
  ({ jobs }) => jobs,
];
const MAX_LOW_MEMORY = 0.05;
const MOST = { iowait: 75, use: 90, jobs: 50 };
const ALERTS: readonly ((sample: Sample) => boolean)[] = [
  ({ load: [load = 0], cpu }) => load >= cpu.cores + 1,
  ({ memory }) => memory.available < memory.total * MAX_LOW_MEMORY,
  ({ cpu }) => cpu.totals.iowait >= MOST.iowait,
  ({ mounts }) => mounts.root.use >= MOST.use,
  ({ jobs = 0 }) => jobs >= MOST.jobs,
];

/** Header bytes of one of our rows: two per monitor before the values. */
const HEAD = 18;
const DOUBLE = 8;
const SECONDS_KEPT = 60;
const HOUR = 3600;
const SYSTEM = "hourly";

function payloadOf(values: readonly (number | undefined)[], held: number): Buffer {
  const payload = Buffer.alloc(HEAD + values.length * DOUBLE);
  payload[0] = held;
  for (const [index, value = 0] of values.entries()) payload.writeDoubleLE(value, HEAD + index * DOUBLE);
  return payload;
}

/** Stores a minute as our rows: one of the history, and for the first minute also the sample itself and the series. */
export function createHandMinutes(database: DatabaseSync): HandMinutes {
  const group = createGroups(database);
  const journal = database.prepare(
    "insert into sb_history_journal (system, bucket, server, payload) values (?, ?, ?, ?) on conflict do nothing",
  );
  const host = database.prepare("insert into sb_hosts (id, revision, doc) values (?, 1, ?) on conflict do nothing");
  const series = database.prepare(`insert into sb_history_series (server, system, open_slot, last_slot)
    values (?, ?, ?, ?) on conflict do nothing`);
  const latest = new Map<string, Minute>();
  const seconds = new Map<string, unknown[]>();
  const writeFirst = (minute: Minute): void => {
    const slot = Math.floor(minute.date / HOUR);
    host.run(minute.server, JSON.stringify(minute));
    series.run(minute.server, SYSTEM, slot, slot);
  };
  return {
    take(minute) {
      const { server, date, data } = minute;
      const values = MONITORS.map((read) => read(data));
      const held = ALERTS.filter((isHeld) => isHeld(data)).length;
      void group(() => {
        if (!latest.has(server)) writeFirst(minute);
        journal.run(SYSTEM, Math.floor(date / 60), server, payloadOf(values, held));
        return "";
      }).then(() => latest.set(server, minute));
    },
    takeSecond(server, sample) {
      const kept = seconds.get(server) ?? [];
      seconds.set(server, kept);
      kept.push(sample);
      if (kept.length > SECONDS_KEPT) kept.shift();
    },
    latest: (server) => latest.get(server),
  };
}
