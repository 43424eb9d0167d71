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
  required: Flag.nullish(),
  /** Only administrators may choose a value. */
  locked: Flag.nullish(),
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
  enabled: Flag.nullish(),
  /** Program and arguments; the agent has a built-in program for `[name-plugin]`. */
  command: z.string(),
  /** Passed to the program as a file, in the last argument. */
  script: z.string().nullish(),
  params: z.array(Field).nullish(),
  /** For monitor plugins: groups of the servers on which they run; empty = all. */
  groups: z.array(z.string()).nullish(),
  format: z.string().nullish(),
  /** For monitor plugins: also runs once per second. */
  quick: Flag.nullish(),
  uid: z.union([z.string(), z.number()]).nullish(),
  gid: z.union([z.string(), z.number()]).nullish(),
  kill: z.string().nullish(),
  runner: Flag.nullish(),
  /** Seconds. */
  timeout: z.number().nullish(),
  cwd: z.string().nullish(),
  stock: Flag.nullish(),
  /** Its package in the marketplace: `{ id, version }`. */
  marketplace: z.looseObject({}).nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  /** Changes whenever `params` are redefined; absent on plugins where that never happened. */
  params_version: z.number().optional(),
  ...stampFields,
}));
export type PluginRecord = z.infer<typeof PluginRecord>;

const identity = z.union([z.string().regex(/^[\w\-.]*$/), z.int().nonnegative()]);

/** Seconds; a day is longer than any of these programs should take. */
export const MAX_TIMEOUT = 86_400;
const timeout = z.number().positive().max(MAX_TIMEOUT);

/** Members that create and update share. */
const members = () => ({
  enabled: Flag.nullish(),
  script: z.string().nullish(),
  // The definitions are checked later, because their faults have special texts.
  params: knowing(shown(z.array(Field)), knownFields),
  groups: z.array(z.string().regex(/^\w+$/)).nullish(),
  format: z.enum(["text", "json", "xml"]).nullish(),
  quick: Flag.nullish(),
  uid: identity.nullish(),
  gid: identity.nullish(),
  kill: z.enum(["none", "parent", "all"]).nullish(),
  runner: Flag.nullish(),
  cwd: z.string().nullish(),
  stock: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
});
const command = z.string().regex(/\S/);

export const CreatePlugin = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  type: z.enum(TYPES),
  command,
  ...members(),
  timeout: timeout.nullish(),
  marketplace: z.looseObject({}).nullish(),
}));
export type CreatePlugin = z.infer<typeof CreatePlugin>;

export const UpdatePlugin = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: Title.optional(),
  type: z.enum(TYPES).optional(),
  command: command.optional(),
  ...members(),
  // Text like "+5" adds to the stored number; the sum is checked afterwards.
  timeout: z.union([timeout, z.string().regex(/^[+-][\d.]+$/)]).nullish(),
}));
export type UpdatePlugin = z.infer<typeof UpdatePlugin>;
