/** Bytes of memory that this process occupies; if the system hides that, its peak. */
export function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    // Linux reports it only in /proc, which a container may hide; the peak needs no file.
    return process.resourceUsage().maxRSS * 1024;
  }
}
