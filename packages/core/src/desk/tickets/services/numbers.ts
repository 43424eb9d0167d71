import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { NEXT_NUMBER, numberCollection } from "../collection.ts";

const COUNTER = "tickets.num";

/** The next number. Other creators wait until the transaction ends, so that none is left out or given twice. */
export async function takeNumber(tx: WriteTx): Promise<number> {
  const num = await tx.counter(COUNTER);
  const record = { id: NEXT_NUMBER, next: num + 1 };
  await tx.overwrite(numberCollection, [{ id: NEXT_NUMBER, json: JSON.stringify(record) }]);
  return num;
}

export const nextNumber = async (tx: ReadTx): Promise<number> =>
  (await tx.collection(numberCollection).get(NEXT_NUMBER))?.next ?? 1;
