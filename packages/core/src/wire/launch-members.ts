import { filterMembers } from "../lib/filter-members.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * How a process is started comes from plugin and configuration only; credentials are never stored
 * (docs/contract/events.md#record).
 */
const DROPPED: ReadonlySet<string> = new Set([
  ...["command", "script", "uid", "gid", "cwd", "env", "kill", "runner"],
  ...["session_id", "api_key", "csrf_token", "cachebust", "pretty"],
]);

export function withoutLaunchMembers(input: Members): Record<string, unknown> {
  return filterMembers(input, (member) => !DROPPED.has(member));
}
