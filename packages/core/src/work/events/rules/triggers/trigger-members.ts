import { entriesOf, type Known } from "../../../../wire/schemas/known-members.ts";
import { triggerSchema } from "./trigger-types.ts";

/** Members of triggers of all types (docs/contract/schedules.md#triggers). */
export const knownTriggers: Known = entriesOf({
  names: [
    ...["id", "enabled", "type", "params", "tags", "data", "years", "months", "days", "weekdays", "hours", "minutes"],
    ...["timezone", "dst", "start", "end", "duration", "epoch", "key", "token", "body", "keys", "watch", "every"],
    ...["seconds", "invisible", "ephemeral", "plugin_id"],
  ],
  entry: { name: "Trigger", schema: triggerSchema },
});
