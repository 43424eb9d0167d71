import { expect } from "vitest";
import type { ShortFlow } from "../open-flows.ts";

/** A case: the workflow, the nodes that had jobs, members of the final record, and inputs of some nodes' jobs. */
export type Case = [
  name: string,
  flow: ShortFlow,
  ran: string,
  job: object,
  inputs?: Readonly<Record<string, readonly object[]>>,
];

export const job = (more: object = {}) => ({
  type: "job",
  data: { plugin: "shellplug", category: "general", params: { script: "true" }, ...more },
});
export const decision = (expression: string, more: object = {}) => ({
  controller: "decision",
  decision: expression,
  ...more,
});
export const split = (expression: string, more: object = {}) => ({ controller: "split", split: expression, ...more });
export const repeat = (times: unknown, more: object = {}) => ({ controller: "repeat", repeat: times, ...more });
export const multiplex = (more: object = {}) => ({ controller: "multiplex", ...more });
export const wait = (seconds: unknown) => ({ controller: "wait", wait: seconds });
export const join = { controller: "join" };
export const limit = (data: object) => ({ type: "limit", data: { enabled: true, ...data } });
export const action = (data: object) => ({ type: "action", data: { enabled: true, ...data } });
export const tag = action({ type: "tag", tags: ["flag"] });

export const OK = { code: 0 };
export const WARNED = { code: "warning" };
export const FAILS = { code: 7, description: "no" };
export const number = expect.any(Number);
/** Ends with a warning, and the given nodes with an error. */
export const failed = (...nodes: readonly string[]) => ({
  ...WARNED,
  workflow: { state: Object.fromEntries(nodes.map((node) => [node, { error: true }])) },
});
export const aborted = (description: unknown) => ({ code: "abort", description, workflow: { aborted: description } });
