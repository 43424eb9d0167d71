import type { RunningServer } from "../program.ts";
import type { Ledger } from "./ledger.ts";

/** Mixed writes from one client until the server goes away. */
export async function writeUntilGone(server: RunningServer, ledger: Ledger, client: string): Promise<void> {
  for (let n = 0; ; n++) {
    const id = `${client}_${n}`;
    try {
      await create(server, ledger, id);
      await update(server, ledger, id, 2);
      await update(server, ledger, id, 3);
      if (n % 3 === 0) await remove(server, ledger, id);
      if (n % 20 === 0) await launch(server, ledger);
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
  }
}

async function create(server: RunningServer, ledger: Ledger, id: string): Promise<void> {
  const entry = { acknowledged: 0, inFlight: "create" as const, deleted: false };
  ledger.entries.set(id, entry);
  accept(await server.call("create_tag", { id, title: id, notes: "revision 1" }));
  ledger.entries.set(id, { acknowledged: 1, inFlight: undefined, deleted: false });
  ledger.acknowledgedWrites += 1;
}

async function update(server: RunningServer, ledger: Ledger, id: string, revision: number): Promise<void> {
  ledger.entries.set(id, { acknowledged: revision - 1, inFlight: "update", deleted: false });
  accept(await server.call("update_tag", { id, notes: `revision ${revision}` }));
  ledger.entries.set(id, { acknowledged: revision, inFlight: undefined, deleted: false });
  ledger.acknowledgedWrites += 1;
}

async function remove(server: RunningServer, ledger: Ledger, id: string): Promise<void> {
  ledger.entries.set(id, { acknowledged: 3, inFlight: "delete", deleted: false });
  accept(await server.call("delete_tag", { id }));
  ledger.entries.set(id, { acknowledged: 3, inFlight: undefined, deleted: true });
  ledger.acknowledgedWrites += 1;
}

async function launch(server: RunningServer, ledger: Ledger): Promise<void> {
  const answer = await server.call("run_event", { id: "long_job" });
  accept(answer);
  ledger.jobs.add(String(answer["id"]));
  ledger.acknowledgedWrites += 1;
}

/** An answer that is not success is a fault of the server: the requests are all valid. */
function accept(answer: Record<string, unknown>): void {
  if (answer["code"] !== 0) throw new Error(`Refused: ${JSON.stringify(answer)}`);
}

/** The connection broke, so the outcome is unknown; anything else is an error. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof SyntaxError && /JSON/.test(error.message));
}
