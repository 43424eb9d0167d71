import type { Cradle } from "../../../kernel/container.ts";
import type { ActiveJob } from "../model.ts";

/**
 * Tells a server once more to end a job that it was told to end. The first message may have gone with the connection before;
 * an agent that had it takes no notice of a second one.
 */
export function tellToEndAgain(
  { servers }: Pick<Cradle, "servers">,
  { id, aborting, abortReason, job }: ActiveJob,
): void {
  if (aborting === undefined || job.server === undefined) return;
  servers.send(job.server, { cmd: "abort_job", data: { id, reason: abortReason ?? "" } });
}
