import * as z from "zod";
import { Action } from "../../wire/entries/actions-and-limits.ts";
import { Flag, Id } from "../../wire/fields/fields.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** A set of servers, chosen by a pattern over their hostnames or manually (docs/contract/servers.md#group). */
export const Group = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Pattern over the normalised hostname, unanchored; an empty one matches nothing. */
  hostname_match: z.string(),
  icon: z.string().nullish(),
  /** Run for every alert on a server of the group, unless the alert is exclusive. */
  alert_actions: z.array(Action).nullish(),
  sort_order: z.number(),
  /** Default of a server's `maxJobs`; the lowest of a server's groups wins, 0 = none. */
  max_jobs_per_server: z.number().nullish(),
  /** True = the group's servers come and go, and an absent one is not reported. */
  ephemeral: Flag.nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Group = z.infer<typeof Group>;
