import type { RunState } from "../model.ts";

/** Result of a workflow that was not aborted (docs/contract/workflows.md#finish). */
export function resultOf({ succeeded, failed, hasErrors }: Pick<RunState, "succeeded" | "failed" | "hasErrors">) {
  if (failed === 0 && !hasErrors) return { code: 0, description: "Workflow completed successfully." };
  if (failed === 0) return { code: "warning", description: "Workflow completed, but nodes generated warnings." };
  if (succeeded > 0) return { code: "warning", description: "Workflow completed, but jobs failed." };
  return { code: 1, description: "Workflow failed: all jobs failed." };
}
