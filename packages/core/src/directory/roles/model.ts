import * as z from "zod";
import { filterMembers } from "../../lib/json/filter-members.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { Flag, Id, lenient, sentPrivileges, Title } from "../../wire/fields/fields.ts";
import { updateMembers } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** A named set of privileges and restrictions that users and keys may hold (docs/contract/privileges.md#roles). */
export const Role = looseObject(() => ({
  id: z.string(),
  title: z.string(),
  /** Disabled roles contribute nothing. */
  enabled: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  /** Privilege id → true. */
  privileges: z.record(z.string(), z.union([z.boolean(), z.number()])),
  /** Restrictions given to holders; empty = none. */
  categories: z.array(z.string()),
  groups: z.array(z.string()),
  ...stampFields,
}));
export type Role = z.infer<typeof Role>;

const MAX_LIST = 1000;
const ids = z.array(z.string().max(64)).max(MAX_LIST);

/** Drops falsy entries of every type (docs/contract/privileges.md#roles). */
const granted = (value: unknown): unknown =>
  isObject(value) ? filterMembers(value, (_id, entry) => Boolean(entry)) : value;

const members = () => ({
  enabled: Flag.nullish(),
  icon: z.string().max(256).nullish(),
  notes: z.string().max(65_536).nullish(),
  privileges: lenient(granted, sentPrivileges()).nullish(),
  categories: ids.nullish(),
  groups: ids.nullish(),
});

export const CreateRole = looseObject(() => ({ id: Id.optional(), title: Title, ...members() }));
export type CreateRole = z.infer<typeof CreateRole>;

export const UpdateRole = looseObject(() => ({ ...updateMembers, ...members() }));
export type UpdateRole = z.infer<typeof UpdateRole>;
