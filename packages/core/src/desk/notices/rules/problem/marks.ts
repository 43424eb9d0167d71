import type { Member, Notice, Problem } from "../../model.ts";

type Named = Pick<Notice, "id" | "receiver" | "new" | "repeated" | "over">;

const changed = (problem: Problem, ids: readonly string[], change: (member: Member) => Member): Problem => ({
  ...problem,
  members: problem.members.map((member) => (ids.includes(member.invocation) ? change(member) : member)),
});

/** The problem as if a notice that was never sent had not been: its new firings are untold again. */
export function withoutNotice(problem: Problem, { receiver, new: fresh }: Named): Problem {
  return changed(problem, fresh, ({ told, ...member }) => {
    const { [receiver]: _mark, ...others } = told;
    return { ...member, told: others };
  });
}

/** A notice that did not arrive: its new firings count as untold, and are told again at the next repetition. */
export function withFailed(problem: Problem, notice: Named, now: number): Problem {
  const { id, receiver } = notice;
  const by = { kind: "delivery", id, title: "" } as const;
  const failed = changed(problem, notice.new, (member) => ({
    ...member,
    told: { ...member.told, [receiver]: { first: now, last: now, count: 0, failed: true } },
    standing: { ...member.standing, [receiver]: { verdict: "failed", by, notice: id, from: now } },
  }));
  return { ...failed, due: now };
}
