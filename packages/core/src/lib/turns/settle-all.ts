type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/** Like `Promise.all`, but rejects only when all promises have settled, so that nothing continues after the caller has ended. */
export async function settleAll<const T extends readonly Promise<unknown>[]>(running: T): Promise<Settled<T>> {
  const ends = await Promise.allSettled(running);
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  }) as Settled<T>;
}
