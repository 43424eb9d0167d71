import * as z from "zod";
import { Recurrence } from "../../../../fleet/silences/model.ts";
import { Id } from "../../../../wire/fields/fields.ts";
import { stampFields } from "../../../../wire/fields/stamps.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";

export const RotaLayer = looseObject(() => ({
  /** Names of users, in turn. */
  users: z.array(z.string()),
  turn: z.enum(["day", "week"]),
  /** Number of days or weeks for which each user is on duty. */
  every: z.number(),
  /** Weekday with Sunday = 0; time like "09:00". */
  handover: z.looseObject({ weekday: z.number().optional(), at: z.string() }),
  /** Day of the first user's first handover, like "2026-01-05". */
  start: z.string(),
  /** Times at which the layer applies; absent = always. */
  only: z.array(Recurrence).nullish(),
}));
export type RotaLayer = z.infer<typeof RotaLayer>;

export const RotaOverride = looseObject(() => ({
  id: z.string(),
  /** Unix seconds. */
  start: z.number(),
  end: z.number(),
  user: z.string(),
  /** Name of a user; the override applies only when that user would be on duty. */
  instead_of: z.string().optional(),
  note: z.string().optional(),
}));
export type RotaOverride = z.infer<typeof RotaOverride>;

/** A plan of who is on duty when. */
export const Rota = looseObject(() => ({
  id: Id,
  title: z.string(),
  timezone: z.string(),
  /** The first layer that applies at a time decides. */
  layers: z.array(RotaLayer),
  /** The newest override that covers a time takes precedence over all layers. */
  overrides: z.array(RotaOverride).nullish(),
  notes: z.string().nullish(),
  ...stampFields,
}));
export type Rota = z.infer<typeof Rota>;
