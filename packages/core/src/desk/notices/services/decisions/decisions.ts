import type { Invocation } from "../../../../fleet/alerts/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { decisionCollection } from "../../collection.ts";
import type { Decision, Member, Problem, Standpoint } from "../../model.ts";

/** Records, once per invocation, that nobody is notified of some firings because no route matches. */
export async function noteUnrouted(
  { clock, snapshot, transact }: Pick<Cradle, "clock" | "snapshot" | "transact">,
  firings: readonly Invocation[],
): Promise<void> {
  if (firings.length === 0) return;
  const ids = firings.map(({ id }) => `${id}:none`);
  const known = await snapshot((tx) => tx.collection(decisionCollection).getMany(ids));
  for (const [at, { id: invocation }] of firings.entries()) {
    const id = `${invocation}:none`;
    if (known[at]) continue;
    await transact(async ({ tx }) => {
      if (await tx.collection(decisionCollection).get(id)) return;
      const by = { kind: "no_route", id: "", title: "" } as const;
      const from = Math.floor(clock.now());
      await tx
        .collection(decisionCollection)
        .insert({ id, invocation, receiver: null, verdict: "none", by, from, to: null });
    });
  }
}

/** Stores decisions that are no longer in force; the current ones are part of the problem. */
export async function keepDecisions(tx: WriteTx, before: Problem, after: Problem, now: number): Promise<void> {
  const known = new Map(before.members.map((member) => [member.invocation, member]));
  for (const member of after.members)
    for (const past of pastOf(known.get(member.invocation), member)) {
      // Skips a decision that lasted less than a second: it would take the place of the next one.
      if (past.standing.from === now) continue;
      const decision = decisionOf(after, member, past);
      const decisions = tx.collection(decisionCollection);
      if (!(await decisions.get(decision.id))) await decisions.insert({ ...decision, to: now });
    }
}

interface Past {
  readonly receiver: string;
  readonly standing: Standpoint;
}

/** Standpoints that have changed. */
const pastOf = (before: Member | undefined, { standing }: Member): Past[] =>
  Object.entries(before?.standing ?? {}).flatMap(([receiver, known]) =>
    standing[receiver] !== known && !isSame(standing[receiver], known) ? [{ receiver, standing: known }] : [],
  );

const isSame = (a: Standpoint | undefined, b: Standpoint): boolean => a?.from === b.from && a.verdict === b.verdict;

export function decisionOf(problem: Problem, { invocation }: Member, { receiver, standing }: Past): Decision {
  const { from, ...rest } = standing;
  const id = `${invocation}:${receiver}:${problem.id}:${from}`;
  return { id, invocation, receiver, problem: problem.id, ...rest, from, to: null };
}
