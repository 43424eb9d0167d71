import { insertMissing, seedOnce } from "../../kernel/definitions/seed.ts";
import type { DefinitionEvents } from "../../kernel/plugins/events.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { categoryCollection } from "./collection.ts";
import { Category } from "./model.ts";
import {
  createCategory,
  deleteCategory,
  getCategories,
  getCategory,
  multiUpdateCategory,
  updateCategory,
} from "./operations.ts";
import { DEFAULT_CATEGORY, newCategory } from "./rules.ts";

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends DefinitionEvents<"category"> {}
}

export const categories = definePlugin({
  id: "categories",
  after: ["auth", "activity"],
  collections: [categoryCollection],
  transfer: {
    lists: { categories: { collection: categoryCollection, shape: Category, sorted: true, definition: "category" } },
  },
  operations: [getCategories, getCategory, createCategory, updateCategory, deleteCategory, multiUpdateCategory],
  start: (cradle) =>
    seedOnce(cradle, "categories", async (unit) => {
      const stamp = { id: "general", username: "admin", now: Math.floor(cradle.clock.now()), sortOrder: 0 };
      for (const category of await insertMissing(unit, categoryCollection, [newCategory(DEFAULT_CATEGORY, stamp)]))
        unit.audit("category_create", { category });
    }),
});
