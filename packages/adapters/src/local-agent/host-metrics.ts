import { accessSync, constants } from "node:fs";
import { arch, loadavg, networkInterfaces, platform, release, uptime } from "node:os";
import { type Clock, type Logger, residentBytes } from "@signalbox/core/adapter";
import type { Facts } from "./metrics/host-facts.ts";
import type { HostMeter, Section } from "./metrics/host-meter.ts";
import { linuxMeter } from "./metrics/linux-meter.ts";
import { portableMeter } from "./metrics/portable-meter.ts";

/** Version of the local agent in its hello message. */
export const AGENT_VERSION = "0.1.0";

/**
 * The local agent's readings of its machine (docs/contract/satellites.md#minute-message,
 * docs/contract/satellites.md#second-message).
 */
export interface HostMetrics {
  /** `info` of the hello message. */
  info(): Promise<Facts>;
  /** The members of the minute message except `jobs` and `commands`. Rates are null in the first one. */
  minute(): Promise<Facts>;
  /** The members of the second message except `commands`; undefined where the system has no cheap readings. */
  quick(): Promise<Facts | undefined>;
  readonly tree: HostMeter["tree"];
  readonly close: HostMeter["close"];
}

/** False on other systems, and where Node's permission model (`node --permission`) keeps `/proc` from the process. */
function canReadProc(): boolean {
  try {
    accessSync("/proc/stat", constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export function createHostMetrics({ clock, log }: { clock: Clock; log: Logger }): HostMetrics {
  const meter = canReadProc() ? linuxMeter(clock) : portableMeter({ log });
  const self = selfReader(clock);
  return {
    async info() {
      return {
        satellite: AGENT_VERSION,
        node: process.versions.node,
        booted: Math.round((clock.now() - uptime()) * 100) / 100,
        arch: arch(),
        platform: platform(),
        release: release(),
        quickmon: platform() !== "win32",
        // False for built-in plugins of satellites that this agent does not have: jobs with them go to other servers.
        features: { testMonitorPlugin: true, "docker-plugin": false, "hook-plugin": false },
        ip: outwardAddress(),
        ...(await meter.info()),
      };
    },
    async minute() {
      const { section, metrics } = stopwatch(clock);
      const basics = { uptime_sec: uptime(), arch: arch(), platform: platform(), release: release(), load: loadOf() };
      const measured = await section("total", () => meter.minute(section));
      return { ...basics, process: self(), ...measured, metrics: metrics() };
    },
    quick: () => meter.quick(),
    tree: meter.tree,
    close: meter.close,
  };
}

function loadOf(): number[] {
  return loadavg().map((value) => Math.round(value * 100) / 100);
}

/** First address that is not a loopback address. */
function outwardAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const outward = all.filter(({ internal }) => !internal);
  return (outward.find(({ family }) => family === "IPv4") ?? outward[0])?.address ?? "127.0.0.1";
}

/** Returns a reader of this process's own figures; `cpu` is percent of one core since the last reading. */
function selfReader(clock: Clock): () => Facts {
  let last: { usage: NodeJS.CpuUsage; atMs: number } | undefined;
  return () => {
    const usage = process.cpuUsage();
    const atMs = clock.monotonicMs();
    const spent = usage.user + usage.system - (last ? last.usage.user + last.usage.system : 0);
    const elapsedMs = last ? atMs - last.atMs : process.uptime() * 1000;
    last = { usage, atMs };
    return {
      pid: process.pid,
      started: Math.floor(clock.now() - process.uptime()),
      mem: residentBytes(),
      cpu: elapsedMs > 0 ? spent / elapsedMs / 10 : 0,
    };
  };
}

function stopwatch(clock: Clock): { section: Section; metrics: () => Facts } {
  const perf: Record<string, number> = {};
  return {
    async section(name, work) {
      const started = clock.monotonicMs();
      const result = await work();
      perf[name] = Math.round((clock.monotonicMs() - started) * 1000) / 1000;
      return result;
    },
    metrics: () => ({ scale: 1000, perf, counters: {} }),
  };
}
