import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { insertListed } from "../../../kernel/definitions/listed.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { putRecord } from "../../../kernel/transactions/update-if-there.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { requireRevision } from "../../../wire/fields/revision.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { payloadCollection, secretCollection } from "../collection.ts";
import { CreateSecret, Secret, type SecretField, type SecretPayload, UpdateSecret } from "../model.ts";
import { changesOf, faultOfFields, newSecret } from "../rules/record.ts";

const listed = { collection: secretCollection, code: "secret", thing: "secret" } as const;

export const createSecret = defineCommand({
  name: "create_secret",
  summary: "Store a set of named values, sealed; the id is generated when absent.",
  access: admin,
  refuses: ["secret"],
  input: CreateSecret,
  output: object(() => ({ secret: Secret })),
  async prepare({ id: given, fields }, context) {
    const id = given ?? context.ids.short("z");
    if (await isKnown(id, context)) throw new DomainError("secret", "conflict", `That Secret ID already exists: ${id}`);
    return seal({ id, fields: fields ?? [], failure: "create" }, context);
  },
  async handler(input, { actor, audit, emit, now, prepared, tx }) {
    const { id } = prepared;
    const secret = newSecret(input, { id, username: actor.id, now });
    await insertListed(tx, listed, secret);
    await tx.collection(payloadCollection).insert(prepared);
    audit("secret_create", { secret });
    emit("secret.created", { id });
    return { secret };
  },
});

export const updateSecret = defineCommand({
  name: "update_secret",
  summary: "Change a secret; fields, when sent, replace all of its values.",
  access: admin,
  refuses: ["secret"],
  input: UpdateSecret,
  output: Done,
  async prepare({ id, fields }, context) {
    if (!(await isKnown(id, context))) throw unknownSecret(id);
    return fields ? seal({ id, fields, failure: "update" }, context) : undefined;
  },
  async handler(input, { audit, emit, now, prepared, tx }) {
    const secrets = tx.collection(secretCollection);
    const before = await secrets.get(input.id);
    if (!before) throw unknownSecret(input.id);
    requireRevision({ code: listed.code, noun: secretCollection.noun }, before, input);
    const secret = await secrets.update(input.id, (stored) => updateRecord(stored, changesOf(input), now));
    if (prepared) await putRecord(tx.collection(payloadCollection), prepared);
    audit("secret_update", { secret });
    emit("secret.updated", { id: input.id });
    return {};
  },
});

export const deleteSecret = defineCommand({
  name: "delete_secret",
  summary: "Remove a secret and its values permanently; running jobs keep the values they were given.",
  access: admin,
  refuses: ["secret"],
  input: looseObject(() => ({ id: Id })),
  output: Done,
  async handler({ id }, { audit, emit, tx }) {
    const secret = await tx.collection(secretCollection).get(id);
    if (!secret) throw unknownSecret(id);
    await tx.collection(payloadCollection).delete(id);
    await tx.collection(secretCollection).delete(id);
    audit("secret_delete", { secret });
    emit("secret.deleted", { id });
    return {};
  },
});

const unknownSecret = (id: string): DomainError => new DomainError("secret", "unknown", `Secret not found: ${id}`);

const isKnown = async (id: string, { read }: PrepareContext): Promise<boolean> =>
  (await read((tx) => tx.collection(secretCollection).get(id))) !== undefined;

interface Draft {
  readonly id: string;
  readonly fields: readonly SecretField[];
  readonly failure: "create" | "update";
}

async function seal({ id, fields, failure }: Draft, { config, services }: PrepareContext): Promise<SecretPayload> {
  const fault = faultOfFields(fields, config.secrets.max_value_size);
  if (fault !== undefined) throw new DomainError("secret", "malformed", fault);
  try {
    return await services.sealer.seal(id, fields);
  } catch (error) {
    throw new DomainError("secret", "failed", `Failed to ${failure} secret: ${(error as Error).message}`);
  }
}
