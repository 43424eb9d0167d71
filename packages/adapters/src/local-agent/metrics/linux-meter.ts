import { networkInterfaces } from "node:os";
import type { Clock } from "@signalbox/core/adapter";
import { type CpuTable, cpuUsage, parseCpuTable } from "./cpu-usage.ts";
import { type DiskCounters, deviceRows, fsStats, ioStats, sumDisks } from "./disks/disk-io.ts";
import { createMountMeter, parseMounts } from "./disks/mounts.ts";
import { cpuCaches, type Facts, osFacts, parseCpuInfo, virtualisation } from "./host-facts.ts";
import type { HostMeter, Section } from "./host-meter.ts";
import { helloMemory, type MemoryUsage, parseMemory } from "./memory.ts";
import { parseSocket, type Socket } from "./network/connections.ts";
import { describeInterfaces } from "./network/interfaces.ts";
import {
  externalNames,
  type NetworkRates,
  type NetworkTable,
  networkRates,
  parseNetworkTable,
  sumNetwork,
} from "./network/network-counters.ts";
import { createSocketOwners, type SocketOwners } from "./network/socket-owners.ts";
import { createProcessMeter, readAuxv } from "./processes/process-meter.ts";
import { type KernelUnits, type ProcessInfo, parseAuxv } from "./processes/process-table.ts";
import { type KernelTable, keptOpen, nextTurn, readLines, readNames, readText } from "./read-host.ts";

/** Most sockets in one sample (docs/contract/satellites.md#bounds). */
const MAX_SOCKETS = 50_000;
const MOUNT_WAIT_MS = 1000;
/** Rows processed in one turn of the event loop. */
const TURN_SIZE = 2000;

/** Measures a Linux machine from `/proc` and `/sys`, without a child process. */
export function linuxMeter(clock: Clock): HostMeter {
  const readers = createReaders(clock);
  const { facts, units, processes, quickCpu, readDisks, readMemory, readNetwork, tables } = readers;
  return {
    async info() {
      const { os, cpu, virt } = await facts();
      return { os, memory: helloMemory(readMemory()), cpu, virt };
    },
    minute: (section) => readMinute(readers, section),
    async quick() {
      const io = await readDisks();
      const net = readNetwork();
      const sum = sumNetwork(net, externalNames(net));
      return {
        mem: readMemory(),
        cpu: quickCpu(),
        fs: { rx: io.readBytes, wx: io.writtenBytes },
        net: { rx: sum.rx_bytes, tx: sum.tx_bytes },
      };
    },
    tree: async (pid, memory) => processes.tree(pid, await units(), memory),
    close() {
      for (const table of Object.values(tables)) table.close();
    },
  };
}

type Readers = ReturnType<typeof createReaders>;

/** Readers that remember their previous reading. */
function createReaders(clock: Clock) {
  const tables = {
    memory: keptOpen("/proc/meminfo"),
    cpu: keptOpen("/proc/stat"),
    load: keptOpen("/proc/loadavg"),
    disks: keptOpen("/proc/diskstats"),
    network: keptOpen("/proc/net/dev"),
  };
  const readMemory = (): MemoryUsage => parseMemory(tables.memory.read());
  const readNetwork = (): NetworkTable => parseNetworkTable(tables.network.read());
  const readDisks = diskReader(tables.disks);
  return {
    tables,
    readMemory,
    readNetwork,
    facts: once(readFacts),
    units: once(() => readUnits(tables.cpu, readMemory)),
    processes: createProcessMeter(clock),
    socketOwners: createSocketOwners(),
    mounts: createMountMeter((work) => within(clock, work)),
    minuteCpu: cpuReader(tables),
    quickCpu: cpuReader(tables),
    disks: changeOf(clock, readDisks),
    readDisks,
    network: changeOf(clock, async () => readNetwork()),
  };
}

async function readMinute(readers: Readers, section: Section): Promise<Facts> {
  const { os, cpu } = await readers.facts();
  const memory = await section("memory", async () => readers.readMemory());
  const usage = await section("cpu", async () => readers.minuteCpu());
  const mounts = await section("mounts", async () =>
    readers.mounts(parseMounts((await readText("/proc/mounts")) ?? "")),
  );
  const io = await section("disks", readers.disks);
  const net = await section("network", readers.network);
  const interfaces = await section("interfaces", () => describeInterfaces(networkInterfaces(), ratesOf(net), net));
  const sockets = await section("conns", () => readSockets(readers.socketOwners));
  const { list, truncated } = await section("processes", async () => readers.processes.list(await readers.units()));
  const network = { ...networkTotals(net), conns: sockets.count, states: sockets.states };
  return {
    stats: { io: ioStats(io.now, io.before, io.ms), fs: fsStats(io.now, io.before, io.ms), network },
    os,
    memory,
    cpu: { ...cpu, ...usage },
    mounts,
    interfaces,
    conns: sockets.list,
    processes: { list, ...countStates(list), ...(truncated ? { truncated } : {}) },
    ...(sockets.truncated ? { truncated: true } : {}),
  };
}

async function readUnits(cpu: KernelTable, readMemory: () => MemoryUsage): Promise<KernelUnits> {
  const table = parseCpuTable(cpu.read());
  const memoryTotal = readMemory()["total"] ?? 0;
  return { ...parseAuxv(await readAuxv()), bootTime: table.bootTime, cores: table.each.length || 1, memoryTotal };
}

function ratesOf({ now, before, ms }: Change<NetworkTable>): Map<string, NetworkRates> {
  return new Map([...now].map(([name, row]) => [name, networkRates(row, before?.get(name), ms)]));
}

/** Reads the counters of whole disks. Lists the disks again when the table names a device that is new. */
function diskReader(table: KernelTable): () => Promise<DiskCounters> {
  let devices: ReadonlySet<string> = new Set();
  let disks: ReadonlySet<string> = new Set();
  return async () => {
    const text = table.read();
    const rows = deviceRows(text);
    if (rows.length !== devices.size || rows.some(([name]) => !devices.has(name))) {
      devices = new Set(rows.map(([name]) => name));
      disks = new Set(await readNames("/sys/block"));
    }
    return sumDisks(text, rows, disks);
  };
}

function cpuReader({ cpu, load }: Readonly<Record<"cpu" | "load", KernelTable>>): () => Facts {
  let before: CpuTable | undefined;
  return () => {
    const now = parseCpuTable(cpu.read());
    const usage = cpuUsage(now, before);
    before = now;
    return { avgLoad: Number.parseFloat(load.read()) || 0, ...usage };
  };
}

async function readFacts(): Promise<{ os: Facts; cpu: Facts; virt: Facts }> {
  const [os, text, cache, virt] = await Promise.all([
    osFacts(),
    readText("/proc/cpuinfo"),
    cpuCaches(),
    virtualisation(),
  ]);
  return { os, cpu: { ...parseCpuInfo(text ?? ""), cache }, virt };
}

interface Change<T> {
  readonly now: T;
  readonly before: T | undefined;
  readonly ms: number;
}

/** A reading together with the previous one. */
function changeOf<T>(clock: Clock, read: () => Promise<T>): () => Promise<Change<T>> {
  let last: { value: T; atMs: number } | undefined;
  return async () => {
    const value = await read();
    const atMs = clock.monotonicMs();
    const change = { now: value, before: last?.value, ms: last ? atMs - last.atMs : 0 };
    last = { value, atMs };
    return change;
  };
}

function networkTotals({ now, before, ms }: Change<NetworkTable>): Record<string, unknown> {
  const ifaces = externalNames(now);
  const rates = networkRates(sumNetwork(now, ifaces), before && sumNetwork(before, ifaces), ms);
  // In the first sample, the sums are 0, unlike the rates of single interfaces, which are null.
  return { ifaces, ...rates, rx_sec: rates.rx_sec ?? 0, tx_sec: rates.tx_sec ?? 0 };
}

function countStates(list: readonly ProcessInfo[]): Record<string, number> {
  const counts: Record<string, number> = { all: list.length, running: 0, sleeping: 0 };
  for (const { state } of list) counts[state.toLowerCase()] = (counts[state.toLowerCase()] ?? 0) + 1;
  return counts;
}

interface SocketSample {
  readonly list: readonly Record<string, unknown>[];
  readonly count: number;
  readonly states: Readonly<Record<string, number>>;
  readonly truncated: boolean;
}

async function* socketRows(): AsyncGenerator<readonly Socket[]> {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"])
    for await (const lines of readLines(table)) yield lines.map(parseSocket).filter((socket) => socket !== undefined);
}

async function readSockets(ownersOf: SocketOwners): Promise<SocketSample> {
  const sockets: Socket[] = [];
  const states: Record<string, number> = {};
  let count = 0;
  for await (const rows of socketRows()) {
    for (const { state } of rows) states[state.toLowerCase()] = (states[state.toLowerCase()] ?? 0) + 1;
    count += rows.length;
    sockets.push(...rows.slice(0, MAX_SOCKETS - sockets.length));
  }
  const owners = await ownersOf(new Set(sockets.map(({ inode }) => inode)));
  const list: Record<string, unknown>[] = [];
  for (const { inode, ...shown } of sockets) {
    list.push({ ...shown, pid: Number(owners.get(inode) ?? 0) });
    if (list.length % TURN_SIZE === 0) await nextTurn();
  }
  return { list, count, states, truncated: count > sockets.length };
}

/** Resolves to undefined when `work` takes longer than `MOUNT_WAIT_MS`; the work continues, and its result is ignored. */
async function within<T>(clock: Clock, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  using _timer = clock.after(MOUNT_WAIT_MS, () => resolve(undefined));
  return await Promise.race([work, promise]);
}

/** Reads a fact once, because it does not change while the machine runs. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
