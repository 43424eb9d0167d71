import { TARGETS_OVERRIDE } from "../../../wire/entries/override.ts";

/** Kinds of records that others name by id. A target is a server or a group. */
export type Kind =
  | "alert"
  | "bucket"
  | "category"
  | "channel"
  | "check"
  | "event"
  | "group"
  | "invocation"
  | "job"
  | "monitor"
  | "plugin"
  | "role"
  | "server"
  | "tag"
  | "target"
  | "ticket"
  | "user"
  | "web_hook";

/** A member of an action that names a record. */
export interface ActionReference {
  /** Path below the action: "event_id". */
  readonly member: string;
  readonly kind: Kind;
}

const users: ActionReference = { member: "users", kind: "user" };
const bucket: ActionReference = { member: "bucket_id", kind: "bucket" };

/**
 * Records that actions of each type name (docs/contract/actions.md#what-actions-name). The engine refuses to register a
 * type that is not listed here.
 */
export const ACTION_REFERENCES: Readonly<Record<string, readonly ActionReference[]>> = {
  email: [users],
  web_hook: [{ member: "web_hook", kind: "web_hook" }],
  run_event: [
    { member: "event_id", kind: "event" },
    // Alerts merge the parameters without checks, and this one replaces the event's targets.
    { member: `params.${TARGETS_OVERRIDE}`, kind: "target" },
  ],
  channel: [{ member: "channel_id", kind: "channel" }],
  ticket: [
    { member: "ticket_assignees", kind: "user" },
    { member: "ticket_tags", kind: "tag" },
  ],
  tag: [{ member: "tags", kind: "tag" }],
  label: [],
  store: [bucket],
  fetch: [bucket],
  plugin: [{ member: "plugin_id", kind: "plugin" }],
  snapshot: [],
  suspend: [users, { member: "web_hook", kind: "web_hook" }],
  disable: [],
  delete: [],
};
