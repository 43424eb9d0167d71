import { defineCollection } from "../../ports/storage/collection.ts";
import { afterId, below, type SearchNode } from "../../search/ast.ts";
import type { WorkflowEnd, WorkflowKept, WorkflowNode, WorkflowPart, WorkflowRun } from "./model.ts";

// A run consists of many small rows instead of one large row: then the end of a job writes as much in a run of ten jobs as in one
// of ten thousand. Ids of rows begin with the id of the run, so only the index of the ids has to be written.

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

/** Collections that hold the rows of a run, apart from its main row. */
export const RUN_ROWS = [
  workflowNodeCollection,
  workflowPartCollection,
  workflowEndCollection,
  workflowKeptCollection,
] as const;

/** Matches the rows whose ids begin with a path and a slash; only ids after `after`, for the next page. */
export const beneath = (path: string, after = `${path}/`): SearchNode => ({
  kind: "and",
  nodes: [
    afterId(after),
    // "0" is the character after the slash, so all ids below the path sort before it.
    below("id", `${path}0`),
  ],
});
