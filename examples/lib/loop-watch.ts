import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoopReport {
  /** 99th percentile, in milliseconds. */
  readonly p99: number;
  readonly longest: number;
  /** Processor time of the longest work between two turns of the event loop; other processes do not count. */
  readonly longestWork: number;
}

/** Watches the event loop of this process from now on; resolves to a function that ends the watch. */
export async function watchLoop(): Promise<() => LoopReport> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let before = spentMs();
  let longestWork = 0;
  const timer = setInterval(() => {
    const now = spentMs();
    longestWork = Math.max(longestWork, now - before);
    before = now;
  }, 1).unref();
  delay.enable();
  // The histogram counts from its first tick on, and the work that follows must not precede it.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return () => {
    clearInterval(timer);
    delay.disable();
    return { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6, longestWork };
  };
}

/** Processor time of the main thread. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
