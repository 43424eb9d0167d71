/** Most requests at a time for one question: a browser has six connections, and other parts send requests as well. */
const AT_A_TIME = 3;

/** Processes the items, a few at a time. After the first failure no further item begins, and the promise rejects with it. */
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
