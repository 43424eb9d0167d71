/** Numbers of `/proc/<pid>/stat` that the sample needs. Times are in clock ticks, `rss` in pages, `vsize` in bytes. */
export interface ProcessStat {
  readonly pid: number;
  readonly comm: string;
  readonly state: string;
  readonly ppid: number;
  readonly tty: number;
  readonly ticks: number;
  readonly priority: number;
  readonly nice: number;
  readonly threads: number;
  readonly startTicks: number;
  readonly vsize: number;
  readonly rss: number;
  readonly policy: number;
}

/** Facts about the kernel that convert its units. */
export interface KernelUnits {
  readonly ticksPerSec: number;
  readonly pageBytes: number;
  /** Unix seconds. */
  readonly bootTime: number;
  readonly cores: number;
  readonly memoryTotal: number;
}

/** One process as the sample shows it. `cpu` is percent of the whole machine, `mem` percent of its memory. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parentPid: number;
  readonly user: string;
  readonly cpu: number;
  readonly memRss: number;
  readonly age: number;
  readonly state: string;
  readonly priority: number;
  readonly nice: number;
  readonly memVsz: number;
  readonly tty: string;
  readonly mem: number;
  readonly class: string;
  readonly group: string;
  readonly threads: number;
  readonly time: number;
  readonly command: string;
  readonly started: number;
}

const STATES: Readonly<Record<string, string>> = {
  R: "Running",
  S: "Sleeping",
  D: "Blocked",
  Z: "Zombie",
  T: "Stopped",
  t: "Stopped",
  I: "Idle",
  X: "Dead",
};
const CLASSES: readonly string[] = ["Other", "FIFO", "RR", "Batch", "ISO", "Idle", "Deadline"];

/** Parses `/proc/<pid>/stat`. The name may contain blanks and parentheses, so it ends at the last one. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  const rest = text
    .slice(close + 2)
    .trim()
    .split(" ");
  const at = (field: number): number => Number(rest[field - 3]) || 0;
  return {
    pid: Number.parseInt(text, 10),
    comm: text.slice(open + 1, close),
    state: rest[0] ?? "?",
    ppid: at(4),
    tty: at(7),
    ticks: at(14) + at(15),
    priority: at(18),
    nice: at(19),
    threads: at(20),
    startTicks: at(22),
    vsize: at(23),
    rss: at(24),
    policy: at(41),
  };
}

const MAX_COMMAND = 1024;

/** `/proc/<pid>/cmdline` in one line; kernel threads and zombies have none, so their name is shown in brackets. */
export function commandOf(cmdline: string, { comm, state }: ProcessStat): string {
  if (state === "Z") return `[${comm}] <defunct>`;
  const text = cmdline.replaceAll("\0", " ").trim().slice(0, MAX_COMMAND);
  return text || `[${comm}]`;
}

/** Terminals by device number: 136–143 are pseudo terminals, 4 the consoles. */
export function ttyName(device: number): string {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `tty${minor}` : "?";
}

/** CPU time between two readings, in percent of one core; without an earlier one, the average since the process began. */
export function coreShare(
  now: ProcessStat,
  before: { ticks: number; at: number } | undefined,
  time: ProcessTime,
): number {
  const { nowSec, units } = time;
  const since = before ? before.at : startedAt(now, units);
  const ticks = before ? now.ticks - before.ticks : now.ticks;
  const span = nowSec - since;
  return span > 0 ? Math.max(0, (ticks / units.ticksPerSec / span) * 100) : 0;
}

export interface ProcessTime {
  /** Unix seconds. */
  readonly nowSec: number;
  readonly units: KernelUnits;
}

function startedAt(stat: ProcessStat, units: KernelUnits): number {
  return units.bootTime + stat.startTicks / units.ticksPerSec;
}

export interface ProcessFacts {
  readonly command: string;
  readonly user: string;
  readonly group: string;
  /** Percent of one core. */
  readonly share: number;
}

export function processInfo(stat: ProcessStat, facts: ProcessFacts, { nowSec, units }: ProcessTime): ProcessInfo {
  const started = startedAt(stat, units);
  const memRss = stat.rss * units.pageBytes;
  return {
    pid: stat.pid,
    parentPid: stat.ppid,
    user: facts.user,
    cpu: Math.round((facts.share / units.cores) * 100) / 100,
    memRss,
    age: Math.max(0, Math.floor(nowSec - started)),
    state: STATES[stat.state] ?? "Unknown",
    // As `ps` prints it: larger is more urgent.
    priority: 39 - stat.priority,
    nice: stat.nice,
    memVsz: stat.vsize,
    tty: ttyName(stat.tty),
    mem: units.memoryTotal > 0 ? Math.floor((memRss / units.memoryTotal) * 1000) / 10 : 0,
    class: CLASSES[stat.policy] ?? "Other",
    group: facts.group,
    threads: stat.threads,
    time: Math.floor(stat.ticks / units.ticksPerSec),
    command: facts.command,
    started: Math.floor(started),
  };
}

/** Names by id, from `/etc/passwd` or `/etc/group`. */
export function parseNames(text: string): Map<number, string> {
  const rows = text.split("\n").map((line) => line.split(":"));
  return new Map(rows.filter((row) => row.length > 2).map(([name = "", , id]) => [Number(id), name]));
}

/** Page size and clock ticks from `/proc/self/auxv`: pairs of machine words, in which key 6 is the page size, 17 the clock. */
export function parseAuxv(bytes: Buffer): { pageBytes: number; ticksPerSec: number } {
  const units = { pageBytes: 4096, ticksPerSec: 100 };
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    const key = bytes.readBigUInt64LE(at);
    const value = Number(bytes.readBigUInt64LE(at + 8));
    if (key === 6n && value > 0) units.pageBytes = value;
    if (key === 17n && value > 0) units.ticksPerSec = value;
  }
  return units;
}
