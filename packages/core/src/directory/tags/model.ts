import * as z from "zod";
import { Id, Title } from "../../wire/fields/fields.ts";
import { updateMembers } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** `null` is stored unchanged (docs/contract/records.md#updates). */
const members = { icon: z.string().nullish(), notes: z.string().nullish() };

/** A label for events, jobs and tickets, always referenced by id (docs/contract/tags.md#record). */
export const Tag = looseObject(() => ({
  id: Id,
  title: z.string(),
  ...members,
  ...stampFields,
}));
export type Tag = z.infer<typeof Tag>;

export const CreateTag = looseObject(() => ({ id: Id.optional(), title: Title, ...members }));
export type CreateTag = z.infer<typeof CreateTag>;

export const UpdateTag = looseObject(() => ({ ...updateMembers, ...members }));
