import * as z from "zod";
import { NotFoundError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, listOf, NoParameters } from "../../../wire/lists.ts";
import { secretCollection } from "../collection.ts";
import { Secret } from "../model.ts";

export const getSecrets = defineQuery({
  name: "get_secrets",
  method: "GET",
  summary: "List all secrets, without their values.",
  access: credentials,
  input: NoParameters,
  output: listOf(Secret),
  async handler(_input, { tx }) {
    return asList(await tx.collection(secretCollection).list());
  },
});

export const getSecret = defineQuery({
  name: "get_secret",
  method: "GET",
  summary: "Read one secret, without its values.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ secret: Secret }),
  async handler({ id }, { tx }) {
    const secret = await tx.collection(secretCollection).get(id);
    if (!secret) throw new NotFoundError(`Secret not found: ${id}`);
    return { secret };
  },
});
