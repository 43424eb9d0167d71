import * as z from "zod";
import { admin, defineCommand, defineQuery } from "../../kernel/calls/operation.ts";
import { deleteListed, updateListed } from "../../kernel/definitions/listed.ts";
import { DomainError, InputError, NotFoundError } from "../../kernel/errors/errors.ts";
import { WordId } from "../../wire/fields/fields.ts";
import { type NewStamp, newStamps, updateRecord } from "../../wire/fields/stamps.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/schemas/lists.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { keepGranted } from "../access/rules/granting.ts";
import { apiKeyCollection } from "./collection.ts";
import { type ApiKey, CreateApiKey, ShownApiKey, UpdateApiKey } from "./model.ts";
import { faultOfNumbers, hashApiKey, maskApiKey, publicApiKey, withLastUse, withoutServerMembers } from "./rules.ts";

const listed = { collection: apiKeyCollection, code: "api_key", thing: "API Key" } as const;

export const getApiKeys = defineQuery({
  name: "get_api_keys",
  summary: "List all API keys, newest first, with their hashes.",
  access: admin,
  input: NoParameters,
  output: listOf(ShownApiKey),
  async handler(_input, { services, tx }) {
    const rows = await tx.collection(apiKeyCollection).list();
    const uses = await services.keyUses.lastUsed(
      tx,
      rows.map(({ id }) => id),
    );
    return asList(rows.toReversed().map((row) => withLastUse(row, uses)));
  },
});

export const getApiKey = defineQuery({
  name: "get_api_key",
  summary: "Read one API key with its hash.",
  access: admin,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: WordId })),
  output: object(() => ({ api_key: ShownApiKey })),
  async handler({ id }, { services, tx }) {
    const record = await tx.collection(apiKeyCollection).get(id);
    if (!record) throw new NotFoundError(`Failed to locate API Key: ${id}`);
    return { api_key: withLastUse(record, await services.keyUses.lastUsed(tx, [id])) };
  },
});

export const createApiKey = defineCommand({
  name: "create_api_key",
  summary: "Create an API key; the plain key is in this answer and nowhere else.",
  access: admin,
  accepts: ["key"],
  input: CreateApiKey,
  output: object(() => ({ api_key: ShownApiKey, plain_key: z.string() })),
  async handler(input, { actor, audit, config, emit, ids, now, tx }) {
    const id = ids.short("k");
    const plain = ids.alphanumeric(config.api.key_length);
    const record = newApiKey(input, { id, plain, username: actor.id, now });
    await tx.collection(apiKeyCollection).insert(record);
    audit("apikey_create", { api_key: publicApiKey(record) });
    emit("api_key.created", { id });
    return { api_key: record, plain_key: plain };
  },
});

export const updateApiKey = defineCommand({
  name: "update_api_key",
  summary: "Change an API key; members not sent stay unchanged. Takes effect with the next request.",
  access: admin,
  refuses: ["api_key"],
  accepts: ["key"],
  input: UpdateApiKey,
  output: Done,
  async handler(input, { audit, emit, now, tx }) {
    const sent = withoutServerMembers(input);
    const record = await updateListed(tx, listed, input, (stored) => {
      const merged = updateRecord(stored, sent, now);
      const fault = faultOfNumbers(merged);
      if (fault !== undefined) throw new InputError(fault);
      return { ...merged, privileges: keepGranted(merged.privileges ?? {}) };
    });
    audit("apikey_update", { api_key: publicApiKey(record) });
    emit("api_key.updated", { id: input.id });
    return {};
  },
});

export const deleteApiKey = defineCommand({
  name: "delete_api_key",
  summary: "Remove an API key; requests with it fail from now on.",
  access: admin,
  refuses: ["api_key"],
  input: looseObject(() => ({ id: WordId })),
  output: Done,
  async handler({ id }, { audit, emit, tx }) {
    const record = await deleteListed(tx, listed, id);
    audit("apikey_delete", { api_key: publicApiKey(record) });
    emit("api_key.deleted", { id });
    return {};
  },
});

export function newApiKey(
  input: CreateApiKey,
  { id, plain, username, now }: NewStamp & { readonly plain: string },
): ApiKey {
  if (plain.length < 24) throw new DomainError("api_key", "malformed", "An API key needs at least 24 characters.");
  const { expires, max_per_sec, ...members } = withoutServerMembers(input);
  return {
    ...members,
    ...(expires === null || expires === undefined ? {} : { expires }),
    ...(max_per_sec === null || max_per_sec === undefined ? {} : { max_per_sec }),
    id,
    title: input.title,
    description: input.description ?? "",
    active: input.active ?? 1,
    privileges: keepGranted(input.privileges ?? {}),
    key: hashApiKey(plain, id),
    mask: maskApiKey(plain),
    ...newStamps(username, now),
  };
}
