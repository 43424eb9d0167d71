/** Requests of one question that are under way at a time: a browser has six connections, and other parts ask as well. */
const AT_A_TIME = 3;

/** Does something for each item, a few at a time. The first failure ends it: items that are not begun by then stay undone. */
export async function inTurns<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (let next = left.next(); !next.done && !hasFailed; next = left.next())
      await run(next.value).catch((reason: unknown) => {
        hasFailed = true;
        throw reason;
      });
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, worker));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
