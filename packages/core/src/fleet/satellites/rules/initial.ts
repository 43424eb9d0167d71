import * as z from "zod";
import { csv, flag, Id } from "../../../wire/fields/fields.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** Members that a new server can be given before it first connects. */
export const Initial = object(() => ({
  title: z.string().optional(),
  enabled: flag().optional(),
  icon: z.string().optional(),
  groups: csv(Id).optional(),
}));
export type Initial = Readonly<z.output<typeof Initial>>;

/** Drops empty members: an empty list of groups would keep a server out of all automatic groups. */
export function initialOf({ title, enabled, icon, groups }: Initial): Initial {
  return {
    ...(title ? { title } : {}),
    ...(enabled === undefined ? {} : { enabled }),
    ...(icon ? { icon } : {}),
    ...(groups && groups.length > 0 ? { groups } : {}),
  };
}
