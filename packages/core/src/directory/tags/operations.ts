import { ListedOperations } from "../../kernel/definitions/listed-operations.ts";
import { InputError } from "../../kernel/errors/errors.ts";
import { tagCollection } from "./collection.ts";
import { CreateTag, Tag, UpdateTag } from "./model.ts";
import { isSystemTag, newTag } from "./rules.ts";

const tags = new ListedOperations({
  collection: tagCollection,
  record: Tag,
  name: "tag",
  plural: "tags",
  prefix: "t",
  taken: (id) => `Tag ID already exists: ${id}`,
});

export const getTags = tags.list({ summary: "List all tags." });

export const getTag = tags.get({ summary: "Read one tag." });

export const createTag = tags.create({
  summary: "Create a tag; the id is generated when absent.",
  input: CreateTag,
  together: true,
  draft(input, stamp) {
    if (isSystemTag(stamp.id)) throw new InputError(`Invalid ID parameter: ${stamp.id} (reserved)`);
    return newTag(input, stamp);
  },
});

export const updateTag = tags.update({
  summary: "Change a tag; members not sent stay unchanged.",
  input: UpdateTag,
});

export const deleteTag = tags.delete({ summary: "Remove a tag permanently; references to it stay and are ignored." });
