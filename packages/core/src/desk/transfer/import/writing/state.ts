import { leavesOf } from "../../../../directory/state/rules.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { type ImportTools, LineError, type Place } from "../tools.ts";

/**
 * Members that are not imported: the scheduler stays switched off after an import, numbers follow the imported tickets, states
 * come with the events, and the running internal job is the import itself.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["scheduler", "events", "internal_jobs", "next_ticket_num"]);

/** Imports the global state value by value. A value that cannot be stored is reported and left out. */
export async function takeState({ cradle, batch, tally }: ImportTools, value: unknown, { line }: Place): Promise<void> {
  if (!isObject(value)) throw new LineError("The global state is no object");
  await batch.flush();
  const { next_ticket_num: next } = value;
  if (Number.isInteger(next)) await cradle.transact(({ tx }) => cradle.tickets.raiseNumber(tx, Number(next) - 1));
  for (const [name, member] of Object.entries(value)) {
    if (LEFT_OUT.has(name)) continue;
    const leaves = leavesOf(name, member);
    if ("kind" in leaves) {
      tally.fault(line, "A value of the global state cannot be kept");
      continue;
    }
    await cradle.transact(async ({ tx }) => {
      await tx.lock("global_state");
      for (const [path, leaf] of leaves) await cradle.state.set(tx, path, leaf);
    });
    tally.took("values of the global state", leaves.size);
  }
}
