import { numbersAt } from "../read-host.ts";

/** Sums over the whole disks of the machine since boot. */
export interface DiskCounters {
  readonly reads: number;
  readonly writes: number;
  readonly readMs: number;
  readonly writeMs: number;
  readonly queueMs: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** Bytes of a sector in the table, whatever the sector size of the disk. */
const SECTOR_BYTES = 512;
/** Devices on top of others, whose transfers would count twice, or in memory, whose transfers must not count. */
const STACKED = /^(loop|ram|zram|dm-|md|sr|fd|nbd\d+p)/;

/** A device in the table, and where its counters begin. */
type DeviceRow = readonly [name: string, place: number];

const DEVICE = /^ *\d+ +\d+ (\S+)/gm;

/** The devices of `/proc/diskstats`. */
export function deviceRows(text: string): DeviceRow[] {
  return Array.from(text.matchAll(DEVICE), (match): DeviceRow => [match[1] ?? "", match.index + match[0].length]);
}

/** Sums the counters of devices; `disks` names the whole disks (the entries of `/sys/block`). */
export function sumDisks(text: string, rows: readonly DeviceRow[], disks: ReadonlySet<string>): DiskCounters {
  const sum = { reads: 0, writes: 0, readMs: 0, writeMs: 0, queueMs: 0, readBytes: 0, writtenBytes: 0 };
  for (const [name, place] of rows) {
    if (!disks.has(name) || STACKED.test(name)) continue;
    const [reads = 0, , readSectors = 0, readMs = 0, writes = 0, , writtenSectors = 0, writeMs = 0, , , queueMs = 0] =
      numbersAt(text, place);
    sum.reads += reads;
    sum.writes += writes;
    sum.readMs += readMs;
    sum.writeMs += writeMs;
    sum.queueMs += queueMs;
    sum.readBytes += readSectors * SECTOR_BYTES;
    sum.writtenBytes += writtenSectors * SECTOR_BYTES;
  }
  return sum;
}

/** Growth per second over `ms`; null without an earlier reading, or after a counter was reset. */
export function ratePerSec(now: number, before: number | undefined, ms: number): number | null {
  if (before === undefined || ms <= 0 || now < before) return null;
  return ((now - before) * 1000) / ms;
}

/** `stats.io` of the sample: operations and waiting time. */
export function ioStats(
  now: DiskCounters,
  before: DiskCounters | undefined,
  ms: number,
): Record<string, number | null> {
  const share = (key: "readMs" | "writeMs" | "queueMs"): number | null => {
    const rate = ratePerSec(now[key], before?.[key], ms);
    return rate === null ? null : rate / 10;
  };
  const total = (counters: DiskCounters): number => counters.reads + counters.writes;
  return {
    rIO: now.reads,
    wIO: now.writes,
    tIO: total(now),
    rIO_sec: ratePerSec(now.reads, before?.reads, ms),
    wIO_sec: ratePerSec(now.writes, before?.writes, ms),
    tIO_sec: ratePerSec(total(now), before && total(before), ms),
    rWaitTime: now.readMs,
    wWaitTime: now.writeMs,
    tWaitTime: now.queueMs,
    rWaitPercent: share("readMs"),
    wWaitPercent: share("writeMs"),
    tWaitPercent: share("queueMs"),
    ms: before ? ms : 0,
  };
}

/** `stats.fs` of the sample: bytes. */
export function fsStats(
  now: DiskCounters,
  before: DiskCounters | undefined,
  ms: number,
): Record<string, number | null> {
  const total = (counters: DiskCounters): number => counters.readBytes + counters.writtenBytes;
  return {
    rx: now.readBytes,
    wx: now.writtenBytes,
    tx: total(now),
    rx_sec: ratePerSec(now.readBytes, before?.readBytes, ms),
    wx_sec: ratePerSec(now.writtenBytes, before?.writtenBytes, ms),
    tx_sec: ratePerSec(total(now), before && total(before), ms),
    ms: before ? ms : 0,
  };
}
