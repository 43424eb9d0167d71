import type { CommandContext } from "../../kernel/calls/context.ts";
import { ListedOperations } from "../../kernel/definitions/listed-operations.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { mayAccess, requireAccess } from "../access/require-access.ts";
import { categoryCollection } from "./collection.ts";
import { Category, CreateCategory, UpdateCategories, UpdateCategory } from "./model.ts";
import { categoryLock, newCategory, nextSortOrder } from "./rules.ts";

const categories = new ListedOperations({
  collection: categoryCollection,
  record: Category,
  name: "category",
  plural: "categories",
  prefix: "ca",
});

/** Named records must exist and be within the caller's reach. */
async function checkSent(sent: UpdateCategory, { actor, services, tx }: CommandContext): Promise<void> {
  await services.references.check({ actor, tx }, categoryCollection, sent);
  const stored = await tx.collection(categoryCollection).get(sent.id);
  await services.eventChecks.checkActions({ actor, tx }, sent.actions, stored?.actions);
}

export const getCategories = categories.list({
  summary: "List the categories that the caller may see.",
  isShown: ({ id }, actor) => mayAccess(actor, { category: id }),
});

export const getCategory = categories.get({
  summary: "Read one category.",
  show(category, { actor }) {
    requireAccess(actor, { category: category.id });
    return category;
  },
});

export const createCategory = categories.create({
  summary: "Create a category; the id is generated when absent.",
  input: CreateCategory,
  async draft(input, stamp, context) {
    const { actor, tx } = context;
    requireAccess(actor, { category: stamp.id });
    await checkSent({ ...input, id: stamp.id }, context);
    // Two simultaneous creations must not get the same order.
    await tx.lock("categories:sort_order");
    const sortOrder = nextSortOrder(await tx.collection(categoryCollection).list());
    return newCategory(input, { ...stamp, sortOrder });
  },
});

export const updateCategory = categories.update({
  summary:
    "Change a category; members not sent stay unchanged. Running jobs keep the limits and actions they started with.",
  input: UpdateCategory,
  async before(input, context) {
    requireAccess(context.actor, { category: input.id });
    await checkSent(input, context);
  },
});

export const deleteCategory = categories.delete({
  summary: "Remove a category that no event, heartbeat or check uses.",
  async before(id, { actor, services, tx }) {
    requireAccess(actor, { category: id });
    await tx.lock(categoryLock(id));
    if (await services.eventChecks.isCategoryUsed(tx, id))
      throw new DomainError("category", "conflict", "Failed to delete category: Still in use by one or more events.");
    if (await services.checks.isCategoryUsed(tx, id))
      throw new DomainError("category", "conflict", "Failed to delete category: Still in use by one or more checks.");
    if (await services.heartbeats.isCategoryUsed(tx, id))
      throw new DomainError(
        "category",
        "conflict",
        "Failed to delete category: Still in use by one or more heartbeats.",
      );
  },
});

export const multiUpdateCategory = categories.multiUpdate({
  summary: "Change several categories at once, without stamps; meant for reordering. Unknown ids are skipped.",
  input: UpdateCategories,
  async before(items, context) {
    requireAccess(context.actor, { category: "*" });
    for (const item of items) await checkSent(item, context);
  },
});
