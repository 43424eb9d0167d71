import { type Caller, mayAccess } from "../../../directory/access/require-access.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { commandsFor } from "../../servers/rules/minutes/command-lines.ts";
import type { Snapshot } from "../model.ts";

export function requireUnlimited(caller: Caller): void {
  if (!mayAccess(caller, { group: "*" }))
    throw new DomainError("alert", "conflict", "Group-limited users may not delete server snapshots.");
}

/**
 * A whole snapshot as this caller may see it: only callers with a privilege on servers see the arguments of processes.
 */
export function shown(caller: Caller, snapshot: Snapshot): Snapshot {
  const { data, snapshots } = snapshot as { data?: unknown; snapshots?: unknown };
  const visible = (sent: unknown): unknown => (isObject(sent) ? commandsFor(caller, sent) : sent);
  const ofServer = (record: unknown): unknown =>
    isObject(record) ? { ...record, data: visible(record["data"]) } : record;
  return {
    ...snapshot,
    ...(data === undefined ? {} : { data: visible(data) }),
    ...(Array.isArray(snapshots) ? { snapshots: snapshots.map(ofServer) } : {}),
  } as Snapshot;
}
