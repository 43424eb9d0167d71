import * as z from "zod";
import { isLimited, requireAccess } from "../../../directory/access/require-access.ts";
import type { Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { reachOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { acknowledgementInput } from "../../../fleet/alerts/rules/telling/acknowledgement.ts";
import type { Actor, CommandContext, QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, NotFoundError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { flag, Id, pageNumber } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { noticeCollection, problemCollection, routeCollection } from "../collection.ts";
import { Member, type NoticeHold, Problem, ToldMark } from "../model.ts";
import { markState, stateOf } from "../rules/members/told-to.ts";
import { isLive, isTaken, latestOf } from "../rules/problem/facts.ts";
import { progressOf } from "../rules/routing/steps.ts";
import { visible } from "../services/own-firings.ts";
import { firingsToTake } from "../services/problems/firings.ts";

const ShownMark = object(() => ({ ...ToldMark.shape, state: z.enum(["pending", "told", "untold"]) }));
const ShownMember = object(() => ({
  ...Member.shape,
  state: z.enum(["live", "held", "no data", "over"]),
  told: z.record(z.string(), ShownMark),
}));

/** A problem in answers; members that the caller may not see are only counted. */
export const ShownProblem = object(() => ({
  ...Problem.shape,
  members: z.array(ShownMember),
  hidden: z.number(),
  /** Id of the alert, if firings are grouped by alert. */
  alert: z.string().optional(),
  /** Unix seconds from which the steps of the route are timed; null = they stand still. */
  clock: z.number().nullable(),
  /** The latest step that has begun, and its round; both are counted from 0. A null step = none has begun. */
  step: z.number().nullable(),
  round: z.number(),
  /** Whether all live firings are acknowledged. */
  acknowledged: z.boolean(),
}));
type ShownProblem = z.infer<typeof ShownProblem>;

/** Maximum pending notices of a problem to look at. */
const MAX_PENDING = 1000;

/** Firings of a problem whose first notice to a receiver is pending, as "<receiver> <invocation>". */
async function pendingIn(tx: ReadTx, { id }: Problem): Promise<ReadonlySet<string>> {
  const of = hasWord("problem", id);
  const pending = hasWord("outcome", "pending");
  const where = allOf([of, pending]);
  const { rows } = await tx.collection(noticeCollection).find(where, { limit: MAX_PENDING });
  return new Set(rows.flatMap(({ receiver, new: fresh }) => fresh.map((invocation) => `${receiver} ${invocation}`)));
}

function shownMember(member: Member, pending: ReadonlySet<string>): z.infer<typeof ShownMember> {
  const told = Object.entries(member.told).map(([receiver, mark]) => {
    const state = markState(mark, pending.has(`${receiver} ${member.invocation}`));
    return [receiver, { ...mark, state }] as const;
  });
  return { ...member, state: stateOf(member), told: Object.fromEntries(told) };
}

/** Adds progress to a problem, computed from its members, route and pending notices. */
async function withProgress(tx: ReadTx, problem: Problem): Promise<Omit<ShownProblem, "hidden">> {
  const pending = await pendingIn(tx, problem);
  const route = await tx.collection(routeCollection).get(problem.route);
  const live = problem.members.filter(isLive);
  const groupedBy = new Map<string, string>(JSON.parse(problem.key));
  const alert = groupedBy.get("alert");
  return {
    ...problem,
    members: problem.members.map((member) => shownMember(member, pending)),
    ...(alert === undefined ? {} : { alert }),
    // Problems that stand for actions have one step.
    ...progressOf(problem, route?.steps.length ?? 1),
    acknowledged: live.length > 0 && live.every(isTaken),
  };
}

/** A problem as the caller may see it; undefined = none of its members is visible. */
async function shownProblem(tx: ReadTx, actor: Actor, stored: Problem): Promise<ShownProblem | undefined> {
  const problem = await withProgress(tx, stored);
  if (!isLimited(actor)) return { ...problem, hidden: 0 };
  const seen = await visible(
    tx,
    actor,
    problem.members.map(({ invocation }) => invocation),
  );
  const members = problem.members.filter(({ invocation }) => seen.has(invocation));
  return members.length === 0 ? undefined : { ...problem, members, hidden: problem.members.length - members.length };
}

const MAX_PAGE = 200;
/** Maximum problems to look at for a limited caller; the newest ones count. */
const MAX_LOOKED = 10_000;

interface Paging {
  readonly words: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

const pageOf = (tx: ReadTx, { words, ...page }: Paging): Promise<{ rows: Problem[]; total: number }> =>
  tx.collection(problemCollection).find(hasWord("state", words), { sortBy: "opened", descending: true, ...page });

/** A page of the problems with a firing that a limited caller may see. Others are not counted and leave no gaps. */
async function pageWithin(tx: ReadTx, actor: Actor, { words, offset, limit }: Paging): ReturnType<typeof pageOf> {
  const own: Problem[] = [];
  let total = 0;
  for (let from = 0; from < MAX_LOOKED; from += MAX_PAGE) {
    const { rows } = await pageOf(tx, { words, offset: from, limit: MAX_PAGE });
    const firings = rows.flatMap(({ members }) => members.map(({ invocation }) => invocation));
    const seen = await visible(tx, actor, firings);
    for (const problem of rows) {
      if (!problem.members.some(({ invocation }) => seen.has(invocation))) continue;
      if (total >= offset && own.length < limit) own.push(problem);
      total++;
    }
    if (rows.length < MAX_PAGE) break;
  }
  return { rows: own, total };
}

export const getProblems = defineQuery({
  name: "get_problems",
  method: "ANY",
  summary:
    "List problems, the newest first: firings that are reported together, who was notified of them, and what is due next.",
  access: credentials,
  input: looseObject(() => ({
    open: flag().default(true),
    offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: pageNumber(50, MAX_PAGE).optional(),
  })),
  output: listOf(ShownProblem),
  async handler({ open, offset = 0, limit = 50 }, { actor, tx }) {
    const paging = { words: open ? ["open"] : ["open", "closed"], offset, limit };
    const { rows, total } = await (isLimited(actor) ? pageWithin(tx, actor, paging) : pageOf(tx, paging));
    const shown = await Promise.all(rows.map((problem) => shownProblem(tx, actor, problem)));
    return asList(
      shown.flatMap((problem) => problem ?? []),
      total,
    );
  },
});

export const getProblem = defineQuery({
  name: "get_problem",
  method: "ANY",
  summary: "Read one problem with the firings in it that the caller may see.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ problem: ShownProblem })),
  handler: async ({ id }, context) => ({ problem: await requireProblem(context, id) }),
});

async function requireProblem(
  { actor, tx }: Pick<QueryContext, "actor" | "tx">,
  id: string,
  taken?: ReadonlyMap<string, readonly NoticeHold[]>,
): Promise<ShownProblem> {
  const problem = await tx.collection(problemCollection).get(id);
  if (!problem) throw new NotFoundError(`Failed to locate problem: ${id}`);
  const shown = await shownProblem(tx, actor, taken ? withHolds(problem, taken) : problem);
  return shown ?? (await refuseAll(tx, actor, problem.members[0]?.invocation));
}

/** The problem with the holds, by invocation, that its next decision will store. */
function withHolds(problem: Problem, holds: ReadonlyMap<string, readonly NoticeHold[]>): Problem {
  const members = problem.members.map((member) => {
    const [hold, ...also] = holds.get(latestOf(member)) ?? [];
    if (!hold) return member;
    const { also: _former, free: _since, ...known } = member;
    return { ...known, hold, ...(also.length > 0 ? { also } : {}) };
  });
  return { ...problem, members };
}

/** Refuses a caller who may see none of the firings, with the same error as a read of the first firing. */
export async function refuseAll(tx: ReadTx, actor: Actor, id = ""): Promise<never> {
  const first = await tx.collection(invocationRecords).get(id);
  requireAccess(actor, first ? reachOf(first) : { serverGroups: [] });
  throw new NotFoundError(`Failed to locate alert invocation: ${id}`);
}

/** Current holds of firings, by invocation. */
async function holdsOf(
  { services, tx }: CommandContext,
  firings: readonly Invocation[],
): Promise<ReadonlyMap<string, readonly NoticeHold[]>> {
  const found = await tx.collection(invocationRecords).getMany(firings.map(({ id }) => id));
  const holds = new Map<string, readonly NoticeHold[]>();
  for (const firing of found) if (firing) holds.set(firing.id, await services.alerts.noticeHolds(tx, firing));
  return holds;
}

export const acknowledgeProblem = defineCommand({
  name: "acknowledge_problem",
  summary: "Acknowledge all live firings of a problem that the caller may see.",
  access: privilege("acknowledge_alerts"),
  refuses: ["alert", "notfound", "problem"],
  input: looseObject(() => ({
    id: Id,
    ...acknowledgementInput,
  })),
  output: object(() => ({ problem: ShownProblem })),
  async handler({ id, ...given }, context) {
    const problem = await requireProblem(context, id);
    const live = await firingsToTake(context.tx, problem.members);
    if (live.length === 0) throw new DomainError("problem", "conflict", `The problem has ended already: ${id}`);
    const { actor, audit, now, services } = context;
    const takeover = { ...given, username: actor.id };
    for (const firing of live) await services.alerts.acknowledge(context, firing.id, takeover, now);
    audit("problem_acknowledge", { description: given.comment, keywords: [id], problem: { id, route: problem.route } });
    return { problem: await requireProblem(context, id, await holdsOf(context, live)) };
  },
});
