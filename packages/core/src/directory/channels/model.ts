import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/**
 * A set of ways to tell people something (docs/contract/channels.md#record). Members may be absent on imported records.
 */
export const Channel = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Absent counts as disabled. */
  enabled: Flag.optional(),
  /** Names of users who get mail and a notification; unknown ones are skipped. */
  users: z.array(z.string()).optional(),
  /** Further addresses, separated by commas. */
  email: z.string().optional(),
  /** Id of a web hook. */
  web_hook: z.string().optional(),
  /** Id of an event. */
  run_event: z.string().optional(),
  /** File name of the notification's sound. */
  sound: z.string().optional(),
  /** 0 = unlimited; counted from local midnight. */
  max_per_day: z.number().optional(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Channel = z.infer<typeof Channel>;

const malformed = (member: string) => ({ error: exactly(`Malformed parameter: ${member}`) });

/** An id, or empty for none. */
const reference = (member: string) => z.string(malformed(member)).regex(/^\w*$/, malformed(member));
const limit = z.number(malformed("max_per_day")).min(0, malformed("max_per_day"));

const members = {
  enabled: Flag.optional(),
  users: z.array(z.string(malformed("users")), malformed("users")).optional(),
  email: z.string(malformed("email")).optional(),
  web_hook: reference("web_hook").optional(),
  run_event: reference("run_event").optional(),
  sound: z
    .string(malformed("sound"))
    .regex(/^(?:[\w-]+\.mp3)?$/, malformed("sound"))
    .optional(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
};

export const CreateChannel = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  ...members,
  max_per_day: limit.optional(),
}));
export type CreateChannel = z.infer<typeof CreateChannel>;

export const UpdateChannel = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  ...members,
  /** A number, or text like "+5" that adds. */
  max_per_day: z.union([limit, z.string().regex(/^[+-][\d.]+$/)], malformed("max_per_day")).optional(),
}));
