import { filterMembers } from "../../lib/json/filter-members.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Members that callers may not set: plugin and configuration alone say how a process is started, and credentials are
 * never stored (docs/contract/events.md#record).
 */
const DROPPED: ReadonlySet<string> = new Set([
  ...["command", "script", "uid", "gid", "cwd", "env", "kill", "runner"],
  ...["session_id", "api_key", "csrf_token", "cachebust", "pretty"],
]);

export function withoutLaunchMembers(input: Members): Record<string, unknown> {
  return filterMembers(input, (member) => !DROPPED.has(member));
}
