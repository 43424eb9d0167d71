import * as z from "zod";
import { isAddressTemplate } from "../../lib/network/address-template.ts";
import { Cause } from "../../wire/cause.ts";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { shown } from "../../wire/schemas/shown-members.ts";

export const HookHeader = looseObject(() => ({ name: z.string(), value: z.string() }));
export type HookHeader = z.infer<typeof HookHeader>;

/** An outbound request (docs/contract/web-hooks.md#record). Imported records may lack members. */
export const WebHook = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Disabled hooks are not fired. */
  enabled: Flag.nullish(),
  /** May contain macros. */
  url: z.string(),
  method: z.string(),
  /** Values may contain macros. */
  headers: z.array(HookHeader).nullish(),
  /** May contain macros. */
  body: z.string().nullish(),
  /** Seconds to the first byte and between bytes. */
  timeout: z.number().nullish(),
  /** Number of attempts after the first. */
  retries: z.number().nullish(),
  /** Follows redirects. */
  follow: Flag.nullish(),
  ssl_cert_bypass: Flag.nullish(),
  /** Name of a variable of an assigned secret, `whsec_<Base64>`, with which requests are signed. Absent or empty = not signed. */
  sign_with: z.string().nullish(),
  /** 0 = unlimited; counted from local midnight. */
  max_per_day: z.number().nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type WebHook = z.infer<typeof WebHook>;

/** Members that may contain macros. */
export interface HookTexts {
  readonly id: string;
  readonly url: string;
  readonly headers?: readonly HookHeader[] | null | undefined;
  readonly body?: string | null | undefined;
}

/** Inclusive bounds of the numbers (docs/contract/web-hooks.md#checks). */
export const BOUNDS = {
  timeout: [1, 3600],
  retries: [0, 32],
  max_per_day: [0, Number.MAX_SAFE_INTEGER],
} as const;

const url = z
  .string()
  .regex(/^(?:https?:\/\/|\{\{)/i)
  .refine(isAddressTemplate);
const method = z.string().regex(/^\w+$/);

const bounded = (member: keyof typeof BOUNDS) => {
  const error = exactly(`Malformed parameter: ${member}`);
  const [min, max] = BOUNDS[member];
  return z.number({ error }).min(min, { error }).max(max, { error });
};

/** On update, text like "+5" adds to the stored number; the sum is checked against the bounds afterwards. */
const steppable = (member: keyof typeof BOUNDS) =>
  z.union([bounded(member), z.string().regex(/^[+-][\d.]+$/)], { error: exactly(`Malformed parameter: ${member}`) });

const members = () => ({
  enabled: Flag.nullish(),
  // Headers are checked later, because their faults have a special error code.
  headers: shown(z.array(HookHeader).nullish()),
  body: z.string().nullish(),
  follow: Flag.nullish(),
  ssl_cert_bypass: Flag.nullish(),
  sign_with: z
    .string()
    .regex(/^(?:[A-Za-z_]\w*)?$/)
    .nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
});

export const CreateWebHook = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  url,
  method,
  ...members(),
  timeout: bounded("timeout").nullish(),
  retries: bounded("retries").nullish(),
  max_per_day: bounded("max_per_day").nullish(),
}));
export type CreateWebHook = z.infer<typeof CreateWebHook>;

/** Any member may differ from the stored hook, and the id need not exist. */
export const TestWebHook = looseObject(() => ({ ...CreateWebHook.shape, id: Id }));
export type TestWebHook = z.infer<typeof TestWebHook>;

export const UpdateWebHook = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  url: url.optional(),
  method: method.optional(),
  ...members(),
  timeout: steppable("timeout").nullish(),
  retries: steppable("retries").nullish(),
  max_per_day: steppable("max_per_day").nullish(),
}));
export type UpdateWebHook = z.infer<typeof UpdateWebHook>;

/** Subject of a firing, for access checks and lists. */
export interface DeliveryScope {
  readonly type: "job" | "alert" | "system";
  /** Id of the job or alert, or the action of the activity log. */
  readonly about: string;
  /** Category of the job, or of the event, heartbeat or check that the alert is about. */
  readonly category?: string;
  readonly targets?: readonly string[];
  /** Groups of the alert's server. */
  readonly groups?: readonly string[];
  /** All firings that a notice reports, if there are several. Callers never see it. */
  readonly firings?: readonly FiringScope[];
}

/** The category of an alert's subject, or the groups of its server. */
export type FiringScope = Pick<DeliveryScope, "category" | "groups">;

/** A firing that failed permanently. It contains no secrets: they are inserted again when it is resent. */
export interface WebHookDelivery extends DeliveryScope {
  id: string;
  readonly web_hook: string;
  /** Title of the hook. */
  readonly title: string;
  /** Unix seconds of the first failure. */
  readonly created: number;
  /** Unix seconds of the last attempt. */
  readonly date: number;
  readonly attempts: number;
  /** 0 or "webhook". */
  readonly code: number | string;
  readonly description: string;
  /** Markdown, without secrets. */
  readonly details: string;
  readonly delivered?: boolean;
  /** Absent on deliveries of old installations, and when the firing's subject is not stored. */
  readonly cause?: Cause;
  /** Idempotency key of all its attempts; empty = each attempt has its own. */
  readonly key: string;
  /** Data for the templates; absent when it is too large or no longer needed. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A delivery as operations return it. */
export const PublicDelivery = looseObject(() => ({
  id: z.string(),
  web_hook: z.string(),
  title: z.string(),
  type: z.enum(["job", "alert", "system"]),
  about: z.string(),
  created: z.number(),
  date: z.number(),
  attempts: z.number(),
  code: z.union([z.number(), z.string()]),
  description: z.string(),
  details: z.string(),
  delivered: z.boolean().optional(),
  resendable: z.boolean(),
  cause: Cause.optional(),
}));
export type PublicDelivery = z.infer<typeof PublicDelivery>;
