import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { updateMembers } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { object } from "../../wire/schemas/objects.ts";

const ids = z.array(z.string()).nullish();

/**
 * Metadata of a secret, readable without opening it (docs/contract/secrets.md#record). A closed record, so a value sent by
 * mistake is dropped.
 */
export const Secret = object(() => ({
  id: z.string(),
  title: z.string(),
  /** No job and no web hook receives disabled secrets. */
  enabled: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  /** Names of the variables, each once, in order. */
  names: z.array(z.string()),
  events: ids,
  categories: ids,
  plugins: ids,
  web_hooks: ids,
  /** Absent = none. */
  checks: ids,
  /** False = its values are not masked in logs and output of jobs; absent = masked. */
  mask: Flag.nullish(),
  ...stampFields,
}));
export type Secret = z.infer<typeof Secret>;

export const SecretField = object(() => ({ name: z.string(), value: z.string() }));
export type SecretField = z.infer<typeof SecretField>;

/** The stored variables of a secret, separate from its metadata: unreadable without a key. */
export interface SecretPayload {
  /** The secret's id, to which the sealed text is bound. */
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

/** A sealed text with which a start checks its keys. */
export interface SecretCanary {
  id: string;
  /** Fingerprint of the key that was current when the canary was written. */
  readonly fp: string;
  /** Sealed with that key; absent while there is no secret that a wrong key could lose. */
  readonly seal?: SecretPayload;
}

const listOfIds = (member: string) => {
  const error = exactly(`Parameter is not an array: ${member}`);
  return z.array(z.string({ error }), { error }).nullish();
};

const FIELDS_MALFORMED = exactly("Malformed parameter: fields");

/** Converts numbers and booleans to text. */
const sentField = () =>
  z.object(
    {
      name: z.string({ error: FIELDS_MALFORMED }),
      value: z.union([z.string(), z.number(), z.boolean()], { error: FIELDS_MALFORMED }).transform(String),
    },
    { error: FIELDS_MALFORMED },
  );

const members = () => ({
  fields: z.array(sentField(), { error: exactly("Parameter is not an array: fields") }).nullish(),
  enabled: Flag.nullish(),
  icon: z.string().nullish(),
  notes: z.string().nullish(),
  events: listOfIds("events"),
  categories: listOfIds("categories"),
  plugins: listOfIds("plugins"),
  web_hooks: listOfIds("web_hooks"),
  checks: listOfIds("checks"),
  mask: Flag.nullish(),
});

/** Closed, so a member that is not listed is dropped before anything is stored. */
export const CreateSecret = object(() => ({ id: Id.optional(), title: Title, ...members() }));
export type CreateSecret = z.infer<typeof CreateSecret>;

export const UpdateSecret = object(() => ({ ...updateMembers, ...members() }));
export type UpdateSecret = z.infer<typeof UpdateSecret>;

/** Lists of a secret with the ids that may use it. */
export type SecretTarget = "events" | "categories" | "plugins" | "web_hooks" | "checks";

/** An opened variable for a job or a web hook. */
export interface SecretVariable extends SecretField {
  /** True = its value is replaced in logs and output. */
  readonly masked: boolean;
}

/** Result of one run of a key rotation. */
export interface RotationReport {
  /** True = the previous keys are no longer needed, except for the secrets in `unopened`. */
  readonly finished: boolean;
  /** Number of secrets that this run has re-sealed. */
  readonly resealed: number;
  /** Ids of secrets that no key opens; they stay unchanged. */
  readonly unopened: readonly string[];
}
