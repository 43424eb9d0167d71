import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { object } from "../../wire/schemas/objects.ts";

const ids = z.array(z.string()).nullish();

/**
 * The facts about a secret without opening it (docs/contract/secrets.md#record). A closed record: a value sent by
 * mistake is dropped.
 */
export const Secret = object(() => ({
  id: z.string(),
  title: z.string(),
  /** Disabled secrets are given to no job and no hook. */
  enabled: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  /** Names of the variables, each once, in their order. */
  names: z.array(z.string()),
  events: ids,
  categories: ids,
  plugins: ids,
  web_hooks: ids,
  /** Absent = none. Ours. */
  checks: ids,
  /** False = its values are not masked in logs and output of jobs; absent = masked. */
  mask: Flag.nullish(),
  ...stampFields,
}));
export type Secret = z.infer<typeof Secret>;

export const SecretField = object(() => ({ name: z.string(), value: z.string() }));
export type SecretField = z.infer<typeof SecretField>;

/** The variables of a secret as they are stored, beside its metadata: nothing in it can be read without a key. */
export interface SecretPayload {
  /** The secret's id; bound into the sealed text. */
  id: string;
  readonly v: number;
  readonly alg: string;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly ct: string;
  /** Fingerprint of the key; absent on records of other systems. */
  readonly fp?: string;
}

/** Sealed text by which a start checks its keys. */
export interface SecretCanary {
  id: string;
  /** Fingerprint of the key that is current. */
  readonly fp: string;
  /** Sealed with that key; absent while there is no secret that a wrong key could lose. */
  readonly seal?: SecretPayload;
}

const listOfIds = (member: string) => {
  const error = exactly(`Parameter is not an array: ${member}`);
  return z.array(z.string({ error }), { error }).nullish();
};

const FIELDS_MALFORMED = exactly("Malformed parameter: fields");

/** Numbers and booleans are taken in their usual text form. */
const sentField = z.object(
  {
    name: z.string({ error: FIELDS_MALFORMED }),
    value: z.union([z.string(), z.number(), z.boolean()], { error: FIELDS_MALFORMED }).transform(String),
  },
  { error: FIELDS_MALFORMED },
);

const members = {
  fields: z.array(sentField, { error: exactly("Parameter is not an array: fields") }).nullish(),
  enabled: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  events: listOfIds("events"),
  categories: listOfIds("categories"),
  plugins: listOfIds("plugins"),
  web_hooks: listOfIds("web_hooks"),
  checks: listOfIds("checks"),
  mask: Flag.nullish(),
};

/** Closed: a member that is not listed is dropped before anything is stored. */
export const CreateSecret = object(() => ({ id: Id.optional(), title: Title, ...members }));
export type CreateSecret = z.infer<typeof CreateSecret>;

export const UpdateSecret = object(() => ({ id: Id, title: Title.optional(), if_revision: sentRevision, ...members }));
export type UpdateSecret = z.infer<typeof UpdateSecret>;

/** Lists of a secret that name its users. */
export type SecretTarget = "events" | "categories" | "plugins" | "web_hooks" | "checks";

/** An opened variable on its way to a job or a web hook. */
export interface SecretVariable extends SecretField {
  /** True = its value is replaced in logs and output. */
  readonly masked: boolean;
}

/** Progress of a change of the key. */
export interface RotationReport {
  /** True = the previous keys are not needed any more, but for the secrets in `unopened`. */
  readonly finished: boolean;
  /** Number of secrets that this run has re-sealed. */
  readonly resealed: number;
  /** Ids of secrets that no key opens; they stay as they are. */
  readonly unopened: readonly string[];
}
