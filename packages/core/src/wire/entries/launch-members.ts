import { filterMembers } from "../../lib/json/filter-members.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members of any call that concern the call itself: credentials, and the form of the answer. */
export const CALL_MEMBERS: ReadonlySet<string> = new Set([
  ...["session_id", "api_key", "csrf_token", "cachebust", "pretty"],
]);

/** Members that say how a process is started: only plugin and configuration set them. */
export const LAUNCH_MEMBERS = ["command", "script", "uid", "gid", "cwd", "env", "kill", "runner"] as const;

/**
 * Members that callers may not set: only plugin and configuration say how a process is started, and credentials are never stored
 * (docs/contract/events.md#record).
 */
const DROPPED: ReadonlySet<string> = new Set([...LAUNCH_MEMBERS, ...CALL_MEMBERS]);

export function withoutLaunchMembers(input: Members): Record<string, unknown> {
  return filterMembers(input, (member) => !DROPPED.has(member));
}
