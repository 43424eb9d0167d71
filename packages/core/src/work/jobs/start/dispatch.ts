import { fetchable } from "../../../directory/files/rules/plain-token.ts";
import type { KeyedCradle } from "../../../kernel/container.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import type { ActiveJob } from "../model.ts";

/** Version of the wire API that is sent to agents and scripts. */
const WIRE_VERSION = "1.0.88";

/** Facts that only the transaction of the dispatch can read. */
export interface DispatchFacts {
  /** Stored user data of the server: earlier jobs may have changed it. */
  readonly userData: unknown;
}

/** Opened secrets by name; only this message contains them. */
export type LaunchSecrets = Readonly<Record<string, string>>;

/**
 * Sends the launch message to the job's server; false when it is gone (docs/contract/satellites.md#launch). Synchronous, so that
 * no abort can precede it.
 */
export function sendLaunch(
  { clock, config, secretKey, servers }: Pick<KeyedCradle, "clock" | "config" | "secretKey" | "servers">,
  { job, details, workflowData }: ActiveJob,
  { userData, sec }: DispatchFacts & { readonly sec: LaunchSecrets },
): boolean {
  const server = job.server === undefined ? undefined : servers.get(job.server);
  if (!server) return false;
  const { timelines: _live, ...sent } = details;
  const versions = { xyops: WIRE_VERSION, xysat: server.info["satellite"] ?? "" };
  const serverData = userData ?? server.userData ?? {};
  const given = { serverData, versions, ...(workflowData === undefined ? {} : { workflowData }) };
  const input = config.files.require_auth_for_plain_paths ? fetchableInput(sent.input, { secretKey, clock }) : {};
  const data = { job: withoutRemote(job), details: { ...sent, ...input, ...given }, sec };
  return servers.send(server.id, { cmd: "launch_job", data });
}

/** Agents fetch input files by path, without credentials. */
function fetchableInput(
  input: ActiveJob["details"]["input"],
  { secretKey, clock }: Pick<KeyedCradle, "secretKey" | "clock">,
): object {
  const files = isObject(input) ? input["files"] : undefined;
  return Array.isArray(files) ? { input: { ...input, files: fetchable(files, secretKey, clock.now()) } } : {};
}

/** Agents return all members that they receive, but this one is the engine's. */
function withoutRemote({ remote: _own, ...job }: ActiveJob["job"]): Omit<ActiveJob["job"], "remote"> {
  return job;
}
