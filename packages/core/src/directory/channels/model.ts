import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** A set of ways to notify people (docs/contract/channels.md#record). Imported records may lack members. */
export const Channel = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Absent counts as disabled. */
  enabled: Flag.nullish(),
  /** Names of users who get mail and a notification; unknown ones are skipped. */
  users: z.array(z.string()).nullish(),
  /** Additional addresses, separated by commas. */
  email: z.string().nullish(),
  /** Id of a web hook. */
  web_hook: z.string().nullish(),
  /** Id of an event. */
  run_event: z.string().nullish(),
  /** File name of the notification's sound. */
  sound: z.string().nullish(),
  /** 0 = unlimited; counted from local midnight. */
  max_per_day: z.number().nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Channel = z.infer<typeof Channel>;

const malformed = (member: string) => ({ error: exactly(`Malformed parameter: ${member}`) });

/** An id, or empty for none. */
const reference = (member: string) => z.string(malformed(member)).regex(/^\w*$/, malformed(member));
const limit = z.number(malformed("max_per_day")).min(0, malformed("max_per_day"));

const members = () => ({
  enabled: Flag.nullish(),
  users: z.array(z.string(malformed("users")), malformed("users")).nullish(),
  email: z.string(malformed("email")).nullish(),
  web_hook: reference("web_hook").nullish(),
  run_event: reference("run_event").nullish(),
  sound: z
    .string(malformed("sound"))
    .regex(/^(?:[\w-]+\.mp3)?$/, malformed("sound"))
    .nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
});

export const CreateChannel = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  ...members(),
  max_per_day: limit.nullish(),
}));
export type CreateChannel = z.infer<typeof CreateChannel>;

export const UpdateChannel = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  ...members(),
  /** A number, or text like "+5" that adds. */
  max_per_day: z.union([limit, z.string().regex(/^[+-][\d.]+$/)], malformed("max_per_day")).nullish(),
}));
