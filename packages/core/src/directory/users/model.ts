import * as z from "zod";
import { Flag } from "../../wire/fields/fields.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/**
 * Preferences that clients store with the account; the engine reads only `mail_own_changes` (docs/contract/accounts.md#record).
 */
export const SIMPLE_PREFERENCES = [
  "locale",
  "language",
  "region",
  "num_format",
  "hour_cycle",
  "timezone",
  "color_acc",
  "privacy_mode",
  "notifications",
  "effects",
  "page_info",
  "theme",
  "contrast",
  "motion",
  "volume",
  "admin_hide_notify_sys",
  "admin_hide_notify_user",
  "mail_own_changes",
] as const;
export const NESTED_PREFERENCES = ["filters", "searches", "sidebar", "favorites"] as const;

const flag = Flag.nullish();

/** A person's account. The record is open, and preferences are additional members. */
export const User = named(
  "User",
  looseObject(() => ({
    /** The user name in lower case without non-word characters: `J.Doe` and `jdoe` are one account. */
    id: z.string(),
    /** Name as it was typed when the account was made; never changes. */
    username: z.string(),
    full_name: z.string(),
    email: z.string(),
    icon: z.string().optional(),
    /** `scrypt$16384$8$5$<salt>$<hash>`, or a hash of another system; never leaves the engine. */
    password: z.string(),
    /** Null counts as disabled. */
    active: Flag.nullish(),
    /** Privilege id → truthy. */
    privileges: z.record(z.string(), z.union([z.boolean(), z.number()])),
    roles: z.array(z.string()),
    /** Allowed categories; empty = all. */
    categories: z.array(z.string()),
    /** Allowed groups; empty = all. */
    groups: z.array(z.string()),
    /** Unix seconds. */
    created: z.int(),
    /** Unix seconds. */
    modified: z.int(),
    /** Counts updates; absent on records of old installations. */
    revision: z.int().optional(),
    /** Locked until the password is reset or an administrator unlocks the account. */
    force_password_reset: flag,
    /** Pages ask for a new password at the next login. */
    force_password_change: flag,
    /** Failed logins: clock hour, and their number in that hour. */
    fl_date_code: z.number().nullish(),
    fl_count: z.number().nullish(),
    /** Password mails: clock hour, and their number in that hour. */
    fp_date_code: z.number().nullish(),
    fp_count: z.number().nullish(),
  })),
);
export type User = z.infer<typeof User>;

/** An account as callers see it: without id, password and counters. */
export const PublicUser = looseObject(
  () =>
    User.omit({
      id: true,
      password: true,
      fl_date_code: true,
      fl_count: true,
      fp_date_code: true,
      fp_count: true,
    }).shape,
);
export type PublicUser = z.infer<typeof PublicUser>;

/** One row of an account's own security log (docs/contract/accounts.md#security-log). */
export interface SecurityRow {
  id: string;
  /** Key of the account. */
  readonly account: string;
  readonly action: string;
  /** Unix seconds. */
  readonly epoch: number;
  readonly [member: string]: unknown;
}

/** A row of the security log as the owner sees it. */
export const SecurityEntry = looseObject(() => ({
  id: z.string(),
  action: z.string(),
  /** Unix seconds. */
  epoch: z.int(),
}));
export type SecurityEntry = z.infer<typeof SecurityEntry>;

/** Recovery keys of an account that were sent and are still unused. */
export interface PasswordRecovery {
  /** Key of the account. */
  id: string;
  /** Oldest first. `hash` is the SHA-256 of the key, `expires` in Unix seconds. */
  readonly keys: readonly { readonly hash: string; readonly expires: number }[];
}
