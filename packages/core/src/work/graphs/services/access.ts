import { isLimited, requireAccess } from "../../../directory/access/require-access.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { AccessError, InputError } from "../../../kernel/errors/errors.ts";
import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { TARGETS_OVERRIDE } from "../../../wire/entries/override.ts";
import { idsIn, isJobNode, type LooseNode, nodesOf } from "../rules/nodes.ts";
import type { GraphContext, Workflow } from "../service.ts";

type Deps = Pick<Cradle, "eventRecords" | "replayedJobs">;
type Members = Readonly<Record<string, unknown>>;

/** A walk through a graph and all graphs that it reaches. */
interface Walk {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly known: ReadTx;
  /** Ids of events that may be missing, because the stored graph names them; undefined = none may be missing. */
  readonly kept: Set<unknown> | undefined;
  /** Workflows that have been visited or are waiting. */
  readonly seen: Set<string>;
  readonly waiting: Workflow[];
  readonly replayed: Set<string>;
  readonly breathe: () => Promise<void>;
}

interface Written {
  readonly workflow: Workflow;
  readonly stored: Workflow | undefined;
}

/** Checks every node of a workflow and of all workflows that it runs, each workflow once (docs/contract/workflows.md#access). */
export async function requireGraphAccess(
  deps: Deps,
  { actor, tx }: GraphContext,
  { workflow, stored }: Written,
  breathe: () => Promise<void>,
): Promise<void> {
  if (!isLimited(actor)) return;
  const waiting = [workflow];
  const seen = new Set([workflow.id]);
  const kept = stored && new Set(eventsOf(stored));
  const walk: Walk = { deps, actor, known: definitionsView(tx), kept, seen, waiting, replayed: new Set(), breathe };
  for (let next = waiting.pop(); next; next = waiting.pop()) await visitGraph(walk, next);
  if (!(await deps.replayedJobs.areVisible(tx, actor, [...walk.replayed])))
    throw new AccessError("You do not have the required account privileges to access one or more replayed jobs.");
}

async function visitGraph(walk: Walk, { workflow }: Workflow): Promise<void> {
  for (const node of nodesOf(workflow).filter(isJobNode)) {
    const { replay } = node.data;
    if (typeof replay === "string" && replay !== "") walk.replayed.add(replay);
    if (node.type === "event") await visitEventNode(walk, node);
    else visitPluginNode(walk, node);
    await walk.breathe();
  }
}

async function visitEventNode(walk: Walk, { data }: LooseNode): Promise<void> {
  const { actor, deps, kept, known, seen, waiting } = walk;
  const id = typeof data["event"] === "string" ? data["event"] : "";
  const event = await deps.eventRecords.read(known, id);
  if (!event && kept?.has(id)) return;
  if (!event) throw new InputError(`Workflow references missing Event ID: ${id}`);
  const { category, params, targets, type } = event;
  // A workflow has no targets, so its category decides.
  requireAccess(actor, type === "workflow" ? { category } : { category, targets });
  requireTargets(actor, data, params);
  if (type !== "workflow" || seen.has(id)) return;
  seen.add(id);
  for (const named of eventsOf(event)) kept?.add(named);
  waiting.push(event);
}

const eventsOf = ({ workflow }: Workflow): unknown[] => nodesOf(workflow).map(({ data }) => data["event"]);

/** Checks access to a job node. Its job belongs to the workflow's category unless the node names another one. */
function visitPluginNode({ actor }: Walk, { data }: LooseNode): void {
  const { category } = data;
  if (category !== undefined && category !== null && category !== "")
    requireAccess(actor, { category: String(category) });
  requireTargets(actor, data, {});
}

/** Checks the node's targets, and those that a parameter would put in their place. An empty list is ignored. */
function requireTargets(actor: Actor, { targets, params }: Members, ofEvent: Members): void {
  const hidden = { ...ofEvent, ...membersOf(params) }[TARGETS_OVERRIDE];
  for (const list of [targets, hidden]) requireAccess(actor, { targets: idsIn(list) });
}
