import { filled } from "../../../wire/schemas/filled.ts";
import { administratorRoles, isAdministrator, type RightsRole } from "../../access/rules/effective.ts";
import { keepGranted } from "../../access/rules/granting.ts";
import type { PublicUser, User } from "../model.ts";
import { preferencesOf, savedSearches } from "./preferences.ts";

/** Key of the account with this name (docs/contract/accounts.md#record). */
export const userKey = (username: string): string => username.toLowerCase().replace(/\W+/g, "");

/** Name of the lock that serialises changes and logins of an account. */
export const accountLock = (key: string): string => `users:${key}`;

/** The account without its key, password and counters. */
export function publicUser(user: User): PublicUser {
  const { id: _id, password: _hash, salt: _salt, ...rest } = user as User & { salt?: unknown };
  const { fl_date_code: _hour, fl_count: _count, fp_date_code: _mailHour, fp_count: _mails, ...shown } = rest;
  return shown as PublicUser;
}

/** Members of a new account; missing ones get defaults. */
export interface AccountInput {
  readonly username: string;
  readonly full_name: string;
  readonly email: string;
  readonly icon?: string | null | undefined;
  readonly active?: boolean | number | null | undefined;
  readonly privileges?: Readonly<Record<string, unknown>> | null | undefined;
  readonly roles?: readonly string[] | null | undefined;
  readonly categories?: readonly string[] | null | undefined;
  readonly groups?: readonly string[] | null | undefined;
  readonly force_password_change?: boolean | number | null | undefined;
  readonly remote?: boolean | number | null | undefined;
  readonly sync?: boolean | number | null | undefined;
  readonly [member: string]: unknown;
}

export interface AccountDefaults {
  /** Hash of the password. */
  readonly password: string;
  /** Unix seconds. */
  readonly now: number;
  /** Privileges of new accounts for which none are given (docs/contract/privileges.md#default-privileges). */
  readonly privileges: Readonly<Record<string, unknown>>;
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly roles: readonly RightsRole[];
}

export function newUser(input: AccountInput, defaults: AccountDefaults): User {
  const marks = pickPresent(input, ["force_password_change", "remote", "sync"]);
  return forceLists(
    {
      ...filled(preferencesOf(input), {
        searches: savedSearches(input.username),
        ...preferencesOf(defaults.preferences),
      }),
      ...marks,
      id: userKey(input.username),
      username: input.username,
      full_name: input.full_name,
      email: input.email,
      icon: input.icon ?? "",
      password: defaults.password,
      active: input.active ?? 1,
      privileges: keepGranted(input.privileges ?? defaults.privileges),
      roles: [...(input.roles ?? [])],
      categories: [...(input.categories ?? [])],
      groups: [...(input.groups ?? [])],
      created: defaults.now,
      modified: defaults.now,
      revision: 1,
    },
    defaults.roles,
  );
}

/** Members that no update writes; the password has separate operations (docs/contract/accounts.md#operations). */
const FIXED: ReadonlySet<string> = new Set([
  ...["id", "username", "created", "modified", "revision", "password", "salt"],
  ...["if_revision", "new_password", "old_password", "unlock", "send_email"],
]);

/** Members that every account has, with the values that `null` stands for. */
const EMPTY: Readonly<Record<string, unknown>> = { icon: "", privileges: {}, roles: [], categories: [], groups: [] };

const withoutNulls = (sent: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sent).map(([member, value]) => [member, value ?? EMPTY[member] ?? value]));

/** An administrator's update: every sent member that is not fixed replaces the stored value as a whole. */
export function adminUpdate(stored: User, sent: Readonly<Record<string, unknown>>, roles: readonly RightsRole[]): User {
  const members = Object.entries(sent).filter(([member, value]) => !FIXED.has(member) && value !== undefined);
  const merged = { ...stored, ...withoutNulls(Object.fromEntries(members)) } as User;
  return forceLists({ ...counted(merged), privileges: keepGranted(merged.privileges) }, roles);
}

/** Applies the changes that an owner may make; `profile` includes name and address. */
export function ownUpdate(stored: User, sent: Readonly<Record<string, unknown>>, scope: "settings" | "profile"): User {
  const members = scope === "profile" ? ["full_name", "email", "icon"] : ["icon"];
  return { ...counted(stored), ...preferencesOf(sent), ...withoutNulls(pickPresent(sent, members)) };
}

const counted = (user: User): User => ({ ...user, revision: (user.revision ?? 0) + 1 });

/** Sets a new password and clears the request to change it. */
export function withPassword(user: User, password: string): User {
  const { force_password_change: _asked, ...rest } = user;
  return { ...rest, password } as User;
}

/** Removes the lock and the counters of failed logins and of mails. */
export function unlocked(user: User): User {
  const { force_password_reset: _lock, fl_date_code: _hour, fl_count: _count, ...rest } = user;
  const { fp_date_code: _mailHour, fp_count: _mails, ...clear } = rest;
  return clear as User;
}

export const isActiveAdministrator = (user: User, roles: readonly RightsRole[]): boolean =>
  Boolean(user.active) && isAdministrator(user, roles);

/** The active administrators among these users. */
export function administratorsAmong(users: readonly User[], roles: readonly RightsRole[]): User[] {
  // The other roles would be read again for each user.
  const making = administratorRoles(roles);
  return users.filter((user) => isActiveAdministrator(user, making));
}

/** Clears the restrictions of administrators, so that none take effect if the privilege is removed by mistake. */
function forceLists(user: User, roles: readonly RightsRole[]): User {
  return isAdministrator(user, roles) ? { ...user, categories: [], groups: [] } : user;
}

function pickPresent(from: Readonly<Record<string, unknown>>, members: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    members.flatMap((member) => (from[member] === undefined ? [] : [[member, from[member]] as const])),
  );
}
