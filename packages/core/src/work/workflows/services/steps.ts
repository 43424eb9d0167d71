import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { nextTurn } from "../../../lib/gather-more.ts";
import type { ActiveJob } from "../../jobs/model.ts";
import { jobRecords } from "../../jobs/records.ts";
import { beneath, workflowEndCollection, workflowPartCollection, workflowRunCollection } from "../collection.ts";
import { EMPTY_RUN, type WorkflowEnd, type WorkflowRun } from "../model.ts";
import { waitKey } from "../rules/controllers.ts";
import { payloadOf } from "../rules/parts.ts";
import { carryOut, keptOf, type OrderDeps, takeMore } from "./orders.ts";
import type { Session, Sessions } from "./session.ts";

/** Moves runs on, one transaction a step. A step that is repeated finds nothing left to take in. */
export interface Steps {
  /** Makes the run of a workflow job, in the unit in which that becomes active. */
  begin(unit: Unit, record: ActiveJob): Promise<void>;
  /** Takes in all that has happened to a run. */
  step(id: string): Promise<void>;
  /** Nothing more is started; ends the run when nothing runs. */
  close(id: string, reason: string): Promise<void>;
  /** Takes in the result of a stand-alone action. */
  acted(id: string, node: string, result: Readonly<Record<string, unknown>>): Promise<void>;
}

type Deps = OrderDeps & Pick<Cradle, "transact">;

/** Ends that are taken in by one transaction. */
const ENDS_IN_A_STEP = 25;

export function createSteps(deps: Deps, sessions: Sessions): Steps {
  /** One transaction of a run; false when there is nothing more to do for now. */
  const within = (id: string, work: (session: Session) => Promise<void>): Promise<boolean> =>
    deps.transact(async (unit) => {
      const session = await sessions.open(unit, id);
      if (!session) return false;
      await work(session);
      await carryOut(deps, session, { kind: "settle" });
      await deps.launcher.storeLaunched(unit);
      // Another step was faster: nothing is left to write.
      if (session.before.state === session.run.state && session.changed.size === 0) return session.hasMore;
      await sessions.store(session);
      unit.tx.afterCommit(() => tellTexts(deps, session));
      return session.hasMore;
    });
  const step: Steps["step"] = async (id) => {
    while (await within(id, (session) => takeAll(deps, session))) await nextTurn();
  };
  return {
    step,
    async begin(unit, record) {
      await unit.tx.collection(workflowRunCollection).insert(await newRun(unit, record));
      await unit.tx.enqueue("workflows.step", { id: record.id }, { key: record.id });
    },
    async close(id, reason) {
      await within(id, (session) => carryOut(deps, session, { kind: "abort", reason }));
    },
    async acted(id, node, result) {
      await within(id, (session) => carryOut(deps, session, { kind: "acted", node, result }));
    },
  };
}

async function newRun(unit: Unit, { id, job }: ActiveJob): Promise<WorkflowRun> {
  const parent = job.workflow?.["job"];
  const above = typeof parent === "string" ? await unit.tx.collection(workflowRunCollection).get(parent) : undefined;
  return { id, state: EMPTY_RUN, rev: 0, depth: above ? above.depth + 1 : 0 };
}

/** Everything that waits: the beginning, ends of jobs, waits whose time has come, jobs that are still to be started. */
async function takeAll(deps: Deps, session: Session): Promise<void> {
  if (session.run.rev === 0) await beginRun(deps, session);
  const ends = session.unit.tx.collection(workflowEndCollection);
  const { rows } = await ends.find(beneath(session.run.id), { sortBy: "at", limit: ENDS_IN_A_STEP });
  for (const row of rows) await takeEnd(deps, session, row);
  if (rows.length > 0) await ends.deleteMany(rows.map(({ id }) => id));
  await takeDue(deps, session);
  session.hasMore = (await startMore(deps, session)) || rows.length === ENDS_IN_A_STEP;
}

async function beginRun(deps: Deps, session: Session): Promise<void> {
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

/** Output and record are read only where a wire leads on: most sub-jobs of a split have none. */
async function takeEnd(deps: Deps, session: Session, { id, run, end }: WorkflowEnd): Promise<void> {
  const { unit, graph } = session;
  const leadsOn = !end.retried && (end.redirect !== undefined || graph.from(end.node).length > 0);
  const part = leadsOn ? await unit.tx.collection(workflowPartCollection).get(id) : undefined;
  const output = part ? payloadOf(part) : {};
  const isEvaluated = leadsOn && graph.from(end.node).some(({ dest }) => graph.node(dest)?.type === "controller");
  const stored = isEvaluated ? await unit.tx.collection(jobRecords).get(end.id) : undefined;
  const job = stored ?? { ...part?.stub, data: part?.data, id: end.id, workflow: { job: run, node: end.node } };
  await carryOut(deps, session, { kind: "ended", end, output, job });
}

async function takeDue(deps: Deps, session: Session): Promise<void> {
  const now = deps.clock.now();
  for (const [node, at] of Object.entries(session.before.state.waits)) {
    const kept = at <= now ? await keptOf(session, waitKey(node)) : undefined;
    if (kept) await carryOut(deps, session, { kind: "due", node, kept });
  }
}

/** The next jobs of one activation, in a step that has not begun many jobs already. True when others are left. */
async function startMore(deps: Deps, session: Session): Promise<boolean> {
  const open = (): [string, unknown] | undefined =>
    Object.entries(session.before.state.activations).find(([, { launched, max }]) => launched < max);
  if (session.before.state.aborted !== undefined) return false;
  const [activation] = open() ?? [];
  const isFresh = session.before.state.jobs === session.run.state.jobs;
  if (activation !== undefined && isFresh) {
    const more = await takeMore(session, activation);
    if (more) await carryOut(deps, session, more);
  }
  return open() !== undefined && session.before.state.aborted === undefined;
}

/** Lines of the meta log go with the readings: a write of the whole job for each node would cost more than the node. */
function tellTexts({ jobs }: Pick<Deps, "jobs">, { record, texts }: Session): void {
  if (texts.length === 0) return;
  const { desk } = jobs;
  desk.live.note(
    desk.live.hold(desk.live.get(record.id)?.record ?? record),
    { rows: texts.map((text) => desk.row(text)) },
    false,
  );
}
