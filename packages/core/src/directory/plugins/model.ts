import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { knowing } from "../../wire/schemas/known-members.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { shown } from "../../wire/schemas/shown-members.ts";
import { knownFields } from "./rules/parameters/field-members.ts";

/** A question that people answer when they use a plugin or run an event (docs/contract/parameters.md#definitions). */
export const Field = looseObject(() => ({
  id: z.string(),
  type: z.string(),
  title: z.string().optional(),
  /** Default. */
  value: z.unknown().optional(),
  variant: z.string().nullish(),
  caption: z.string().nullish(),
  required: Flag.optional(),
  /** Only administrators may choose a value. */
  locked: Flag.optional(),
  regex: z.string().nullish(),
  /** `MIN-MAX/STEP`. */
  range: z.string().nullish(),
}));
export type Field = z.infer<typeof Field>;

const TYPES = ["event", "monitor", "action", "scheduler"] as const;

/** A stored program definition (docs/contract/plugins.md#record); not to be confused with a library plugin. */
export const PluginRecord = looseObject(() => ({
  id: Id,
  title: z.string(),
  type: z.enum(TYPES),
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
  /** Its package in the marketplace: `{ id, version }`. */
  marketplace: z.looseObject({}).optional(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  /** Moves when `params` are defined anew; absent on plugins that never were. */
  params_version: z.number().optional(),
  ...stampFields,
}));
export type PluginRecord = z.infer<typeof PluginRecord>;

const identity = z.union([z.string().regex(/^[\w\-.]*$/), z.int().nonnegative()]);

/** Seconds; a day is more than any of these programs should take. */
export const MAX_TIMEOUT = 86_400;
const timeout = z.number().positive().max(MAX_TIMEOUT);

/** Members that create and update share. */
const members = {
  enabled: Flag.optional(),
  script: z.string().optional(),
  // Definitions are judged later: their faults have texts of their own.
  params: knowing(shown(z.array(Field)), knownFields),
  groups: z.array(z.string().regex(/^\w+$/)).optional(),
  format: z.enum(["text", "json", "xml"]).optional(),
  quick: Flag.optional(),
  uid: identity.optional(),
  gid: identity.optional(),
  kill: z.enum(["none", "parent", "all"]).optional(),
  runner: Flag.optional(),
  cwd: z.string().optional(),
  stock: Flag.optional(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
};
const command = z.string().regex(/\S/);

export const CreatePlugin = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  type: z.enum(TYPES),
  command,
  ...members,
  timeout: timeout.optional(),
  marketplace: z.looseObject({}).optional(),
}));
export type CreatePlugin = z.infer<typeof CreatePlugin>;

export const UpdatePlugin = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  type: z.enum(TYPES).optional(),
  command: command.optional(),
  ...members,
  // Text like "+5" adds to the stored number; the sum is checked afterwards.
  timeout: z.union([timeout, z.string().regex(/^[+-][\d.]+$/)]).optional(),
}));
export type UpdatePlugin = z.infer<typeof UpdatePlugin>;
