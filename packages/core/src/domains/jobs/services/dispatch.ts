import type { Cradle } from "../../../kernel/container.ts";
import type { ActiveJob } from "../model.ts";

/** Version of the wire API that agents and scripts are told of. */
const WIRE_VERSION = "1.0.88";

/** Hands the launch message to the job's server; false when it is gone (part 31 §4.2). */
export function sendLaunch({ servers }: Pick<Cradle, "servers">, { job, details }: ActiveJob): boolean {
  const server = job.server === undefined ? undefined : servers.get(job.server);
  if (!server) return false;
  const { workflowData: _kept, timelines: _live, ...sent } = details;
  const versions = { xyops: WIRE_VERSION, xysat: server.info["satellite"] ?? "" };
  const data = { job: withoutRemote(job), details: { ...sent, serverData: server.userData ?? {}, versions }, sec: {} };
  return servers.send(server.id, { cmd: "launch_job", data });
}

/** The agent echoes what it gets, and this member is the engine's own view. */
function withoutRemote({ remote: _own, ...job }: ActiveJob["job"]): Omit<ActiveJob["job"], "remote"> {
  return job;
}
