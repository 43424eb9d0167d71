import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields.ts";
import { sentRevision } from "../../wire/revision.ts";
import { shownMembers } from "../../wire/shown-members.ts";
import { stampFields } from "../../wire/stamps.ts";

/** An address that the engine asks again and again (docs/contract/monitors.md#checks). Ours. */
export const Check = z.looseObject({
  id: Id,
  title: z.string(),
  /** Falsy = not asked. */
  enabled: Flag,
  category: z.string(),
  tags: z.array(z.string()).nullish(),
  /** "http" alone; immutable. */
  type: z.string(),
  url: z.string(),
  method: z.enum(["GET", "HEAD"]),
  /** Seconds. */
  every: z.number(),
  timeout: z.number(),
  /** Failures in a row that are no news yet. */
  retries: z.number(),
  /** What the status may be: "200-399", "404". */
  status: z.array(z.string()),
  /** Text that the answer must hold, or must not. */
  contains: z.string().nullish(),
  not_contains: z.string().nullish(),
  /** Milliseconds that an answer may take; absent = the timeout. */
  max_ms: z.number().nullish(),
  follow: Flag,
  /** The certificate must be trusted. */
  verify: Flag,
  /** Days before the end of the certificate. */
  warn_days: z.number(),
  crit_days: z.number(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
});
export type Check = z.infer<typeof Check>;

/** Further members are checked by `checkFault`, whose errors carry the domain's code. */
const further = {
  ...shownMembers(Check, ["enabled", "category", "tags", "method", "every", "timeout", "retries", "status"]),
  ...shownMembers(Check, ["contains", "not_contains", "max_ms", "follow", "verify", "warn_days", "crit_days"]),
  ...shownMembers(Check, ["icon", "notes"]),
};
export const CreateCheck = z.looseObject({
  id: Id.optional(),
  title: Title,
  type: z.string(),
  url: z.string(),
  ...further,
});
export type CreateCheck = z.infer<typeof CreateCheck>;
export const UpdateCheck = z.looseObject({
  id: Id,
  title: Title.optional(),
  revision: sentRevision,
  url: z.string().optional(),
  ...further,
});

/** Why an answer was not as it should be. */
export const REASONS = [
  ...(["timeout", "refused", "dns", "tls", "status", "content", "slow", "blocked", "failed"] as const),
] as const;

/** What came of asking once. */
export const CheckResult = z.object({
  /** Unix seconds. */
  date: z.number(),
  ok: z.boolean(),
  ms: z.number(),
  /** HTTP status; absent = there was no answer. */
  status: z.number().optional(),
  /** Whole days until the certificate ends; absent = there is none. */
  days_left: z.number().optional(),
  reason: z.enum(REASONS).optional(),
  /** One sentence about a failure. */
  text: z.string().optional(),
});
export type CheckResult = z.infer<typeof CheckResult>;
export type KeptResult = CheckResult & { id: string };

/** How a check stands; the id is the check's. */
export interface CheckState {
  id: string;
  /** Unix seconds of the next asking. */
  readonly next: number;
  /** Failures in a row. */
  readonly failures: number;
  /** More than may be. */
  readonly down: boolean;
  readonly count: number;
  readonly latest?: CheckResult;
}

/** What expressions of alerts on checks see (docs/contract/alerts.md#checks). */
export interface CheckSight extends Readonly<Record<string, unknown>> {
  readonly check: Readonly<Partial<Omit<CheckResult, "date">>> & {
    readonly id: string;
    readonly title: string;
    readonly category: string;
    readonly tags: readonly string[];
    readonly down: boolean;
    readonly failures: number;
    readonly warn_days: number;
    readonly crit_days: number;
    /** Unix seconds of the last result. */
    readonly last?: number | undefined;
  };
}
