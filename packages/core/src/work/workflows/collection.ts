import { defineCollection } from "../../ports/storage/collection.ts";
import { afterId, below, type SearchNode } from "../../search/ast.ts";
import type { WorkflowEnd, WorkflowKept, WorkflowNode, WorkflowPart, WorkflowRun } from "./model.ts";

// A run is many small rows in place of a large one: the end of a job writes as much in a run of ten as in one of ten thousand.
// Ids of rows begin with the id of the run, and no index beside the ids is written.

export const workflowRunCollection = defineCollection<WorkflowRun>({ name: "workflow_runs", noun: "Workflow Run" });

export const workflowNodeCollection = defineCollection<WorkflowNode>({
  name: "workflow_nodes",
  noun: "Workflow Node",
});

export const workflowPartCollection = defineCollection<WorkflowPart>({
  name: "workflow_parts",
  noun: "Workflow Part",
});

export const workflowEndCollection = defineCollection<WorkflowEnd>({
  name: "workflow_ends",
  noun: "Workflow End",
  columns: { at: { type: "real", read: ({ at }) => at } },
});

export const workflowKeptCollection = defineCollection<WorkflowKept>({
  name: "workflow_kept",
  noun: "Workflow Input",
});

/** Collections with the rows of a run beside its own row. */
export const RUN_ROWS = [
  workflowNodeCollection,
  workflowPartCollection,
  workflowEndCollection,
  workflowKeptCollection,
] as const;

/** Rows whose ids begin with a path and a slash, behind one of them. */
export const beneath = (path: string, after = `${path}/`): SearchNode => ({
  kind: "and",
  nodes: [
    afterId(after),
    // The character after a slash: ids below the path are before it.
    below("id", `${path}0`),
  ],
});
