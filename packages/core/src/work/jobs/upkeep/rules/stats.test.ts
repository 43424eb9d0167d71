import { expect, test } from "vitest";
import type { FinalJob } from "../../model.ts";
import { asCounted, conditionCounts } from "./stats.ts";

const job = (members: Partial<FinalJob>): FinalJob => ({ final: true, state: "complete", ...members }) as FinalJob;

test.each<[string, Partial<FinalJob>, string]>([
  ["that ended with a warning", { code: "warning" }, "job_warning"],
  ["that was aborted", { code: "abort" }, "job_abort"],
  ["that was aborted, and reported later", { code: "warning", late: true }, "job_abort"],
])("the deletion of a job %s reverts what its end has counted", (_title, members, counter) => {
  expect(conditionCounts(asCounted(job(members)))).toEqual({ job_complete: 1, job_error: 1, [counter]: 1 });
});
