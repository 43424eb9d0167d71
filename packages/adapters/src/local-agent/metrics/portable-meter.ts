import { statfs } from "node:fs/promises";
import {
  arch,
  availableParallelism,
  cpus,
  freemem,
  hostname,
  loadavg,
  networkInterfaces,
  platform,
  release,
  totalmem,
} from "node:os";
import { parse } from "node:path";
import type { Logger } from "@signalbox/core";
import { type CpuTable, type CpuTicks, cpuUsage } from "./cpu-usage.ts";
import { mountKey, usageOf } from "./disks/mounts.ts";
import type { Facts } from "./host-facts.ts";
import type { HostMeter, Section } from "./host-meter.ts";
import { addressFacts } from "./network/interfaces.ts";

/** The part of `systeminformation` in use: functions without arguments that resolve to plain objects. */
type SystemInformation = Readonly<Record<string, unknown>>;

export interface PortableMeterOptions {
  readonly log: Logger;
  /** Default: imports the optional package. */
  readonly load?: () => Promise<SystemInformation>;
}

// In a variable, so that neither compiler nor bundler resolves the optional package.
const PACKAGE: string = "systeminformation";
const importPackage = async (): Promise<SystemInformation> => (await import(PACKAGE)) as SystemInformation;

/** Returns a function that takes a reading by its name; undefined when there is none. */
function createAsk(log: PortableMeterOptions["log"], load: typeof importPackage): (name: string) => Promise<unknown> {
  let library: Promise<SystemInformation> | undefined;
  return async (name: string): Promise<unknown> => {
    library ??= load().catch((error: unknown) => {
      const missing = "Package systeminformation is not installed: disks, connections and processes are not measured";
      log.warn({ error, platform: platform() }, missing);
      return {};
    });
    const read = (await library)[name];
    if (typeof read !== "function") return undefined;
    try {
      return await read();
    } catch (error) {
      log.warn({ error, reading: name }, "A reading of this machine failed");
      return undefined;
    }
  };
}

/**
 * Measures machines without `/proc`: some figures from `node:os`, the rest from the optional package `systeminformation`. Without
 * the package, the rest is empty, and one line of the log names the package.
 */
export function portableMeter({ log, load = importPackage }: PortableMeterOptions): HostMeter {
  const minuteCpu = cpuReader();
  const quickCpu = cpuReader();
  const ask = createAsk(log, load);
  const os = async () => ({ ...basicOs(), ...record(await ask("osInfo")) });
  return {
    info: async () => ({
      os: await os(),
      memory: basicMemory(),
      cpu: { ...basicCpu(), ...record(await ask("cpu")) },
      virt: {},
    }),
    async minute(section: Section) {
      return {
        os: await section("os", os),
        memory: await section("memory", async () => ({ ...basicMemory(), ...record(await ask("mem")) })),
        cpu: await section("cpu", async () => ({ ...basicCpu(), ...record(await ask("cpu")), ...minuteCpu() })),
        mounts: await section("mounts", async () => mountsOf(await ask("fsSize"))),
        interfaces: describe(),
        stats: await section("stats", () => stats(ask)),
        conns: list(await section("conns", () => ask("networkConnections"))),
        processes: await section("processes", async () => processesOf(await ask("processes"))),
      };
    },
    // On Windows, these readings take seconds instead of milliseconds.
    quick: async () => (platform() === "win32" ? undefined : quickSample(quickCpu(), ask)),
    tree: async () => [],
    close: () => undefined,
  };
}

type Ask = (name: string) => Promise<unknown>;

async function quickSample(cpu: Facts, ask: Ask): Promise<Facts> {
  const [fs, net] = await Promise.all([ask("fsStats"), ask("networkStats")]);
  const { rx, wx } = record(fs);
  return { cpu, mem: basicMemory(), fs: { rx: rx ?? 0, wx: wx ?? 0 }, net: sum(list(net)) };
}

async function stats(ask: Ask): Promise<Facts> {
  const [io, fs, net] = await Promise.all([ask("disksIO"), ask("fsStats"), ask("networkStats")]);
  const rows = list(net);
  const { rx, tx } = sum(rows);
  const ifaces = rows.map((row) => record(row)["iface"]);
  return { io: record(io), fs: record(fs), network: { ifaces, rx_bytes: rx, tx_bytes: tx } };
}

function sum(rows: readonly unknown[]): { rx: number; tx: number } {
  const total = (key: string) => rows.reduce<number>((all, row) => all + (Number(record(row)[key]) || 0), 0);
  return { rx: total("rx_bytes"), tx: total("tx_bytes") };
}

async function mountsOf(found: unknown): Promise<Facts> {
  const rows = list(found).map(record);
  if (rows.length > 0) return Object.fromEntries(rows.map((row) => [mountKey(String(row["mount"])), row]));
  const root = parse(process.cwd()).root;
  // Node's permission model may keep the root from this process: then there is no disk to report.
  const usage = await statfs(root).catch(() => undefined);
  return usage ? { root: usageOf({ fs: root, type: "", mount: root, rw: true }, usage) } : {};
}

function processesOf(found: unknown): Facts {
  const { list: rows, ...counts } = record(found);
  const shown = list(rows).slice(0, 20_000);
  return { all: shown.length, ...counts, list: shown };
}

function describe(): Facts {
  const rows = Object.entries(networkInterfaces());
  return Object.fromEntries(rows.map(([name, entries]) => [name, { iface: name, ...addressFacts(entries ?? []) }]));
}

function basicOs(): Facts {
  return {
    platform: platform(),
    kernel: release(),
    release: release(),
    arch: arch(),
    hostname: hostname(),
    fqdn: hostname(),
  };
}

function basicMemory(): Facts {
  const [total, free] = [totalmem(), freemem()];
  return { total, free, used: total - free, available: free };
}

function basicCpu(): Facts {
  return { brand: cpus()[0]?.model ?? "", cores: cpus().length || availableParallelism() };
}

function cpuReader(): () => Facts {
  let before: CpuTable | undefined;
  return () => {
    const each = cpus().map(({ times }) => ticksOf(times));
    const all = each.reduce((sum_, ticks) => ticksOf(addTicks(sum_, ticks)), ticksOf({}));
    const now = { all, each, bootTime: 0 };
    const usage = cpuUsage(now, before);
    before = now;
    return { avgLoad: loadavg()[0] ?? 0, ...usage };
  };
}

function ticksOf({ user = 0, nice = 0, sys = 0, idle = 0, irq = 0 }: Partial<Record<string, number>>): CpuTicks {
  return { user, nice, system: sys, idle, iowait: 0, irq, softirq: 0, total: user + nice + sys + idle + irq };
}

function addTicks(a: CpuTicks, b: CpuTicks): Record<string, number> {
  return {
    user: a.user + b.user,
    nice: a.nice + b.nice,
    sys: a.system + b.system,
    idle: a.idle + b.idle,
    irq: a.irq + b.irq,
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
