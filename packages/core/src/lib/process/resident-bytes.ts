/** Bytes of memory that this process has; where the system hides that, the most that it ever had. */
export function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    // Linux tells it in /proc alone, which a container may hide; the other figure needs no file.
    return process.resourceUsage().maxRSS * 1024;
  }
}
