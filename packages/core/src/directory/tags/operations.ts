import * as z from "zod";
import { InputError } from "../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../kernel/operation.ts";
import { andThen } from "../../lib/awaitable.ts";
import { Id } from "../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/lists.ts";
import { updateRecord } from "../../wire/stamps.ts";
import { tagCollection } from "./collection.ts";
import { CreateTag, Tag, UpdateTag } from "./model.ts";
import { isSystemTag, newTag } from "./rules.ts";

const listed = { collection: tagCollection, code: "tag", thing: "tag" } as const;

export const getTags = defineQuery({
  name: "get_tags",
  method: "GET",
  summary: "List all tags.",
  access: credentials,
  input: NoParameters,
  output: listOf(Tag),
  handler: (_input, { definitions }) => andThen(definitions.all(tagCollection), asList),
});

export const getTag = defineQuery({
  name: "get_tag",
  method: "GET",
  summary: "Read one tag.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ tag: Tag }),
  handler: ({ id }, { definitions }) => andThen(findListed(definitions, listed, id), (tag) => ({ tag })),
});

export const createTag = defineCommand({
  name: "create_tag",
  method: "POST",
  summary: "Create a tag; the id is generated when absent.",
  access: privilege("create_tags"),
  input: CreateTag,
  output: z.object({ tag: Tag }),
  together: true,
  async handler(input, { actor, audit, emit, ids, now, tx }) {
    if (input.id !== undefined && isSystemTag(input.id))
      throw new InputError(`Invalid ID parameter: ${input.id} (reserved)`);
    const tag = newTag(input, { id: input.id ?? ids.short("t"), username: actor.id, now });
    await insertListed(tx, listed, tag, (id) => `Tag ID already exists: ${id}`);
    audit("tag_create", { tag });
    emit("tag.created", { id: tag.id });
    return { tag };
  },
});

export const updateTag = defineCommand({
  name: "update_tag",
  method: "POST",
  summary: "Change a tag; members not sent stay as they are.",
  access: privilege("edit_tags"),
  input: UpdateTag,
  output: Done,
  async handler(input, { audit, emit, now, tx }) {
    const tag = await updateListed(tx, listed, input, (stored) => updateRecord(stored, input, now));
    audit("tag_update", { tag });
    emit("tag.updated", { id: tag.id });
    return {};
  },
});

export const deleteTag = defineCommand({
  name: "delete_tag",
  method: "POST",
  summary: "Remove a tag for good; references to it stay and are ignored.",
  access: privilege("delete_tags"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { audit, emit, tx }) {
    const tag = await deleteListed(tx, listed, id);
    audit("tag_delete", { tag });
    emit("tag.deleted", { id });
    return {};
  },
});
