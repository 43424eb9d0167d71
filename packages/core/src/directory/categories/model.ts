import * as z from "zod";
import { actionList } from "../../wire/entries/action-shape.ts";
import { Action, Limit } from "../../wire/entries/actions-and-limits.ts";
import { limitList } from "../../wire/entries/limit-shape.ts";
import { Flag, Id, lenient, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { itemsOf } from "../../wire/items.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** The eight fixed colours, then the palette that clients draw (docs/contract/categories.md#colours). */
const COLOURS =
  `plain red green blue skyblue yellow purple orange fire tangerine amber gold lemon lime grass mint emerald aqua teal
  turquoise cyan ice azure sapphire indigo lavender violet orchid magenta fuchsia hotpink pink blush rose`.split(/\s+/);

/** A folder of events with defaults for their jobs (docs/contract/categories.md#record). Imported records may lack members. */
export const Category = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Absent counts as disabled. */
  enabled: Flag.nullish(),
  /** Unknown values of imported records are returned unchanged. */
  color: z.string().nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  /** Defaults of all jobs in the category. */
  actions: z.array(Action).nullish(),
  /** Defaults of all jobs in the category. */
  limits: z.array(Limit).nullish(),
  sort_order: z.number().optional(),
  ...stampFields,
}));
export type Category = z.infer<typeof Category>;

const colour = lenient(
  (value) => (value === "" ? "plain" : value),
  z.enum(COLOURS, { error: exactly("Malformed parameter: color") }),
);

const members = () => ({
  enabled: Flag.nullish(),
  color: colour.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  actions: actionList().nullish(),
  limits: limitList().nullish(),
});

export const CreateCategory = looseObject(() => ({ id: Id.optional(), title: Title, ...members() }));
export type CreateCategory = z.infer<typeof CreateCategory>;

export const UpdateCategory = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  ...members(),
  /** A number, or text like "+1" that adds. */
  sort_order: z.union([z.number(), z.string().regex(/^[+-][\d.]+$/)]).optional(),
}));
export type UpdateCategory = z.infer<typeof UpdateCategory>;

export const UpdateCategories = looseObject(() => ({
  items: itemsOf(UpdateCategory.extend({ sort_order: z.number().optional() })),
}));
