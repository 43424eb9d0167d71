import * as z from "zod";
import { DomainError } from "../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../kernel/operation.ts";
import { andThen } from "../../lib/awaitable.ts";
import { Id } from "../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/lists.ts";
import { mergeSparse, updateRecord } from "../../wire/stamps.ts";
import { mayAccess, requireAccess } from "../access/require-access.ts";
import { categoryCollection } from "./collection.ts";
import { Category, CreateCategory, UpdateCategories, UpdateCategory } from "./model.ts";
import { categoryLock, newCategory, nextSortOrder } from "./rules.ts";

const listed = { collection: categoryCollection, code: "category", thing: "category" } as const;

export const getCategories = defineQuery({
  name: "get_categories",
  method: "GET",
  summary: "List the categories that the caller may see.",
  access: credentials,
  input: NoParameters,
  output: listOf(Category),
  handler: (_input, { actor, definitions }) =>
    andThen(definitions.all(categoryCollection), (rows) =>
      asList(rows.filter(({ id }) => mayAccess(actor, { category: id }))),
    ),
});

export const getCategory = defineQuery({
  name: "get_category",
  method: "GET",
  summary: "Read one category.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ category: Category }),
  handler: ({ id }, { actor, definitions }) =>
    andThen(findListed(definitions, listed, id), (category) => {
      requireAccess(actor, { category: id });
      return { category };
    }),
});

export const createCategory = defineCommand({
  name: "create_category",
  method: "POST",
  summary: "Create a category; the id is generated when absent.",
  access: privilege("create_categories"),
  input: CreateCategory,
  output: z.object({ category: Category }),
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    const id = input.id ?? ids.short("ca");
    requireAccess(actor, { category: id });
    await services.references.check({ actor, tx }, categoryCollection, { ...input, id });
    await services.eventChecks.checkActions(tx, input.actions);
    // Two creations at once must not get the same order.
    await tx.lock("categories:sort_order");
    const sortOrder = nextSortOrder(await tx.collection(categoryCollection).list());
    const category = newCategory(input, { id, username: actor.id, now, sortOrder });
    await insertListed(tx, listed, category);
    audit("category_create", { category });
    emit("category.created", { id });
    return { category };
  },
});

export const updateCategory = defineCommand({
  name: "update_category",
  method: "POST",
  summary: "Change a category; members not sent stay as they are. Running jobs keep what they started with.",
  access: privilege("edit_categories"),
  input: UpdateCategory,
  output: Done,
  async handler(input, { actor, audit, emit, now, services, tx }) {
    requireAccess(actor, { category: input.id });
    await services.references.check({ actor, tx }, categoryCollection, input);
    await services.eventChecks.checkActions(tx, input.actions);
    const category = await updateListed(tx, listed, input, (stored) => updateRecord(stored, input, now));
    audit("category_update", { category });
    emit("category.updated", { id: input.id });
    return {};
  },
});

export const deleteCategory = defineCommand({
  name: "delete_category",
  method: "POST",
  summary: "Remove a category that no event uses.",
  access: privilege("delete_categories"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { actor, audit, emit, services, tx }) {
    requireAccess(actor, { category: id });
    await tx.lock(categoryLock(id));
    if (await services.eventChecks.isCategoryUsed(tx, id))
      throw new DomainError("category", "conflict", "Failed to delete category: Still in use by one or more events.");
    const category = await deleteListed(tx, listed, id);
    audit("category_delete", { category });
    emit("category.deleted", { id });
    return {};
  },
});

export const multiUpdateCategory = defineCommand({
  name: "multi_update_category",
  method: "POST",
  summary: "Change several categories at once, without stamps; meant for reordering. Unknown ids are skipped.",
  access: privilege("edit_categories"),
  input: UpdateCategories,
  output: Done,
  async handler({ items }, { actor, audit, emit, services, tx }) {
    requireAccess(actor, { category: "*" });
    for (const item of items) {
      await services.references.check({ actor, tx }, categoryCollection, item);
      await services.eventChecks.checkActions(tx, item.actions);
    }
    const categories = tx.collection(categoryCollection);
    for (const item of items) {
      if (!(await categories.get(item.id))) continue;
      await updateListed(tx, listed, item, (stored) => mergeSparse(stored, item));
      emit("category.updated", { id: item.id });
    }
    const updated = Object.keys(items[0] ?? {}).filter((member) => member !== "id");
    audit("category_multi_update", { description: "", updated });
    return {};
  },
});
