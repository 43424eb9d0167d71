/** Requests of one question that are under way at a time: a browser has six connections, and other parts ask as well. */
const AT_A_TIME = 3;

/** Does something for each item, a few at a time; the first failure ends it. */
export async function inTurns<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await run(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
