import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { NEXT_NUMBER, type NextNumber, numberCollection } from "../collection.ts";

const COUNTER = "tickets.num";

const stored = (tx: ReadTx): Promise<NextNumber | undefined> => tx.collection(numberCollection).get(NEXT_NUMBER);

/** The next number. Other creators wait until the transaction ends, so that none is left out or given twice. */
export async function takeNumber(tx: WriteTx): Promise<number> {
  const count = await tx.counter(COUNTER);
  const ahead = (await stored(tx))?.ahead ?? 0;
  const num = count + ahead;
  await put(tx, { id: NEXT_NUMBER, next: num + 1, ...(ahead === 0 ? {} : { ahead }) });
  return num;
}

/** From now on numbers are above `floor`. The counter itself goes up by one alone, so what it lacks is added to it. */
export async function raiseNumber(tx: WriteTx, floor: number): Promise<void> {
  if ((await nextNumber(tx)) > floor) return;
  const count = await tx.counter(COUNTER);
  const ahead = Math.max(0, floor - count);
  await put(tx, { id: NEXT_NUMBER, next: count + ahead + 1, ...(ahead === 0 ? {} : { ahead }) });
}

const put = (tx: WriteTx, record: NextNumber): Promise<void> =>
  tx.overwrite(numberCollection, [{ id: NEXT_NUMBER, json: JSON.stringify(record) }]);

export const nextNumber = async (tx: ReadTx): Promise<number> => (await stored(tx))?.next ?? 1;
