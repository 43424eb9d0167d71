/** Milliseconds of processor time that work takes on this thread: a busy machine makes it wait, but not work longer. */
export function threadMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
