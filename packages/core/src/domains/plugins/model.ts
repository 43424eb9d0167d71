import * as z from "zod";
import { Flag, Id } from "../../wire/fields.ts";
import { stampFields } from "../../wire/stamps.ts";

/** A question that people answer when they use a plugin or run an event (part 14 §4.4). */
export const Field = z.looseObject({
  id: z.string(),
  type: z.string(),
  title: z.string().optional(),
  /** Default. */
  value: z.unknown().optional(),
  variant: z.string().optional(),
  caption: z.string().optional(),
  required: Flag.optional(),
  /** Only administrators may choose a value. */
  locked: Flag.optional(),
  regex: z.string().optional(),
  /** `MIN-MAX/STEP`. */
  range: z.string().optional(),
});
export type Field = z.infer<typeof Field>;

/** A stored program definition (part 14 §4.1); not to be confused with a library plugin. */
export const PluginRecord = z.looseObject({
  id: Id,
  title: z.string(),
  type: z.enum(["event", "monitor", "action", "scheduler"]),
  enabled: Flag,
  /** Program and arguments; `[name-plugin]` is built into the agent. */
  command: z.string(),
  /** Handed over as a file, the last argument. */
  script: z.string().optional(),
  params: z.array(Field).optional(),
  /** Monitor plugins: where they run; empty = everywhere. */
  groups: z.array(z.string()).optional(),
  format: z.string().optional(),
  /** Monitor plugins: also once per second. */
  quick: Flag.optional(),
  uid: z.union([z.string(), z.number()]).optional(),
  gid: z.union([z.string(), z.number()]).optional(),
  kill: z.string().optional(),
  runner: Flag.optional(),
  /** Seconds. */
  timeout: z.number().optional(),
  cwd: z.string().optional(),
  stock: Flag.optional(),
  icon: z.string().optional(),
  notes: z.string().optional(),
  ...stampFields,
});
export type PluginRecord = z.infer<typeof PluginRecord>;
