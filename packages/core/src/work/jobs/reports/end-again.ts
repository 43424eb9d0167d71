import type { Cradle } from "../../../kernel/container.ts";
import type { ActiveJob } from "../model.ts";

/**
 * Repeats the abort message of a job that is being aborted. The first message may have been lost with the previous connection; an
 * agent that received it ignores the second one.
 */
export function tellToEndAgain(
  { servers }: Pick<Cradle, "servers">,
  { id, aborting, abortReason, job }: ActiveJob,
): void {
  if (aborting === undefined || job.server === undefined) return;
  servers.send(job.server, { cmd: "abort_job", data: { id, reason: abortReason ?? "" } });
}
