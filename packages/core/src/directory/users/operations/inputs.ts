import * as z from "zod";
import { Flag, optionalFlag, pageNumber, sentPrivileges } from "../../../wire/fields/fields.ts";
import { sentRevision } from "../../../wire/fields/revision.ts";
import { stripTags } from "../../../wire/fields/strip-tags.ts";
import { exactly } from "../../../wire/issues.ts";
import type { Json } from "../../../wire/schemas/json.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { NESTED_PREFERENCES, SIMPLE_PREFERENCES, User } from "../model.ts";
import { isPreference, isSmall } from "../rules/preferences.ts";

const MAX_TEXT = 256;
const MAX_PASSWORD = 1024;
const MAX_LIST = 1000;

const Username = z
  .string()
  .max(64)
  .regex(/^[\w\-.]+$/)
  // The account's key consists of word characters, so there must be at least one.
  .regex(/\w/);
const Password = z.string().min(1).max(MAX_PASSWORD);

/** Removes tags and outer blanks, the form in which names and addresses are stored (docs/contract/accounts.md#record). */
const cleanText = z
  .string()
  .max(MAX_TEXT)
  .transform((text) => stripTags(text).trim());
const FullName = cleanText.pipe(z.string().regex(/\S/));
const Email = cleanText.pipe(z.string().regex(/^\S+@\S+$/));
const Icon = z
  .string()
  .max(MAX_TEXT)
  .transform((text) => text.replace(/[^\w-]/g, ""));

const Ids = z.array(z.string().max(64)).max(MAX_LIST);

const simple = () => z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]).nullish();
const nested = () => z.unknown().refine(isSmall) as unknown as z.ZodType<Json, Json>;
type Shape<Names extends readonly string[], T> = { readonly [Name in Names[number]]: T };
const shapeOf = <const Names extends readonly string[], T>(names: Names, type: T): Shape<Names, T> =>
  Object.fromEntries(names.map((name) => [name, type])) as Shape<Names, T>;
const preferences = () => ({
  ...shapeOf(SIMPLE_PREFERENCES, simple()),
  ...shapeOf(NESTED_PREFERENCES, nested().nullish()),
});

const profile = () => ({
  full_name: FullName.optional(),
  email: Email.optional(),
  icon: Icon.nullish(),
  ...preferences(),
});
const rights = () => ({
  active: Flag.nullish(),
  privileges: sentPrivileges().nullish(),
  roles: Ids.nullish(),
  categories: Ids.nullish(),
  groups: Ids.nullish(),
});
const marks = () => ({
  force_password_reset: Flag.nullish(),
  force_password_change: Flag.nullish(),
  remote: Flag.nullish(),
  sync: Flag.nullish(),
});
const counters = () => shapeOf(["fl_date_code", "fl_count", "fp_date_code", "fp_count"], z.number().nullish());

const account = { username: Username, email: Email, full_name: FullName, password: Password };

export const CreateUser = z.looseObject(account);
export type CreateUser = z.infer<typeof CreateUser>;

export const AdminCreateUser = looseObject(() => ({
  // Spread twice: here for the order in which missing members are reported, below to make these members required.
  ...account,
  ...profile(),
  ...account,
  ...rights(),
  ...marks(),
  /** Sends a welcome mail. */
  send_email: optionalFlag(),
}));
export type AdminCreateUser = z.infer<typeof AdminCreateUser>;

export const UpdateUser = looseObject(() => ({
  username: Username,
  if_revision: sentRevision,
  old_password: Password,
  /** Empty or absent = the password does not change. */
  new_password: z.string().max(MAX_PASSWORD).nullish(),
  ...profile(),
}));
export type UpdateUser = z.infer<typeof UpdateUser>;

export const AdminUpdateUser = looseObject(() => ({
  username: Username,
  if_revision: sentRevision,
  /** Empty or absent = the password does not change; a new one also unlocks the account. */
  new_password: z.string().max(MAX_PASSWORD).nullish(),
  /** Clears the lock and the counters. */
  unlock: optionalFlag(),
  ...profile(),
  ...rights(),
  ...marks(),
  ...counters(),
}));
export type AdminUpdateUser = z.infer<typeof AdminUpdateUser>;

export const DeleteOwnUser = looseObject(() => ({ username: Username, password: Password }));
export const NamedUser = looseObject(() => ({ username: Username }));
export const ForgotPassword = looseObject(() => ({ username: Username, email: Email }));
export const ResetPassword = looseObject(() => ({
  username: Username,
  new_password: Password,
  key: z.string().regex(/^[A-F0-9]{64}$/i),
}));

/** Ignores members of the account, because pages send whole accounts back; only `icon` is written. */
const isOwnSetting = (member: string): boolean =>
  Object.hasOwn(User.shape, member) || member === "salt" || member === "if_revision";

/** Only preferences: the error names the first member that is neither a preference nor part of the account. */
export const UserSettings = looseObject(() => ({
  icon: Icon.nullish(),
  if_revision: sentRevision,
  ...preferences(),
})).superRefine((sent, context) => {
  const illegal = Object.keys(sent).find((member) => !isOwnSetting(member) && !isPreference(member));
  if (illegal === undefined) return;
  const message = exactly(`Invalid parameter: ${illegal.slice(0, MAX_TEXT)} (illegal key)`);
  context.addIssue({ code: "custom", path: [illegal], message });
});

/** Default: the first 50. */
export const PageOf50 = looseObject(() => ({
  offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: pageNumber(50, 1000).optional(),
}));
