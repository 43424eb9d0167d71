import * as z from "zod";
import { InputError } from "../../../kernel/errors/errors.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { flag, Id, lenient } from "../../../wire/fields/fields.ts";
import { sentRevision } from "../../../wire/fields/revision.ts";
import { exactly } from "../../../wire/issues.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { shown } from "../../../wire/schemas/shown-members.ts";
import { illegalKey } from "../rules/user-data.ts";

const malformed = (name: string) => ({ error: exactly(`Malformed parameter: ${name}`) });
const toCount = (value: unknown): unknown => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
const namedFlag = (name: string) =>
  lenient((value) => flag().safeParse(value).data ?? value, z.boolean(malformed(name)));

export const UpdateServer = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  title: z.string().nullish(),
  enabled: namedFlag("enabled").nullish(),
  // Every server has groups, so null means none.
  groups: z
    .array(z.string(), { error: exactly("Malformed server parameter: groups (must be array)") })
    .max(1000)
    .nullish()
    .transform((groups) => (groups === null ? [] : groups)),
  icon: z.string().nullish(),
  autoGroup: namedFlag("autoGroup").nullish(),
  ephemeral: namedFlag("ephemeral").nullish(),
  depends_on: shown(z.array(z.string()).nullish()),
  maxJobs: lenient(toCount, z.int(malformed("maxJobs")).min(0, malformed("maxJobs"))).nullish(),
  userData: z.record(z.string(), z.unknown()).transform(checkedData).nullish(),
}));

const NOT_PLAIN = "Data parameter is not a plain object.";

const Data = shown(z.record(z.string(), z.unknown()));

/** `userData` is an alias of `data`. */
export const UpdateServerData = looseObject(() => ({
  id: Id,
  if_revision: sentRevision,
  data: Data,
  userData: Data,
  replace: shown(z.boolean()),
})).transform(({ id, if_revision, data, userData, replace }) => ({
  id,
  if_revision,
  data: plainData(data ?? userData),
  // Any truthy value replaces, as scripts send such values.
  replace: flag().safeParse(replace).data ?? Boolean(replace),
}));

function plainData(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new InputError(NOT_PLAIN);
  return checkedData(value);
}

function checkedData(data: Record<string, unknown>): Record<string, unknown> {
  const key = illegalKey(data);
  if (key !== undefined) throw new InputError(`Invalid parameter: ${key} (illegal key)`);
  return data;
}

export const DeleteServer = looseObject(() => ({ id: Id, history: namedFlag("history").default(false) }));
