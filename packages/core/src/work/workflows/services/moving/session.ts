import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import type { Graph } from "../../../graphs/model.ts";
import type { ActiveJob } from "../../../jobs/model.ts";
import { beneath, workflowNodeCollection, workflowRunCollection } from "../../collection.ts";
import { EMPTY_RUN, type NodeRow, type RunFacts, type WorkflowRun } from "../../model.ts";
import { type GraphIndex, indexGraph } from "../../rules/graph/graph-index.ts";
import type { After, Before } from "../../rules/steps/advance.ts";

/** A run cached in this process. Its rows are valid as long as the stored run has the revision at which they were read. */
interface Remembered {
  readonly record: ActiveJob;
  readonly facts: RunFacts;
  readonly graph: GraphIndex;
  readonly rev: number;
  /** Mutated in place, so that a chain of thousands of nodes is not copied in each step. */
  readonly rows: Map<string, NodeRow>;
}

/** A run within one transaction. */
export interface Session {
  readonly unit: Unit;
  readonly run: WorkflowRun;
  readonly record: ActiveJob;
  readonly facts: RunFacts;
  readonly graph: GraphIndex;
  before: Before;
  /** Rows as they are stored. */
  readonly stored: Map<string, NodeRow>;
  /** Rows that have changed since. */
  readonly changed: Map<string, NodeRow>;
  readonly texts: string[];
  result: WorkflowRun["result"];
  /** Work is left for the next step. */
  hasMore: boolean;
}

/** Opens runs for steps, and caches the data that all steps of a run share. */
export interface Sessions {
  /** Undefined when the run does not exist or is over. */
  open(unit: Unit, id: string): Promise<Session | undefined>;
  store(session: Session): Promise<void>;
  /** Rows of a run, which must not be changed. */
  rows(tx: ReadTx, run: WorkflowRun): Promise<ReadonlyMap<string, NodeRow>>;
  forget(id: string): void;
}

/** Most runs in the cache; the least recently used one is evicted. */
const MAX_REMEMBERED = 200;
const PAGE = 1000;

export const rowKey = (run: string, name: string): string => `${run}/${name}`;

export function createSessions({ jobs }: Pick<Cradle, "jobs">): Sessions {
  const { remembered, remember } = createMemory();
  const rows = async (tx: ReadTx, { id, rev }: WorkflowRun): Promise<Map<string, NodeRow>> => {
    const known = remembered.get(id);
    return known?.rev === rev ? known.rows : readRows(tx, id);
  };
  return {
    rows,
    forget: (id) => void remembered.delete(id),
    async open(unit, id) {
      const { tx } = unit;
      await tx.lock(`workflows:${id}`);
      const found = await tx.collection(workflowRunCollection).get(id);
      if (!found || found.state.over) return undefined;
      // Earlier releases did not write all members.
      const run = { ...found, state: { ...EMPTY_RUN, ...found.state } };
      const known = remembered.get(id);
      const record = known?.record ?? (await jobs.desk.read(id, tx));
      if (!record) return undefined;
      const facts = known?.facts ?? factsOf(record);
      const graph = known?.graph ?? indexGraph(facts.graph);
      return sessionOf({ unit, run, record, facts, graph, stored: await rows(tx, run) });
    },
    async store(session) {
      const { unit, run, record, facts, graph, before, stored, changed } = session;
      const rev = run.rev + 1;
      const next = { ...run, state: before.state, rev, result: session.result ?? run.result };
      await storeRows(unit, next, changed);
      unit.emit("job.updated", { id: run.id });
      unit.tx.afterCommit(() => {
        for (const [name, row] of changed) stored.set(name, row);
        remember(run.id, { record, facts, graph, rev, rows: stored });
      });
    },
  };
}

type Opened = Pick<Session, "unit" | "run" | "record" | "facts" | "graph" | "stored">;

function sessionOf(opened: Opened): Session {
  const { run, stored } = opened;
  const changed = new Map<string, NodeRow>();
  const nodes = { get: (name: string) => changed.get(name) ?? stored.get(name) };
  return { ...opened, before: { state: run.state, nodes }, changed, texts: [], result: undefined, hasMore: false };
}

function createMemory() {
  const remembered = new Map<string, Remembered>();
  const remember = (id: string, entry: Remembered): void => {
    remembered.delete(id);
    remembered.set(id, entry);
    for (const oldest of remembered.keys())
      if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
      else break;
  };
  return { remembered, remember };
}

async function readRows(tx: ReadTx, run: string): Promise<Map<string, NodeRow>> {
  const all = new Map<string, NodeRow>();
  for (let after: string | undefined; ; ) {
    const { rows } = await tx
      .collection(workflowNodeCollection)
      .find(beneath(run, after), { sortBy: "id", limit: PAGE });
    for (const { name, shown, launched, ended } of rows) all.set(name, { shown, launched, ended });
    if (rows.length < PAGE) return all;
    after = rows.at(-1)?.id;
  }
}

/** Overwrites whole rows without reading them: the step holds the lock of the run and knows their old content. */
async function storeRows({ tx }: Unit, run: WorkflowRun, changed: ReadonlyMap<string, NodeRow>): Promise<void> {
  await tx.overwrite(workflowRunCollection, [{ id: run.id, json: JSON.stringify(run) }]);
  const rows = [...changed].map(([name, row]) => ({ id: rowKey(run.id, name), run: run.id, name, ...row }));
  if (rows.length > 0)
    await tx.overwrite(
      workflowNodeCollection,
      rows.map((row) => ({ id: row.id, json: JSON.stringify(row) })),
    );
}

/** Applies the state and rows that a step has produced. */
export function takeOver(session: Session, { state, rows }: After): void {
  session.before = { ...session.before, state };
  for (const [name, row] of rows) session.changed.set(name, row);
}

const INHERITED = ["test", "test_actions", "test_limits", "test_conditions", "invisible", "ephemeral"] as const;

function factsOf({ job }: ActiveJob): RunFacts {
  const graph = (job.workflow ?? {}) as unknown as Graph;
  const inherited = INHERITED.flatMap((name) => (job[name] === undefined ? [] : [[name, job[name]]]));
  const conditions: unknown = job.test_conditions;
  return {
    job: job.id,
    event: job.event,
    category: job.category ?? "",
    username: job.username,
    graph,
    params: job.params ?? {},
    targets: job.targets ?? [],
    now: job.now,
    inherited: Object.fromEntries(inherited) as Record<string, unknown>,
    testConditions: job.test && Array.isArray(conditions) ? (conditions as string[]) : undefined,
  };
}
