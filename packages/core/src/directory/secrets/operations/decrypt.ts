import * as z from "zod";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { readOne } from "../../../kernel/transactions/read-once.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { payloadCollection, secretCollection } from "../collection.ts";
import { SecretField } from "../model.ts";

const MAX_REASON = 1000;

/** Works before the command's transaction: the activity row must be committed, not just written, before values are returned. */
export const decryptSecret = defineCommand({
  name: "decrypt_secret",
  method: "ANY",
  summary: "Read the values of a secret; every call leaves a row in the activity log first.",
  access: admin,
  refuses: ["secret"],
  input: looseObject(() => ({
    id: Id,
    reason: z
      .string()
      .max(MAX_REASON)
      .optional()
      .describe("Reason of the decryption; shown in the row of the activity log."),
  })),
  output: object(() => ({ fields: z.array(SecretField) })),
  beforehand: true,
  async prepare({ id, reason }, { actor, client, hosted, read, services }) {
    if (hosted)
      throw new DomainError("secret", "conflict", "A secret cannot be decrypted inside a transaction of the host.");
    // This read is cheap, because definitions are in memory.
    const { secret, payload } = await read(async (tx, readAtOnce) => ({
      secret: await tx.collection(secretCollection).get(id),
      payload: await readOne({ tx, readAtOnce }, payloadCollection, id),
    }));
    if (!secret) throw new DomainError("secret", "unknown", `Secret not found: ${id}`);
    const fields = await services.secretAccess.reveal(secret, payload, { actor, client, reason });
    return { fields: [...fields] };
  },
  handler: async (_input, { prepared }) => prepared,
});
