/** Bytes by lower-case kernel name; `total`, `free`, `available` and `used` come first. */
export type MemoryUsage = Readonly<Record<string, number>>;

const RENAMED: Readonly<Record<string, string>> = { memtotal: "total", memfree: "free", memavailable: "available" };

/**
 * Parses `/proc/meminfo`. `used` is the memory that is not available to a new program. Leaves out split counters like
 * `Active(anon)`.
 */
export function parseMemory(text: string): MemoryUsage {
  const found: Record<string, number> = {};
  for (const line of text.split("\n")) {
    const match = /^(\w+):\s+(\d+)( kB)?$/.exec(line.trimEnd());
    if (!match) continue;
    const name = (match[1] ?? "").toLowerCase();
    found[RENAMED[name] ?? name] = Number(match[2]) * (match[3] ? 1024 : 1);
  }
  const { total = 0, free = 0, buffers = 0, cached = 0 } = found;
  // Kernels before 3.14 do not report `MemAvailable`.
  const { available = free + buffers + cached } = found;
  return { total, free, used: total - available, available, ...found };
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
