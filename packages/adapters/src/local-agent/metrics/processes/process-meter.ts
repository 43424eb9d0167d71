import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Clock } from "@signalbox/core/adapter";
import { inSlices, readNames, readNow, readPids, readText } from "../read-host.ts";
import {
  commandOf,
  coreShare,
  type KernelUnits,
  type ProcessInfo,
  type ProcessStat,
  parseNames,
  parseProcessStat,
  processInfo,
} from "./process-table.ts";

/** Most processes in one sample (docs/contract/satellites.md#bounds). */
const MAX_PROCESSES = 20_000;
const MAX_TREE = 500;
const SLICE = 16;

interface Known {
  readonly startTicks: number;
  readonly command: string;
  readonly user: string;
  readonly group: string;
  readonly ticks: number;
  readonly at: number;
}

/** A process of a job; `disk` is bytes read and written so far. */
export interface TreeProcess extends ProcessInfo {
  readonly disk: number;
}

interface ProcessSample {
  readonly list: readonly ProcessInfo[];
  readonly truncated: boolean;
}

export interface ProcessMeter {
  list(units: KernelUnits): Promise<ProcessSample>;
  /** A process and its descendants; empty when it has ended. `memory` keeps figures for the next call on the same tree. */
  tree(pid: number, units: KernelUnits, memory: TreeMemory): Promise<TreeProcess[]>;
}

export type TreeMemory = Map<number, { ticks: number; at: number }>;

export function createProcessMeter(clock: Pick<Clock, "now">): ProcessMeter {
  const names = createNameBook();
  let known: ReadonlyMap<number, Known> = new Map();
  return {
    async list(units) {
      const pids = await readPids();
      const next = new Map<number, Known>();
      const list = await inSlices(pids.slice(0, MAX_PROCESSES), SLICE, async (pid) => {
        const stat = readStat(pid);
        if (!stat) return undefined;
        const old = known.get(stat.pid);
        // Process ids are reused; the start time tells two processes apart.
        const same = old?.startTicks === stat.startTicks ? old : undefined;
        const facts = same ?? (await factsOf(stat, names));
        const nowSec = clock.now();
        const share = coreShare(stat, same, { nowSec, units });
        const command = stat.state === "Z" ? commandOf("", stat) : facts.command;
        next.set(stat.pid, { ...facts, startTicks: stat.startTicks, ticks: stat.ticks, at: nowSec });
        return processInfo(stat, { ...facts, command, share }, { nowSec, units });
      });
      known = next;
      return { list, truncated: pids.length > MAX_PROCESSES };
    },
    async tree(pid, units, memory) {
      const found = await inSlices(await descendants(pid), SLICE, async (each) => {
        const stat = readStat(each);
        if (!stat || stat.state === "Z") return undefined;
        const io = await readText(`/proc/${each}/io`);
        // Read each time, because a shell may become the program that it executes.
        const facts = await factsOf(stat, names);
        const nowSec = clock.now();
        const share = coreShare(stat, memory.get(stat.pid), { nowSec, units });
        memory.set(stat.pid, { ticks: stat.ticks, at: nowSec });
        return { ...processInfo(stat, { ...facts, share }, { nowSec, units }), disk: bytesOf(io) };
      });
      const alive = new Set(found.map((process) => process.pid));
      for (const each of memory.keys()) if (!alive.has(each)) memory.delete(each);
      return found;
    },
  };
}

interface Names {
  readonly command: string;
  readonly user: string;
  readonly group: string;
}

async function factsOf(stat: ProcessStat, names: () => Promise<NameBook>): Promise<Names> {
  const { uid, gid } = ownerOf(stat.pid);
  const [cmdline, { users, groups }] = await Promise.all([readText(`/proc/${stat.pid}/cmdline`), names()]);
  return {
    command: commandOf(cmdline ?? "", stat),
    user: users.get(uid) ?? String(uid),
    group: groups.get(gid) ?? String(gid),
  };
}

function readStat(pid: string | number): ProcessStat | undefined {
  const text = readNow(`/proc/${pid}/stat`);
  return text === "" ? undefined : parseProcessStat(text);
}

function ownerOf(pid: number): { uid: number; gid: number } {
  try {
    return statSync(`/proc/${pid}`);
  } catch {
    // The process ended between the two reads.
    return { uid: -1, gid: -1 };
  }
}

/** Goes breadth first through the kernel's child lists, so that the cost depends on the tree, not on the machine. */
async function descendants(root: number): Promise<number[]> {
  const found: number[] = [root];
  for (let index = 0; index < found.length && found.length < MAX_TREE; index++) {
    const pid = found[index] ?? 0;
    const threads = await readNames(`/proc/${pid}/task`);
    const texts = await inSlices(threads, SLICE, (thread) => readText(`/proc/${pid}/task/${thread}/children`));
    for (const text of texts) found.push(...text.trim().split(" ").filter(Boolean).map(Number));
  }
  return found.slice(0, MAX_TREE);
}

/** Bytes read and written through system calls, caches included. */
function bytesOf(io: string | undefined): number {
  const of = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io ?? "")?.[1] ?? 0);
  return of("rchar") + of("wchar");
}

interface NameBook {
  readonly users: ReadonlyMap<number, string>;
  readonly groups: ReadonlyMap<number, string>;
}

/** User and group names, read once. */
function createNameBook(): () => Promise<NameBook> {
  const read = async (): Promise<NameBook> => ({
    users: parseNames((await readText("/etc/passwd")) ?? ""),
    groups: parseNames((await readText("/etc/group")) ?? ""),
  });
  let book: Promise<NameBook> | undefined;
  return () => {
    book ??= read();
    return book;
  };
}

/** The raw auxiliary vector of this process, for `parseAuxv`. */
export async function readAuxv(): Promise<Buffer> {
  try {
    return await readFile("/proc/self/auxv");
  } catch {
    // Some sandboxes withhold it; `parseAuxv` then uses the usual units.
    return Buffer.alloc(0);
  }
}
