/** Milliseconds of processor time that work takes on this thread, which do not grow when the machine is busy. */
export function threadMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
