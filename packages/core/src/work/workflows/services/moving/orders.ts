import { tagRecords } from "../../../../directory/tags/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import type { Event } from "../../../events/model.ts";
import type { EventNode, PluginNode } from "../../../graphs/model.ts";
import { resolveTag } from "../../../jobs/finish/rules/final-tags.ts";
import { resultCode, resultConditions } from "../../../jobs/finish/rules/result-code.ts";
import { jobRecords } from "../../../jobs/records.ts";
import { workflowKeptCollection, workflowPartCollection } from "../../collection.ts";
import type { Kept, WorkflowPart } from "../../model.ts";
import type { Order, World } from "../../rules/draft.ts";
import { runsJobs } from "../../rules/graph/graph-index.ts";
import { partOf, payloadOf } from "../../rules/parts.ts";
import { advance, type Happening } from "../../rules/steps/advance.ts";
import { subJobOf } from "../../rules/sub-job.ts";
import { rowKey, type Session, takeOver } from "./session.ts";

export type OrderDeps = Pick<
  Cradle,
  | ("alerts" | "clock" | "config" | "definitions" | "eventRecords" | "expressions" | "ids" | "jobs" | "launcher")
  | ("servers" | "snapshot" | "transact")
>;

export type RunDeps = OrderDeps &
  Pick<Cradle, "actionRunner" | "apart" | "log" | "nodes" | "snapshot" | "storage" | "transact">;

/** Most levels of workflows nested in each other. */
const MAX_DEPTH = 16;

/**
 * Processes a happening and executes all resulting orders in the transaction of the session. It never waits for other work,
 * because that would block all other writers.
 */
export async function carryOut(deps: OrderDeps, session: Session, happening: Happening): Promise<void> {
  const world = worldOf(deps, session);
  const queue: Happening[] = [happening];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const after = advance(world, session.before, next);
    takeOver(session, after);
    for (const order of after.orders) {
      const follows = await perform(deps, session, order);
      if (follows) queue.push(follows);
    }
  }
}

function worldOf({ clock, config, eventRecords, expressions }: OrderDeps, { facts, graph, record }: Session): World {
  const triggers = eventRecords.get(facts.event)?.triggers ?? [];
  return {
    graph,
    now: clock.now(),
    maxJobs: config.max_jobs_per_workflow,
    triggers: new Set(triggers.map((trigger) => String(trigger["id"] ?? ""))),
    allows: (condition) => facts.testConditions?.includes(condition) ?? true,
    evaluate: (expression, context) => expressions.compile(expression).evaluate(context),
    shared: { workflow: record.job, params: facts.params },
  };
}

async function perform(deps: OrderDeps, session: Session, order: Order): Promise<Happening | undefined> {
  const { unit, run } = session;
  const { tx } = unit;
  switch (order.kind) {
    case "launch":
      return launch(deps, session, order);
    case "replay":
      return replay(deps, session, order);
    case "keep":
      await keep(session, order);
      return undefined;
    case "unkeep":
      await tx.collection(workflowKeptCollection).delete(rowKey(run.id, order.key));
      return undefined;
    default:
      return queue(session, order);
  }
}

/** Executes an order whose work is done next to the step's transaction, or after it. */
async function queue(session: Session, order: Order): Promise<undefined> {
  const { id } = session.run;
  const { tx } = session.unit;
  switch (order.kind) {
    case "act":
      await tx.enqueue("workflows.act", { id, node: order.node, condition: order.condition, number: order.number });
      return;
    case "wake":
      await tx.enqueue("workflows.step", { id }, { key: `${id}@${order.at}`, runAt: order.at });
      return;
    case "abort":
      await tx.enqueue("workflows.abort", { id, reason: order.reason }, { key: id });
      return;
    case "meta":
      session.texts.push(order.text);
      return;
    case "finish":
      session.result = { code: order.code, description: order.description };
      await tx.enqueue("workflows.finish", { id }, { key: id });
      return;
    default:
      return;
  }
}

/** The data stored under a key, merged with one of its pieces. */
export async function keptOf({ unit, run }: Session, key: string, piece?: string): Promise<Kept | undefined> {
  const rows = unit.tx.collection(workflowKeptCollection);
  const base = await rows.get(rowKey(run.id, key));
  const part = base && piece !== undefined ? await rows.get(rowKey(run.id, piece)) : undefined;
  return base && { ...base.kept, ...part?.kept };
}

async function keep({ unit, run }: Session, { key, kept, pieces = [] }: Order & { kind: "keep" }): Promise<void> {
  const rowOf = (name: string, what: Kept) => ({ id: rowKey(run.id, name), run: run.id, kept: what });
  const rows = [rowOf(key, kept), ...pieces.map((piece, index) => rowOf(`${key}/${index}`, piece))];
  await unit.tx.collection(workflowKeptCollection).insertMany(rows);
}

const refused = (node: string, reason: string): Happening => ({ kind: "refused", node, reason });

async function launch(
  deps: OrderDeps,
  session: Session,
  order: Order & { kind: "launch" },
): Promise<Happening | undefined> {
  const { unit, graph, facts, record, before } = session;
  const node = graph.node(order.node);
  if (!runsJobs(node)) return undefined;
  const wanted = node.type === "event" ? node.data.event : facts.event;
  // A job node only needs its workflow's event, which may hold a large graph, so that is not read again for each job.
  const event = node.type === "event" ? await deps.eventRecords.fresh(unit.tx, wanted) : deps.eventRecords.get(wanted);
  if (!event) return refused(node.id, `Event not found: ${wanted} (Node #${node.id})`);
  const nested = nestedStart(session, node, event);
  if (nested.problem !== undefined) return refused(node.id, nested.problem);
  const parts = { facts, graph, order, event, start: nested.start, workflowData: before.state.workflowData };
  const request = subJobOf(node, parts);
  return launchOr(() => deps.launcher.launch(unit, { ...request, reach: record.reach, together: true }), node.id);
}

/** Launches; a refusal ends the workflow. */
async function launchOr(work: () => Promise<unknown>, node: string): Promise<Happening | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refused(node, `Failed to launch job: ${error.description}`);
  }
}

/** Start trigger of a nested workflow, or the reason why it is forbidden. */
function nestedStart(
  { run }: Session,
  node: EventNode | PluginNode,
  event: Event,
): { readonly start?: string; readonly problem?: string } {
  if (node.type !== "event" || event.type !== "workflow") return {};
  const found = event.triggers.find(({ type, enabled }) => type === "manual" && enabled);
  if (!found) return { problem: `Sub-workflow does not allow manual job runs: ${event.title}` };
  if (run.depth + 1 >= MAX_DEPTH) return { problem: `Maximum workflow depth reached (${MAX_DEPTH})` };
  return { start: String(found["id"] ?? "") };
}

/** Processes a stored job as if it had just ended for the node; its actions do not run again. */
async function replay(
  { definitions }: OrderDeps,
  { unit, run, facts, graph }: Session,
  { node, job: id, activation, number }: Order & { kind: "replay" },
): Promise<Happening> {
  const job = await unit.tx.collection(jobRecords).get(id);
  if (!job) return refused(node, `Job not found for replay: ${id}`);
  const tags = definitions.all(tagRecords);
  const resolved = (job.tags ?? []).flatMap((tag) => resolveTag(tag, tags) ?? []);
  const { redirect, ...rest } = job.workflow ?? {};
  // Chosen when the job was resumed, among the nodes of the graph that it ran in; this graph may not have that node.
  const chosen = typeof redirect === "string" && graph.node(redirect) ? { redirect } : {};
  const link = { ...rest, ...chosen, event: facts.event, job: run.id, node };
  const conditions = resultConditions(resultCode(job.code), [...new Set(resolved)]);
  const { part, end } = partOf({ ...job, workflow: link, retried: false, actions: [] }, { conditions, activation });
  const replayed: WorkflowPart = {
    ...part,
    id: `${part.id}#${number}`,
    stub: { ...part.stub, replay: true },
  };
  await unit.tx.collection(workflowPartCollection).insert(replayed);
  return { kind: "ended", end, output: payloadOf(replayed), job };
}
