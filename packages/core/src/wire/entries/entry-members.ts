import { entriesOf, type Known } from "../schemas/known-members.ts";
import { actionSchema } from "./action-types.ts";
import { limitSchema } from "./limit-types.ts";

type Entry = Readonly<Record<string, unknown>>;

/** Members of an action (docs/contract/actions.md#record), including those that a run adds: clients post whole records back. */
export const knownActions: Known = entriesOf({
  names: [
    ...["enabled", "condition", "type", "users", "email", "body", "web_hook", "text", "event_id", "params"],
    ...["start_delay", "target_server", "clear_alert", "channel_id", "plugin_id", "tags", "label", "sources"],
    ...["ticket_type", "ticket_assignees", "ticket_tags", "ticket_due", "reuse", "close_on_clear", "per"],
    ...["bucket_id", "bucket_sync", "bucket_glob", "hidden", "source", "id", "conn"],
    ...["date", "elapsed_ms", "code", "description", "details", "loc", "active", "round", "notice"],
  ],
  // A plugin checks the members of its own types of actions.
  isData: ({ type }: Entry) => typeof type === "string" && type.includes("."),
  entry: { name: "Action", schema: actionSchema },
});

/** Members of a limit (docs/contract/limits.md#record), including those that a run adds. */
export const knownLimits: Known = entriesOf({
  names: [
    ...["enabled", "type", "amount", "duration", "weight", "size", "accept", "condition", "abort", "tags", "users"],
    ...["email", "web_hook", "text", "snapshot", "source", "backoff", "max_delay", "jitter"],
    ...["when", "date", "msg", "code", "description", "details", "elapsed_ms", "id", "conn"],
  ],
  entry: { name: "Limit", schema: limitSchema },
});
