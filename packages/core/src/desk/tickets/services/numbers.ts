import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { NEXT_NUMBER, type NextNumber, numberCollection } from "../collection.ts";

const COUNTER = "tickets.num";

/** Gives tickets their numbers. */
export interface TicketNumbers {
  /** Takes the next number. Other creators wait until the transaction ends, so that no number is skipped or given twice. */
  take(tx: WriteTx): Promise<number>;
  /** Number of the next ticket. */
  next(tx: ReadTx): Promise<number>;
  /** Raises the counter, so that later numbers are above `floor`. */
  raise(tx: WriteTx, floor: number): Promise<void>;
}

export function createTicketNumbers(): TicketNumbers {
  /** True once the number that an earlier version stored separately has been moved into the counter. */
  let isMoved = false;

  async function move(tx: WriteTx): Promise<void> {
    if (isMoved) return;
    await tx.lock(COUNTER);
    const kept = await keptBeside(tx);
    if (kept) {
      await raiseCounter(tx, kept.next - 1);
      await tx.collection(numberCollection).delete(NEXT_NUMBER);
    }
    tx.afterCommit(() => {
      isMoved = true;
    });
  }

  return {
    async take(tx) {
      await move(tx);
      return tx.counter(COUNTER);
    },
    async next(tx) {
      const kept = isMoved ? undefined : await keptBeside(tx);
      return Math.max((await tx.counted(COUNTER)) + 1, kept?.next ?? 0);
    },
    async raise(tx, floor) {
      await move(tx);
      await raiseCounter(tx, floor);
    },
  };
}

const keptBeside = (tx: ReadTx): Promise<NextNumber | undefined> => tx.collection(numberCollection).get(NEXT_NUMBER);

async function raiseCounter(tx: WriteTx, floor: number): Promise<void> {
  if ((await tx.counted(COUNTER)) < floor) await tx.counter(COUNTER, floor - 1);
}
