import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { phaseAt } from "../../../../fleet/alerts/rules/evaluation/intervals.ts";
import type { Telling } from "../../../../fleet/alerts/telling.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { decisionCollection, problemCollection, routeCollection } from "../../collection.ts";
import type { Decision, Problem } from "../../model.ts";
import { toldTo } from "../../rules/members/told-to.ts";
import { isLive } from "../../rules/problem/facts.ts";
import { readRoute } from "../../rules/records/records.ts";
import { sentenceOf } from "../../rules/texts/accounts.ts";
import { type Times, timesIn } from "../../rules/texts/words.ts";
import { decisionOf } from "../decisions/decisions.ts";
import { actionRouteOf } from "../receivers/action-routes.ts";
import { type About, type Deps, titleOf, type Within } from "./about.ts";
import { toldByActions } from "./alone.ts";
import { accountOf, placeName } from "./gather.ts";

export interface Question {
  readonly invocation: Invocation;
  /** Id of one receiver; absent = all. */
  readonly receiver?: string | undefined;
  /** Unix seconds of the minute that the question is about; absent = now. */
  readonly minute?: number | undefined;
  readonly timezone?: string | undefined;
}

/** Explains the decisions on a firing, receiver by receiver. */
export type ExplainFiring = (tx: ReadTx, question: Question) => Promise<Telling[]>;

export function createExplainFiring(deps: Deps): ExplainFiring {
  return async (tx, question) => {
    const { invocation, receiver, minute, timezone } = question;
    const now = minute ?? Math.floor(deps.clock.now());
    const alert = deps.alerts.definition(invocation.alert);
    const about: About = { invocation, alert, place: placeName(deps, invocation), now };
    const own = await problemsOf(tx, invocation.id);
    const all = await decisionsOf(tx, invocation.id, own);
    const problems = [...own, ...(await othersOf(tx, all, own))];
    const known = [...new Set(all.map((each) => each.receiver))];
    const asked = receiver === undefined ? [...known, ...newTargets(deps, invocation, known)] : [receiver];
    const told = { deps, about, problems, clock: timesIn(timezone ?? deps.config.tz, Math.floor(deps.clock.now())) };
    const phases = await deps.alerts.phases(tx, { alert: invocation.alert, place: placeOf(invocation) });
    const rows: Telling[] = [];
    const phase = phaseOf(phases, minute);
    const alone = toldByActions({ deps, about, clock: told.clock, phase, minute }).filter(
      (row) => receiver === undefined || row.receiver === receiver,
    );
    for (const id of withAlone(asked, alone)) {
      const decisions = all.filter((each) => each.receiver === id);
      const isLeftOut = id !== null && decisions.length === 0 && (known.length > 0 || !invocation.active);
      rows.push(await standOf(tx, { ...told, phases, receiver: id, decisions, isLeftOut, minute }));
    }
    return [...rows, ...alone];
  };
}

/** Targets of actions for a firing that is younger than the last look, so that no decision names them yet. */
const newTargets = ({ alerts }: Deps, invocation: Invocation, known: readonly unknown[]): string[] =>
  invocation.active && known.length === 0 ? alerts.byProblem.of(invocation).map(({ id }) => id) : [];

/** Drops the row "no route matches" if actions have notified somebody. */
function withAlone(asked: readonly (string | null)[], alone: readonly Telling[]): readonly (string | null)[] {
  const own = asked.filter((id) => !alone.some((row) => row.receiver === id));
  if (alone.length > 0) return own.filter((id) => id !== null);
  return own.length > 0 ? own : [null];
}

type Phases = Standing["phases"];

const phaseOf = (phases: Phases, minute: number | undefined): Pick<Telling, "state" | "flapping"> => {
  const { state, flapping } = minute === undefined ? phases.now : (phaseAt(phases.past, minute) ?? IDLE);
  return { state, ...(flapping ? { flapping } : {}) };
};
const IDLE = { state: "idle", flapping: false } as const;

interface Standing {
  readonly deps: Deps;
  readonly about: About;
  readonly problems: readonly Problem[];
  readonly clock: Times;
  readonly phases: Awaited<ReturnType<Deps["alerts"]["phases"]>>;
  readonly receiver: string | null;
  /** Decisions about the receiver, oldest first. */
  readonly decisions: readonly Decision[];
  /** There are only decisions about other receivers. */
  readonly isLeftOut: boolean;
  readonly minute: number | undefined;
}

async function standOf(tx: ReadTx, standing: Standing): Promise<Telling> {
  const { deps, about, clock, decisions, minute, phases, receiver } = standing;
  const reasonOf = async (decision: Decision): Promise<string> =>
    sentenceOf(await accountOf(tx, deps, { ...about, ...withinOf(standing, decision), decision }), clock);
  const current = (minute === undefined ? present(decisions) : at(decisions, minute)) ?? undecided(standing);
  const within = withinOf(standing, current);
  const history = [];
  for (const decision of decisions) {
    const { from, to, verdict, by, also, notice } = decision;
    history.push({ from, to, verdict, by, also, notice, reason: await reasonOf(decision) });
  }
  const member = within.member ? toldTo(within.member, (id) => titleOf(deps, id)) : [];
  return {
    receiver,
    title: titleOf(deps, receiver),
    ...phaseOf(phases, minute),
    verdict: current.verdict,
    ...(current.by ? { by: current.by } : {}),
    also: current.also ?? [],
    ...(current.notice ? { notice: current.notice } : {}),
    due: minute === undefined ? dueOf(within, current) : null,
    told: member.filter((each) => receiver === null || each.receiver === receiver),
    reason: await reasonOf(current),
    history: [...phases.past, ...history].toSorted((a, b) => a.from - b.from),
  };
}

/** The decision in force. If the firing has moved to another route, this is the decision of that route. */
const present = (decisions: readonly Decision[]): Decision | undefined =>
  decisions.findLast(({ to, by }) => to === null && by?.kind !== "no_route") ?? decisions.at(-1);

/** The decision that covers a minute; the last one if several do. */
const at = (decisions: readonly Decision[], minute: number): Decision | undefined =>
  decisions.findLast(({ from, to }) => from <= minute + 59 && (to ?? minute) >= minute);

/** Replaces a missing decision: an action is held, no route matches, or the firing is younger than the last look. */
function undecided({ about: { invocation, now }, receiver, isLeftOut }: Standing): Decision {
  const held = invocation.active ? invocation.untold?.by : undefined;
  const waits = receiver === null ? undefined : ({ kind: "grouping", id: "", title: "" } as const);
  const by = isLeftOut ? undefined : (held ?? waits);
  return {
    id: "",
    invocation: invocation.id,
    receiver,
    verdict: by ? "held" : "none",
    by: by ?? { kind: "no_route", id: "", title: "" },
    from: now,
    to: null,
  };
}

function withinOf({ deps, about, problems }: Standing, { problem: id }: Decision): Within {
  const problem = problems.find((each) => each.id === id);
  const member = problem?.members.find(
    ({ invocation, flap }) => invocation === about.invocation.id || flap?.latest === about.invocation.id,
  );
  const stored = deps.definitions.get(routeCollection, problem?.route ?? "");
  const route = stored ? readRoute(stored) : problem && actionRouteOf(deps, problem);
  return { problem, member, route };
}

/** Unix seconds of the next time at which something can change without a new firing. */
function dueOf({ problem, member, route }: Within, { verdict, by, receiver }: Decision): number | null {
  if (!problem || !member || problem.closed !== null) return null;
  if (verdict === "held") return by?.until ?? problem.due;
  const last = member.told[receiver ?? ""]?.last;
  const isRepeated = isLive(member) && last !== undefined && route !== undefined && route.repeat_interval > 0;
  return isRepeated ? last + route.repeat_interval : problem.due;
}

const MAX_DECISIONS = 1000;
const MAX_PROBLEMS = 100;
const ofInvocation = (id: string) => hasWord("invocation", id);

const problemsOf = async (tx: ReadTx, invocation: string): Promise<readonly Problem[]> =>
  (await tx.collection(problemCollection).find(ofInvocation(invocation), { limit: MAX_PROBLEMS })).rows;

/** Other problems that decisions name: the problem of a flapping firing does not name each firing in it. */
async function othersOf(tx: ReadTx, decisions: readonly Decision[], own: readonly Problem[]): Promise<Problem[]> {
  const ids = new Set(decisions.flatMap(({ problem = [] }) => problem));
  for (const { id } of own) ids.delete(id);
  return (await tx.collection(problemCollection).getMany([...ids])).flatMap((problem) => problem ?? []);
}

/** Past and present decisions, oldest first; only the newest `MAX_DECISIONS` past ones. */
async function decisionsOf(tx: ReadTx, invocation: string, problems: readonly Problem[]): Promise<Decision[]> {
  const page = { sortBy: "from", descending: true, limit: MAX_DECISIONS };
  const { rows } = await tx.collection(decisionCollection).find(ofInvocation(invocation), page);
  const past = rows.toReversed();
  const current = problems.flatMap((problem) =>
    problem.members
      .filter((member) => member.invocation === invocation)
      .flatMap((member) =>
        Object.entries(member.standing).map(([receiver, standing]) =>
          decisionOf(problem, member, { receiver, standing }),
        ),
      ),
  );
  const isRouted = current.length > 0;
  return [...past.filter(({ receiver }) => receiver !== null || !isRouted), ...current].toSorted(
    (a, b) => a.from - b.from,
  );
}
