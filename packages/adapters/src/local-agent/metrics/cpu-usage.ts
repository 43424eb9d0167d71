import { endOfLine, floorTo2, numbersAt } from "./read-host.ts";

/** Processor times by use. */
type CpuTimes = Readonly<Record<"user" | "nice" | "system" | "idle" | "iowait" | "irq" | "softirq", number>>;

/** Ticks since boot of one processor, or of all of them. */
export interface CpuTicks extends CpuTimes {
  readonly total: number;
}

export interface CpuTable {
  readonly all: CpuTicks;
  readonly each: readonly CpuTicks[];
  /** Boot time, Unix seconds. */
  readonly bootTime: number;
}

/** Percent of a period; `active` is everything but `idle`. */
interface CpuShare extends CpuTimes {
  readonly active: number;
}

export interface CpuUsage {
  readonly currentLoad: number;
  readonly cpus: readonly CpuShare[];
  readonly totals: CpuShare;
}

const NOTHING: CpuTicks = { user: 0, nice: 0, system: 0, idle: 0, iowait: 0, irq: 0, softirq: 0, total: 0 };

/** Parses `/proc/stat`, which begins with the processors. Steal counts towards the total; guest time is already part of user. */
export function parseCpuTable(text: string): CpuTable {
  const each: CpuTicks[] = [];
  let all = NOTHING;
  for (let start = 0; text.startsWith("cpu", start); start = endOfLine(text, start) + 1) {
    const ticks = ticksOf(numbersAt(text, text.indexOf(" ", start)));
    if (text.startsWith("cpu ", start)) all = ticks;
    else each.push(ticks);
  }
  const boot = text.indexOf(BOOT);
  return { all, each, bootTime: (boot < 0 ? undefined : numbersAt(text, boot + BOOT.length)[0]) ?? 0 };
}

const BOOT = "\nbtime ";

function ticksOf(columns: readonly number[]): CpuTicks {
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = columns;
  const total = user + nice + system + idle + iowait + irq + softirq + steal;
  return { user, nice, system, idle, iowait, irq, softirq, total };
}

/** Shares of the time between two tables. Without an earlier one everything is idle, as in a satellite's first sample. */
export function cpuUsage(now: CpuTable, before: CpuTable | undefined): CpuUsage {
  const totals = shareOf(now.all, before?.all ?? now.all);
  const cpus = now.each.map((ticks, index) => shareOf(ticks, before?.each[index] ?? ticks));
  return { currentLoad: totals.active, cpus, totals };
}

function shareOf(now: CpuTicks, before: CpuTicks): CpuShare {
  const span = now.total - before.total;
  const percent = (key: keyof CpuTicks): number =>
    span > 0 ? floorTo2((Math.max(0, now[key] - before[key]) / span) * 100) : 0;
  const idle = span > 0 ? percent("idle") : 100;
  return {
    user: percent("user"),
    nice: percent("nice"),
    system: percent("system"),
    idle,
    iowait: percent("iowait"),
    irq: percent("irq"),
    softirq: percent("softirq"),
    active: Math.round((100 - idle) * 100) / 100,
  };
}
