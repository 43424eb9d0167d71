import * as z from "zod";
import { Flag, sentPrivileges, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { named } from "../../wire/schemas/named.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

const privileges = z.record(z.string(), z.union([z.boolean(), z.number()]));
const ids = z.array(z.string());

/** Credentials of a program (docs/contract/credentials.md#api-keys). */
export const ApiKey = named(
  "ApiKey",
  looseObject(() => ({
    id: z.string(),
    title: z.string(),
    description: z.string().nullish(),
    /** Absent and null count as disabled. */
    active: Flag.nullish(),
    /** Privilege id → truthy. */
    privileges,
    roles: ids.nullish(),
    /** Allowed categories; absent or empty = all. */
    categories: ids.nullish(),
    /** Allowed groups; absent or empty = all. */
    groups: ids.nullish(),
    /** Unix seconds; absent or null = never. */
    expires: z.number().nullish(),
    /** Absent, null or 0 = unlimited. */
    max_per_sec: z.number().nullish(),
    /** Hex SHA-256 of plain key + id. */
    key: z.string(),
    /** First and last four characters of the plain key. */
    mask: z.string(),
    ...stampFields,
    revision: z.int(),
  })),
);
export type ApiKey = z.infer<typeof ApiKey>;

/** A key as administrators see it; its hash leaves the engine nowhere else. */
export const ShownApiKey = looseObject(() => ({
  ...ApiKey.shape,
  /** Unix seconds; absent = never. */
  last_used: z.int().optional(),
}));
export type ShownApiKey = z.infer<typeof ShownApiKey>;

const MAX_LIST = 1000;
const sentIds = z.array(z.string().max(64)).max(MAX_LIST).nullish();
const members = () => ({
  description: z.string().max(65_536).nullish(),
  active: Flag.nullish(),
  privileges: sentPrivileges().nullish(),
  roles: sentIds,
  categories: sentIds,
  groups: sentIds,
  expires: z.number().nonnegative().nullish(),
  max_per_sec: z.number().nonnegative().nullish(),
});

export const CreateApiKey = looseObject(() => ({ title: Title, ...members() }));
export type CreateApiKey = z.infer<typeof CreateApiKey>;

/** A number, or a text like "+5" that is added to the stored one; the sum is checked once it is known. */
const steppable = (member: string) => {
  const error = exactly(`Parameter is not type number: ${member}`);
  return z.union([z.number().nonnegative(), z.string().regex(/^[+-][\d.]+$/, { error })], { error });
};

export const UpdateApiKey = looseObject(() => ({
  id: z.string().regex(/^\w+$/),
  title: Title.optional(),
  if_revision: sentRevision,
  ...members(),
  expires: steppable("expires").nullish(),
  max_per_sec: steppable("max_per_sec").nullish(),
}));
export type UpdateApiKey = z.infer<typeof UpdateApiKey>;
