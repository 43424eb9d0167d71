import * as z from "zod";
import { pattern } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/**
 * Names that nobody can register (docs/contract/configuration.md#names-nobody-may-register); compared as a whole and without
 * case.
 */
const BLOCKED_NAMES = `^(${[
  "self|system|abuse|admin|administrator|localhost|127.0.0.1|nobody|noreply|root|support|sysadmin|webmaster|www|god|staff",
  "null|constructor|__defineGetter__|__defineSetter__|hasOwnProperty|__lookupGetter__|__lookupSetter__|isPrototypeOf",
  "propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString|0",
].join("|")})$`;

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const usersConfig = {
  User: looseObject(() => ({
    session_expire_days: z.number().positive().default(365).describe("Days without use after which a session ends."),
    max_failed_logins_per_hour: z
      .int()
      .nonnegative()
      .default(5)
      .describe(
        "Wrong passwords per account and hour; then it is locked, and guesses of an administrator's are delayed.",
      ),
    max_forgot_passwords_per_hour: z.int().nonnegative().default(3).describe("Recovery mails per account and hour."),
    free_accounts: z.boolean().default(false).describe("Lets anyone register an account."),
    self_delete: z.boolean().default(true).describe("Lets users delete their own account."),
    use_csrf: z.boolean().default(true).describe("Asks cookie sessions for their token with every change."),
    min_password_length: z.int().positive().default(1).describe("Characters of a new password."),
    valid_username_match: pattern().default("^[\\w\\-\\.]+$").describe("Pattern of user names."),
    block_username_match: pattern()
      .default(BLOCKED_NAMES)
      .describe("Pattern of names that no one may register, without regard to case."),
    cookie_settings: z
      .union([
        z.literal(false),
        z.looseObject({
          path: z.string().default("/"),
          secure: z.union([z.boolean(), z.literal("auto")]).default("auto"),
          httpOnly: z.boolean().default(true),
          sameSite: z.enum(["Lax", "Strict", "None"]).default("Lax"),
        }),
      ])
      .prefault({})
      .describe("Attributes of the session cookie; `false` = no cookie, login answers the session id instead."),
  })).prefault({}),
  default_user_privileges: z
    .record(z.string(), z.boolean())
    .default({
      create_events: true,
      edit_events: true,
      run_jobs: true,
      tag_jobs: true,
      create_tickets: true,
      edit_tickets: true,
    })
    .describe("Privileges of new accounts."),
  default_user_prefs: z
    .record(z.string(), z.unknown())
    .default({
      notifications: false,
      volume: 7,
      admin_hide_notify_sys: false,
      admin_hide_notify_user: false,
      mail_own_changes: true,
    })
    .describe("Further members of new accounts; ten saved `searches` of jobs and tickets unless it names its own."),
};

/** Rules of accounts, passwords and sessions. */
export type UserConfig = z.output<typeof usersConfig.User>;
