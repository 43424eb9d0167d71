import * as z from "zod";
import { NotFoundError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
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
  handler: (_input, { definitions }) => andThen(definitions.all(secretCollection), asList),
});

export const getSecret = defineQuery({
  name: "get_secret",
  method: "GET",
  summary: "Read one secret, without its values.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ secret: Secret }),
  handler: ({ id }, { definitions }) =>
    andThen(definitions.get(secretCollection, id), (secret) => {
      if (!secret) throw new NotFoundError(`Secret not found: ${id}`);
      return { secret };
    }),
});
