import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { tagCollection } from "./collection.ts";
import { Tag } from "./model.ts";
import { createTag, deleteTag, getTag, getTags, updateTag } from "./operations.ts";
import { DEFAULT_TAGS, newTag } from "./rules.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"tag"> {}
}

export const tags = definePlugin({
  id: "tags",
  after: ["auth", "activity"],
  collections: [tagCollection],
  transfer: { lists: { tags: { collection: tagCollection, shape: Tag, definition: "tag" } } },
  operations: [getTags, getTag, createTag, updateTag, deleteTag],
  start: (cradle) =>
    seedOnce(cradle, "tags", async (unit) => {
      const now = Math.floor(cradle.clock.now());
      const tags = DEFAULT_TAGS.map((preset) => newTag(preset, { id: preset.id ?? "", username: "admin", now }));
      for (const tag of await insertMissing(unit, tagCollection, tags)) unit.audit("tag_create", { tag });
    }),
});
