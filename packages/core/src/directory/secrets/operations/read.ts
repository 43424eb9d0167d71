import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { secretCollection } from "../collection.ts";
import { Secret } from "../model.ts";

const secrets = new ListedOperations({
  collection: secretCollection,
  record: Secret,
  name: "secret",
  plural: "secrets",
  prefix: "z",
});

export const getSecrets = secrets.list({ summary: "List all secrets, without their values." });

export const getSecret = secrets.get({
  summary: "Read one secret, without its values.",
  missing: (id) => `Secret not found: ${id}`,
});
