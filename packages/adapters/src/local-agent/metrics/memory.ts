import { eachLabel } from "./read-host.ts";

/** Bytes by lower-case kernel name; `total`, `free`, `available` and `used` come first. */
export type MemoryUsage = Readonly<Record<string, number>>;

const RENAMED: Readonly<Record<string, string>> = { memtotal: "total", memfree: "free", memavailable: "available" };

/** Names as reported, by the kernel's own; empty = left out, like the split counter `Active(anon)`. */
const names = new Map<string, string>();

function nameOf(own: string): string {
  const lower = /^\w+$/.test(own) ? own.toLowerCase() : "";
  const name = RENAMED[lower] ?? lower;
  names.set(own, name);
  return name;
}

/** Parses `/proc/meminfo`. `used` is the memory that is not available to a new program. */
export function parseMemory(text: string): MemoryUsage {
  const found: Record<string, number> = { total: 0, free: 0, used: 0, available: -1 };
  eachLabel(text, (label, place, end) => {
    const name = names.get(label) ?? nameOf(label);
    const value = Number.parseInt(text.slice(place, end), 10);
    if (name && !Number.isNaN(value)) found[name] = text.endsWith("kB", end) ? value * 1024 : value;
  });
  const { total = 0, free = 0, available = -1, buffers = 0, cached = 0 } = found;
  // Kernels before 3.14 do not report `MemAvailable`.
  if (available < 0) found["available"] = free + buffers + cached;
  found["used"] = total - (found["available"] ?? 0);
  return found;
}

/** The shorter form for the hello message, in which `used` includes caches. */
export function helloMemory(memory: MemoryUsage): MemoryUsage {
  const of = (name: string): number => memory[name] ?? 0;
  return {
    total: of("total"),
    free: of("free"),
    used: of("total") - of("free"),
    active: of("total") - of("available"),
    available: of("available"),
    buffers: of("buffers"),
    cached: of("cached"),
    slab: of("slab"),
    buffcache: of("buffers") + of("cached") + of("slab"),
    reclaimable: of("sreclaimable"),
    swaptotal: of("swaptotal"),
    swapused: of("swaptotal") - of("swapfree"),
    swapfree: of("swapfree"),
    writeback: of("writeback"),
    dirty: of("dirty"),
  };
}
