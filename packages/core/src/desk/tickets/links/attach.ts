import { invocationCollection } from "../../../fleet/alerts/collection.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { activeJobCollection, jobCollection } from "../../../work/jobs/collection.ts";
import type { TicketOrigin } from "./templates.ts";

const withTicket = (tickets: readonly string[] | undefined, ticket: string): string[] => [
  ...new Set([...(tickets ?? []), ticket]),
];

/** A ticket id in the list of a job or an invocation, which may be gone by now. */
export async function attachTicket(
  unit: Pick<Unit, "tx" | "emit">,
  { kind, id }: TicketOrigin,
  ticket: string,
): Promise<void> {
  if (kind === "job") return attachToJob(unit, id, ticket);
  const invocations = unit.tx.collection(invocationCollection);
  if (!(await invocations.get(id))) return;
  await invocations.update(id, (stored) => ({ ...stored, tickets: withTicket(stored.tickets, ticket) }));
}

async function attachToJob({ tx, emit }: Pick<Unit, "tx" | "emit">, id: string, ticket: string): Promise<void> {
  const actives = tx.collection(activeJobCollection);
  const finals = tx.collection(jobCollection);
  if (await actives.get(id))
    await actives.update(id, (stored) => {
      const { job } = stored;
      return { ...stored, job: { ...job, tickets: withTicket(job.tickets, ticket) } };
    });
  else if (await finals.get(id))
    await finals.update(id, (stored) => ({ ...stored, tickets: withTicket(stored.tickets, ticket) }));
  else return;
  emit("job.updated", { id });
}
