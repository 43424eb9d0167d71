import { isLimited } from "../../directory/access/require-access.ts";
import type { Invocation } from "../../fleet/alerts/model.ts";
import type { QueryContext } from "../../kernel/calls/context.ts";
import type { References } from "./service.ts";

type Reader = Pick<QueryContext, "actor" | "tx">;

/**
 * Firings without the jobs and tickets that the caller may not read, since a server of the caller's groups also runs jobs of
 * other categories (docs/contract/privileges.md#restrictions).
 */
export async function firingsWithin<T extends Invocation | undefined>(
  visible: References["visible"],
  reader: Reader,
  invocations: readonly T[],
): Promise<readonly T[]> {
  if (!isLimited(reader.actor)) return invocations;
  const all = invocations.filter((each) => each !== undefined);
  const named = all.flatMap(({ jobs, owed }) => [...jobs, ...(owed?.active_jobs ?? []).map(({ id }) => id)]);
  const jobs = await visible(reader, "job", [...new Set(named)]);
  const tickets = await visible(reader, "ticket", [...new Set(all.flatMap((each) => each.tickets))]);
  return invocations.map((each) => each && keeping(each, jobs, tickets));
}

type Ids = ReadonlySet<string>;

function keeping<T extends Invocation>(firing: T, jobs: Ids, tickets: Ids): T {
  const { owed } = firing;
  const left = owed?.active_jobs?.filter(({ id }) => jobs.has(id));
  return {
    ...firing,
    jobs: firing.jobs.filter((id) => jobs.has(id)),
    tickets: firing.tickets.filter((id) => tickets.has(id)),
    ...(owed && left ? { owed: { ...owed, active_jobs: left } } : {}),
  };
}
