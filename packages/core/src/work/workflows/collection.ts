import { defineCollection } from "../../ports/collection.ts";
import type { WorkflowEnd, WorkflowKept, WorkflowNode, WorkflowPart, WorkflowRun } from "./model.ts";

// A run is many small rows in place of a large one: the end of one of ten thousand jobs writes as much as that of one of ten.

export const workflowRunCollection = defineCollection<WorkflowRun>({ name: "workflow_runs", noun: "Workflow Run" });

export const workflowNodeCollection = defineCollection<WorkflowNode>({
  name: "workflow_nodes",
  noun: "Workflow Node",
  terms: { run: ({ run }) => [run] },
});

export const workflowPartCollection = defineCollection<WorkflowPart>({
  name: "workflow_parts",
  noun: "Workflow Part",
  columns: { completed: { type: "real", read: ({ completed }) => completed } },
  terms: { run: ({ run }) => [run], node: ({ run, node }) => [`${run}/${node}`] },
});

export const workflowEndCollection = defineCollection<WorkflowEnd>({
  name: "workflow_ends",
  noun: "Workflow End",
  columns: { at: { type: "real", read: ({ at }) => at } },
  terms: { run: ({ run }) => [run] },
});

export const workflowKeptCollection = defineCollection<WorkflowKept>({
  name: "workflow_kept",
  noun: "Workflow Input",
  terms: { run: ({ run }) => [run] },
});

/** What belongs to a run beside its own row. */
export const RUN_ROWS = [
  workflowNodeCollection,
  workflowPartCollection,
  workflowEndCollection,
  workflowKeptCollection,
] as const;

export const ofRun = (run: string) => ({ kind: "term", field: "run", words: [run] }) as const;
