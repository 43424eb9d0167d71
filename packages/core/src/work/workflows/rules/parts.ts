import { isObject } from "../../../lib/json/is-object.ts";
import type { FinalJob } from "../../jobs/model.ts";
import type { PartEnd, Payload, WorkflowPart } from "../model.ts";

type Members = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Members | undefined => (isObject(value) ? value : undefined);

interface Known {
  /** Conditions that the end of the job meets. */
  readonly conditions: readonly string[];
  readonly activation: string | undefined;
}

/** What a workflow stores of an ended sub-job, and the end that it has yet to process. */
export function partOf(job: FinalJob, known: Known): { readonly part: WorkflowPart; readonly end: PartEnd } {
  const { id, workflow = {}, completed = 0, retried = false } = job;
  const run = String(workflow["job"]);
  const node = String(workflow["node"]);
  const data = retried ? undefined : membersOf(job.data);
  const part = { id: `${run}/${node}/${id}`, run, node, completed, stub: stubOf(job), ...(data ? { data } : {}) };
  return { part, end: endOf(job, known) };
}

function stubOf(job: FinalJob): WorkflowPart["stub"] {
  const { id, code = 0, server, completed = 0, elapsed = 0, retried } = job;
  const { label, icon } = job;
  return {
    id,
    code,
    description: job.description ?? "",
    completed,
    elapsed,
    tags: [...(job.tags ?? [])],
    ...(server === undefined ? {} : { server }),
    files: retried ? [] : [...listOf(job.files)],
    ...(retried ? { retried: true } : {}),
    ...(label ? { label } : {}),
    ...(icon ? { icon } : {}),
  };
}

function endOf(job: FinalJob, { conditions, activation }: Known): PartEnd {
  const { id, event, code = 0, description, workflow = {}, retried = false, tags, actions } = job;
  const { node, redirect } = workflow;
  const { table, html } = job;
  const isOwn = (action: Members): boolean => action["source"] === "workflow" && action["date"] !== undefined;
  return {
    id,
    node: String(node),
    activation,
    conditions,
    retried,
    tags: retried ? [] : [...(tags ?? [])],
    succeeded: code === 0 || code === false,
    ...(typeof redirect === "string" ? { redirect } : {}),
    workflowData: membersOf(job.workflowData),
    ...(table === undefined ? {} : { table }),
    ...(html === undefined ? {} : { html }),
    actions: (actions ?? []).filter(isOwn),
    parent: { job: id, event, code, description: description ?? "" },
  };
}

/** Payload of the outgoing wires of a sub-job. */
export const payloadOf = ({ data, stub }: Pick<WorkflowPart, "data" | "stub">): Payload => ({
  ...(data ? { data } : {}),
  files: stub.files,
});
