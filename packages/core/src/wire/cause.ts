import * as z from "zod";
import { looseObject } from "./schemas/objects.ts";

/** Kinds of causes of records (docs/contract/records.md#cause). */
const CAUSE_KINDS = [
  ...(["user", "api_key", "anonymous", "system", "schedule", "magic"] as const),
  ...(["job", "workflow", "alert", "server", "ticket", "activity"] as const),
] as const;

/** The cause of a record: one link of the chain that leads back to a person, a schedule or a minute. */
export const Cause = looseObject(() => ({
  kind: z.enum(CAUSE_KINDS),
  /** Id of the record that `kind` names: user name, id of a key, event of a schedule, job, invocation … */
  id: z.string(),
  /** The host's id of the request that led to it. */
  request: z.string().optional(),
}));
export type Cause = z.infer<typeof Cause>;

const REQUEST_ID = /^[\w\-.:/+=@]{1,128}$/;

/** The text, if it is valid as a request id of the host; undefined if it is too long or has other characters. */
export const requestIdOf = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && REQUEST_ID.test(text) ? text : undefined;
