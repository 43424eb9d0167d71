import { describe, expect, test } from "vitest";
import { runs, setUp } from "../../../test/directory/category-setup.ts";
import { keyWith, refusalOf, START } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";

const categoryRefused = (id: string) => ({
  code: "access",
  description: `You do not have the required account privileges to access category ID ${id}.`,
});
const api = (description: string) => ({ code: "api", description });

describe("the order of checks", () => {
  const dangling = { id: "other", title: "A", actions: [runs("e1")] };

  test("is shape, caller, privilege, category, references, uniqueness", async () => {
    await using at = await setUp();
    const limited = { categories: ["mine"] };
    const create = (actor: Parameters<typeof at.as>[0], input: object) =>
      refusalOf(at.as(actor).createCategory(input as never));
    expect(await create({}, { ...dangling, limits: 5 })).toMatchObject({ code: "api" });
    expect(await create({}, dangling)).toMatchObject({ code: "session" });
    expect(await create(keyWith([], limited), dangling)).toEqual({
      code: "access",
      description: "You do not have the 'Create Categories' privilege required to perform this action.",
    });
    expect(await create(keyWith(["create_categories"], limited), dangling)).toEqual(categoryRefused("other"));
    expect(await create(keyWith(["create_categories"]), { ...dangling, id: "general" })).toEqual(
      api("Malformed action entry #1: Event not found: e1"),
    );
  });

  test("checks references of an update before its record", async () => {
    await using at = await setUp();
    const editor = at.as(keyWith(["edit_categories"]));
    expect(await refusalOf(editor.updateCategory({ id: "gone", actions: [runs("e1")] } as never))).toEqual(
      api("Malformed action entry #1: Event not found: e1"),
    );
    expect(await refusalOf(editor.updateCategory({ id: "gone" }))).toEqual({
      code: "category",
      description: "Failed to update category: Error: Item not found",
    });
  });
});

describe("a restricted caller", () => {
  const all = ["create_categories", "edit_categories", "delete_categories"];
  const mine = keyWith(all, { categories: ["mine"] });

  test("sees only the own categories, and their number", async () => {
    await using at = await setUp();
    await at.api.createCategory({ id: "mine", title: "Mine" });
    const { rows, list } = await at.as(mine).getCategories();
    expect(rows.map(({ id }) => id)).toEqual(["mine"]);
    expect(list.length).toBe(1);
    expect((await at.as(keyWith([])).getCategories()).list.length).toBe(2);
  });

  test("learns that an id is unknown, but sees no members of a foreign category", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.as(mine).getCategory({ id: "nope" }))).toEqual({
      code: "notfound",
      description: "Failed to locate category: nope",
    });
    expect(await refusalOf(at.as(mine).getCategory({ id: "general" }))).toEqual(categoryRefused("general"));
  });

  test("gets access errors from update and delete, also for unknown ids", async () => {
    await using at = await setUp();
    for (const id of ["general", "nope"]) {
      expect(await refusalOf(at.as(mine).updateCategory({ id, title: "X" }))).toEqual(categoryRefused(id));
      expect(await refusalOf(at.as(mine).deleteCategory({ id }))).toEqual(categoryRefused(id));
    }
  });

  test("may create an id of the own list and nothing else", async () => {
    await using at = await setUp();
    expect((await at.as(mine).createCategory({ id: "mine", title: "Mine" })).category.id).toBe("mine");
    expect((await refusalOf(at.as(mine).createCategory({ id: "other", title: "X" }))).code).toBe("access");
    expect((await refusalOf(at.as(mine).createCategory({ title: "X" }))).code).toBe("access");
  });

  test("may not reorder, unlike administrators", async () => {
    await using at = await setUp();
    const items = [{ id: "mine", sort_order: 1 }];
    expect(await refusalOf(at.as(mine).multiUpdateCategory({ items }))).toEqual(categoryRefused("*"));
    const administrator = keyWith(["admin"], { categories: ["mine"] });
    expect(await at.as(administrator).multiUpdateCategory({ items })).toEqual({});
  });
});

describe("multi_update_category", () => {
  test("merges each item without stamps and skips unknown ids", async () => {
    await using at = await setUp();
    await at.api.createCategory({ id: "a", title: "A" });
    await at.clock.advance(9);
    const items = [
      { id: "a", sort_order: 0, color: "red" },
      { id: "nope", sort_order: 5 },
      { id: "general", sort_order: 1 },
    ];
    expect(await at.as(keyWith(["edit_categories"])).multiUpdateCategory({ items })).toEqual({});
    const { rows } = await at.api.getCategories();
    expect(rows).toMatchObject([
      { id: "general", sort_order: 1, modified: START, revision: 1 },
      { id: "a", sort_order: 0, color: "red", modified: START, revision: 1 },
    ]);
    expect((await at.activity()).at(-1)).toMatchObject({
      action: "category_multi_update",
      description: "",
      updated: ["sort_order", "color"],
    });
  });

  const noItems = "Request missing 'items' parameter, or has zero length.";
  const unchanged = shared(setUp);
  test.each<[unknown, string]>([
    [undefined, noItems],
    [null, noItems],
    [[], noItems],
    [{}, noItems],
    ["x", noItems],
    [[5], "Missing parameter: id"],
    [[{ sort_order: 1 }], "Missing parameter: id"],
    [[{ id: "general", sort_order: "1" }], "Parameter is not type number: sort_order"],
    [
      [{ id: "general" }, { id: "general", title: "<i>" }],
      "Malformed title parameter: Cannot contain HTML metacharacters",
    ],
    [[{ id: "general", color: "beige" }], "Malformed parameter: color"],
    [[{ id: "general", limits: {} }], "Malformed event parameter: limits (must be array)"],
    [[{ id: "general", actions: [runs("e1")] }], "Malformed action entry #1: Event not found: e1"],
  ])("refuses items %j", async (items, description) => {
    const at = await unchanged();
    expect(
      await refusalOf(at.execute({ operation: "multi_update_category", input: { items }, actor: keyWith(["admin"]) })),
    ).toEqual(api(description));
    expect((await at.api.getCategory({ id: "general" })).category.revision).toBe(1);
  });

  test("changes nothing when one item is invalid", async () => {
    await using at = await setUp();
    await refusalOf(
      at.api.multiUpdateCategory({
        items: [
          { id: "general", title: "New" },
          { id: "a", color: "beige" },
        ],
      }),
    );
    expect((await at.api.getCategory({ id: "general" })).category.title).toBe("General");
  });
});
