import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { nextTurn } from "../../../../lib/turns/gather-more.ts";
import type { ActiveJob } from "../../../jobs/model.ts";
import { jobRecords } from "../../../jobs/records.ts";
import { beneath, workflowEndCollection, workflowPartCollection, workflowRunCollection } from "../../collection.ts";
import { EMPTY_NODE, EMPTY_RUN, type WorkflowEnd, type WorkflowRun } from "../../model.ts";
import { payloadOf } from "../../rules/parts.ts";
import { type Happening, hasSteps } from "../../rules/steps/advance.ts";
import { isWaitOver, waitKey } from "../../rules/steps/controllers.ts";
import { nextKey } from "../../rules/steps/left.ts";
import { LAUNCHED_IN_A_STEP, pieceKey } from "../../rules/steps/portions.ts";
import { carryOut, keptOf, type OrderDeps } from "./orders.ts";
import { answerOf } from "./questions.ts";
import type { Session, Sessions } from "./session.ts";

/** Advances runs, with one transaction per step. A repeated step finds nothing left to process. */
export interface Steps {
  /** Creates the run of a workflow job, in the unit in which the job becomes active. */
  begin(unit: Unit, record: ActiveJob): Promise<void>;
  /** Processes everything that has happened to a run. */
  step(id: string): Promise<void>;
  /** Starts nothing more; ends the run when nothing is running. */
  close(id: string, reason: string): Promise<void>;
  /** Processes the result of a stand-alone action. */
  acted(id: string, act: Pick<Happening & { kind: "acted" }, "node" | "number" | "result">): Promise<void>;
}

/** Most ends that one transaction processes. */
const ENDS_IN_A_STEP = 25;

export function createSteps(deps: OrderDeps, sessions: Sessions): Steps {
  /** Executes one transaction of a run; returns its session, or undefined when the run no longer exists. */
  const within = (id: string, work: (session: Session) => Promise<void>): Promise<Session | undefined> =>
    deps.transact(async (unit) => {
      const session = await sessions.open(unit, id);
      if (!session) return undefined;
      await work(session);
      await carryOut(deps, session, { kind: "settle" });
      await deps.launcher.storeLaunched(unit);
      // Another process was faster, so there is nothing to write.
      if (session.before.state === session.run.state && session.changed.size === 0) return session;
      await sessions.store(session);
      unit.tx.afterCommit(() => tellTexts(deps, session));
      return session;
    });
  /** Answers the oldest open question, between two transactions. */
  const reply = async (session: Session): Promise<void> => {
    const [key] = session.before.state.asked;
    const answer = key === undefined ? undefined : await answerOf(deps, session, key);
    if (key !== undefined && answer && !deps.jobs.isDraining())
      await within(session.run.id, (next) => carryOut(deps, next, { kind: "answered", key, answer }));
  };
  return {
    async step(id) {
      // A stopping node has no servers to choose from. The rest is processed after the next start, or on another node.
      for (let hasMore = true; hasMore && !deps.jobs.isDraining(); ) {
        const session = await within(id, (opened) => takeAll(deps, opened));
        if (session) await reply(session);
        hasMore = session?.hasMore === true;
        if (hasMore) await nextTurn();
      }
    },
    async begin(unit, record) {
      await unit.tx.collection(workflowRunCollection).insert(await newRun(unit, record));
      await unit.tx.enqueue("workflows.step", { id: record.id }, { key: record.id });
    },
    async close(id, reason) {
      await within(id, (session) => carryOut(deps, session, { kind: "abort", reason }));
    },
    async acted(id, act) {
      await within(id, (session) => carryOut(deps, session, { kind: "acted", ...act }));
    },
  };
}

async function newRun(unit: Unit, { id, job }: ActiveJob): Promise<WorkflowRun> {
  const parent = job.workflow?.["job"];
  const above = typeof parent === "string" ? await unit.tx.collection(workflowRunCollection).get(parent) : undefined;
  return { id, state: EMPTY_RUN, rev: 0, depth: above ? above.depth + 1 : 0 };
}

/**
 * Processes a portion of the waiting work: the beginning, nodes that were left, ends of jobs, due waits, jobs still to be
 * started. A portion is small, because its transaction may hold the storage's only writer.
 */
async function takeAll(deps: OrderDeps, session: Session): Promise<void> {
  if (session.run.rev === 0) await beginRun(deps, session);
  // Comes before anything new, because a cycle would not be detected otherwise.
  else if (session.run.state.left.length > 0) await goOn(deps, session);
  if (session.before.state.left.length > 0) session.hasMore = true;
  else {
    const isRest = [await takeEnds(deps, session), await takeDue(deps, session)].includes(true);
    await startMore(deps, session);
    session.hasMore = isRest || hasSteps(session.before.state);
  }
}

async function goOn(deps: OrderDeps, session: Session): Promise<void> {
  const [first] = session.run.state.left;
  const kept = first && (await keptOf(session, first.key, nextKey(first)));
  if (kept) await carryOut(deps, session, { kind: "left", kept });
}

/** Processes ends of jobs as long as the resulting work is short. True when others are left. */
async function takeEnds(deps: OrderDeps, session: Session): Promise<boolean> {
  const ends = session.unit.tx.collection(workflowEndCollection);
  const { rows } = await ends.find(beneath(session.run.id), { sortBy: "at", limit: ENDS_IN_A_STEP });
  const taken: string[] = [];
  for (const row of rows) {
    if (!isShort(session)) break;
    await takeEnd(deps, session, row);
    taken.push(row.id);
  }
  if (taken.length > 0) await ends.deleteMany(taken);
  return taken.length < rows.length || rows.length === ENDS_IN_A_STEP;
}

/** True while the step has launched few jobs and actions, so that it may process more ends. */
const isShort = ({ run, before: { state } }: Session): boolean =>
  state.left.length === 0 && state.jobs - run.state.jobs + state.acting - run.state.acting < LAUNCHED_IN_A_STEP;

async function beginRun(deps: OrderDeps, session: Session): Promise<void> {
  const { record, facts } = session;
  const { input } = record.details;
  const given = record.details["workflowData"];
  await carryOut(deps, session, {
    kind: "begin",
    start: facts.graph.start,
    input: {
      data: (input?.["data"] ?? {}) as object as Record<string, unknown>,
      files: (input?.["files"] ?? []) as unknown[],
    },
    workflowData: typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {},
  });
}

/** Output and record are read only if a wire follows: most sub-jobs of a split have none. */
async function takeEnd(deps: OrderDeps, session: Session, { id, run, end, job: kept }: WorkflowEnd): Promise<void> {
  const { unit, graph } = session;
  const leadsOn = !end.retried && (end.redirect !== undefined || graph.from(end.node).length > 0);
  const part = leadsOn ? await unit.tx.collection(workflowPartCollection).get(id) : undefined;
  const output = part ? payloadOf(part) : {};
  const isEvaluated = leadsOn && graph.from(end.node).some(({ dest }) => graph.node(dest)?.type === "controller");
  const stored = isEvaluated ? (kept ?? (await unit.tx.collection(jobRecords).get(end.id))) : undefined;
  const job = stored ?? { ...part?.stub, data: part?.data, id: end.id, workflow: { job: run, node: end.node } };
  await carryOut(deps, session, { kind: "ended", end, output, job });
}

/** True when further waits are due. */
async function takeDue(deps: OrderDeps, session: Session): Promise<boolean> {
  const now = deps.clock.now();
  for (const [node, at] of Object.entries(session.before.state.waits)) {
    if (!isWaitOver(at, session.before.nodes.get(node) ?? EMPTY_NODE, now)) continue;
    if (!isShort(session)) return true;
    const kept = await keptOf(session, waitKey(node));
    if (kept) await carryOut(deps, session, { kind: "due", node, kept });
  }
  return false;
}

/** Starts the next jobs of one activation, unless this step has already launched jobs. */
async function startMore(deps: OrderDeps, session: Session): Promise<void> {
  const { aborted, activations, jobs } = session.before.state;
  if (aborted !== undefined || jobs !== session.run.state.jobs) return;
  const [activation, open] = Object.entries(activations).find(([, { launched, max }]) => launched < max) ?? [];
  if (activation === undefined || !open) return;
  const kept = await keptOf(session, activation, open.pieces && pieceKey(open.pieces, open.launched));
  if (kept) await carryOut(deps, session, { kind: "more", activation, kept });
}

/**
 * Writes lines of the meta log together with the readings: writing the whole job for each node would cost more than the node
 * itself.
 */
function tellTexts({ jobs }: Pick<OrderDeps, "jobs">, { record, texts }: Session): void {
  if (texts.length === 0) return;
  const { desk } = jobs;
  desk.live.note(
    desk.live.hold(desk.live.get(record.id)?.record ?? record),
    { rows: texts.map((text) => desk.row(text)) },
    false,
  );
}
