import { type NewStamp, newStamps, updateRecord } from "../../wire/fields/stamps.ts";
import { keepGranted } from "../access/rules/granting.ts";
import type { CreateRole, Role, UpdateRole } from "./model.ts";

/** Role for installations where all users may run events. No account holds it until it is assigned. */
export const ALL_USERS: CreateRole = {
  id: "all",
  title: "All Users",
  icon: "account-group",
  privileges: { create_events: true, edit_events: true, run_jobs: true, tag_jobs: true },
};

export function newRole(input: CreateRole, { id, username, now }: NewStamp): Role {
  return {
    ...input,
    id,
    enabled: input.enabled ?? true,
    icon: input.icon ?? "",
    notes: input.notes ?? "",
    privileges: keepGranted(input.privileges ?? {}),
    categories: [...(input.categories ?? [])],
    groups: [...(input.groups ?? [])],
    ...newStamps(username, now),
  };
}

/** Replaces `privileges`, `categories` and `groups` as a whole. Every role has them, so `null` means none. */
export function changeRole(stored: Role, { privileges, categories, groups, ...sent }: UpdateRole, now: number): Role {
  const changed: Role = {
    ...stored,
    ...(privileges === undefined ? {} : { privileges: keepGranted(privileges ?? {}) }),
    ...(categories === undefined ? {} : { categories: categories ?? [] }),
    ...(groups === undefined ? {} : { groups: groups ?? [] }),
  };
  return updateRecord(changed, sent, now);
}

/** A holder's record without the role; the same object when it does not hold the role. */
export function withoutRole<T extends { readonly roles?: readonly string[] | null | undefined }>(
  holder: T,
  role: string,
): T {
  if (!holder.roles?.includes(role)) return holder;
  return { ...holder, roles: holder.roles.filter((id) => id !== role) };
}
