import * as z from "zod";
import { Flag } from "../fields/fields.ts";
import { looseObject } from "../schemas/objects.ts";

/** A reaction to a condition (docs/contract/actions.md#record), with its result after a run. */
export const Action = looseObject(() => ({
  enabled: Flag,
  condition: z.string(),
  type: z.string(),
}));
export type Action = z.infer<typeof Action>;

/** A limit that a job keeps (docs/contract/limits.md#record), with its result after it fired. */
export const Limit = looseObject(() => ({ enabled: Flag, type: z.string() }));
export type Limit = z.infer<typeof Limit>;
