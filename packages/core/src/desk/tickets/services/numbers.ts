import { settleAll } from "../../../lib/settle-all.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { NEXT_NUMBER, type NextNumber, numberCollection } from "../collection.ts";

const COUNTER = "tickets.num";

const stored = (tx: ReadTx): Promise<NextNumber | undefined> => tx.collection(numberCollection).get(NEXT_NUMBER);

/**
 * Gives `use` the next number. Other creators wait until the transaction ends, so that no number is left out or given
 * twice; there are only two round trips to the storage, because the others wait for those too.
 */
export async function withNumber(tx: WriteTx, use: (num: number) => Promise<void>): Promise<number> {
  const [count, known] = await settleAll([tx.counter(COUNTER), stored(tx)]);
  const ahead = known?.ahead ?? 0;
  const num = count + ahead;
  await settleAll([put(tx, { id: NEXT_NUMBER, next: num + 1, ...(ahead === 0 ? {} : { ahead }) }), use(num)]);
  return num;
}

/** Raises numbers above `floor`. The counter itself goes up by one alone, so its lag is kept in `ahead`. */
export async function raiseNumber(tx: WriteTx, floor: number): Promise<void> {
  if ((await nextNumber(tx)) > floor) return;
  const count = await tx.counter(COUNTER);
  const ahead = Math.max(0, floor - count);
  await put(tx, { id: NEXT_NUMBER, next: count + ahead + 1, ...(ahead === 0 ? {} : { ahead }) });
}

const put = (tx: WriteTx, record: NextNumber): Promise<void> =>
  tx.overwrite(numberCollection, [{ id: NEXT_NUMBER, json: JSON.stringify(record) }]);

export const nextNumber = async (tx: ReadTx): Promise<number> => (await stored(tx))?.next ?? 1;
