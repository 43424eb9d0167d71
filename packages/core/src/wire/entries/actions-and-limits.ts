import * as z from "zod";
import { Flag, lenient } from "../fields/fields.ts";
import { looseObject } from "../schemas/objects.ts";

/** Tested for truth alone and kept as it came: clients and backups of other systems have texts and `null` in it. */
const Switch = lenient((value) => (value === undefined || typeof value === "number" ? value : Boolean(value)), Flag);

/** A reaction to a condition (docs/contract/actions.md#record), with its result after a run. */
export const Action = looseObject(() => ({
  enabled: Switch,
  condition: z.string(),
  type: z.string(),
}));
export type Action = z.infer<typeof Action>;

/** A limit that a job keeps (docs/contract/limits.md#record), with its result after it fired. */
export const Limit = looseObject(() => ({ enabled: Switch, type: z.string() }));
export type Limit = z.infer<typeof Limit>;
