import { categoryRecords } from "../../../directory/categories/records.ts";
import { categoryLock } from "../../../directory/categories/rules.ts";
import { type TestPattern, withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import { createValueCheck } from "../../../directory/plugins/rules/parameters/value-checks.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { createBreath, takeSteps } from "../../../kernel/running/breath.ts";
import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import { keptAmong } from "../../../lib/kept-among.ts";
import { faultOf } from "../../../lib/message-of.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Graph } from "../model.ts";
import { checkGraphShape, connectionChecker } from "../rules/graph-shape.ts";
import { keepLockedNodes } from "../rules/locked.ts";
import { checkNodeData, type GraphFacts } from "../rules/node-checks.ts";
import { categoriesOf, nodesOf, unique } from "../rules/nodes.ts";
import type { Graphs, Workflow } from "../service.ts";
import { requireGraphAccess } from "./access.ts";
import { type NamedRecords, readNamed } from "./facts.ts";

type Deps = Pick<Cradle, "clock" | "eventRecords" | "expressions" | "registry" | "replayedJobs" | "tickets">;

const isWorkflow = ({ type }: Workflow): boolean => type === "workflow";

export function createGraphs(deps: Deps): Graphs {
  const breathing = () => createBreath(deps.clock);
  return {
    async check(tx, workflow, stored) {
      if (isWorkflow(workflow)) await checkGraph(deps, tx, { workflow, stored }, breathing());
    },
    async requireAccess(context, workflow, stored) {
      if (isWorkflow(workflow)) await requireGraphAccess(deps, context, { workflow, stored }, breathing());
    },
    async keepLocked({ actor, tx }, sent, stored) {
      if (actor.privileges["admin"]) return { graph: sent, warnings: [] };
      const { events, plugins } = await readNamed(deps, definitionsView(tx), sent);
      const facts = { event: (id: string) => events.get(id), plugin: (id: string) => plugins.get(id) };
      const { fault, graph, warnings } = await takeSteps(keepLockedNodes(sent, stored?.workflow, facts), breathing());
      if (fault !== undefined) throw new InputError(fault);
      return { graph, warnings };
    },
    async lockCategories(tx, own, workflow) {
      const ids = unique([own, ...(isWorkflow(workflow) ? categoriesOf(workflow.workflow) : [])]).sort();
      const known = await definitionsView(tx).collection(categoryRecords).getMany(ids);
      // Locked in the order of the ids, so that two writers cannot deadlock. An unknown category is refused and needs no lock.
      for (const [index, id] of ids.entries()) if (known[index] || id === own) await tx.lock(categoryLock(id));
    },
  };
}

interface Written {
  readonly workflow: Workflow;
  readonly stored: Workflow | undefined;
}

async function checkGraph(deps: Deps, tx: ReadTx, written: Written, breathe: () => Promise<void>) {
  const { id, workflow } = written.workflow;
  const refuse = (fault: string | undefined): void => {
    if (fault !== undefined) throw new InputError(fault);
  };
  refuse(checkGraphShape(workflow));
  const facts = factsOf(deps, id, await readNamed(deps, tx, workflow));
  const isKept = await keptAmong(nodesOf(written.stored?.workflow), breathe);
  for (const node of nodesOf(workflow)) {
    if (!isKept(node)) refuse(checkNodeData(node, facts));
    await breathe();
  }
  const graph = workflow as Pick<Graph, "connections" | "nodes"> & Readonly<Record<string, unknown>>;
  const connectionFault = connectionChecker(graph);
  for (const [index, connection] of graph.connections.entries()) {
    refuse(connectionFault(connection, index));
    await breathe();
  }
}

function factsOf({ expressions, registry, tickets }: Deps, own: string, named: NamedRecords): GraphFacts {
  const testPattern: TestPattern = (pattern, text) => expressions.regexes.compile(pattern).test(text);
  return {
    own,
    event: (id) => named.events.get(id),
    plugin: (id) => named.plugins.get(id),
    hasCategory: (id) => named.categories.has(id),
    hasTag: (id) => named.tags.has(id),
    sentFault: createValueCheck({ testPattern }),
    filledFault: createValueCheck({ testPattern, fill: withDefaults }),
    expressionFault(source) {
      if (source.trim() === "") return undefined;
      const fault = faultOf(() => expressions.compile(source));
      return fault === undefined ? undefined : `Failed to compile target expression: ${source}: ${fault}`;
    },
    actions: { types: registry.actionTypes, ticketFault: (type) => tickets.faultOfType(type) },
  };
}
