import { describe, expect, test } from "vitest";
import { runs, setUp, uses } from "../../../test/directory/category-setup.ts";
import { keyWith, refusalOf, START } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import type { Event } from "../../work/events/model.ts";

const api = (description: string) => ({ code: "api", description });

describe("a fresh store", () => {
  test("holds the category General", async () => {
    await using at = await setUp();
    expect(await at.api.getCategory({ id: "general" })).toEqual({
      category: {
        id: "general",
        title: "General",
        enabled: true,
        color: "plain",
        icon: "",
        notes: "",
        actions: [],
        limits: [],
        sort_order: 0,
        username: "admin",
        created: START,
        modified: START,
        revision: 1,
      },
    });
  });

  test("is empty when presets are off", async () => {
    await using at = await setUp({ presets: false });
    expect(await at.api.getCategories()).toEqual({ rows: [], list: { length: 0 } });
    expect((await at.api.createCategory({ title: "First" })).category.sort_order).toBe(0);
  });
});

describe("create_category", () => {
  test("needs only a title, creates an id with the prefix ca and stamps the record", async () => {
    await using at = await setUp();
    const { category } = await at.as(keyWith(["create_categories"])).createCategory({ title: "Ops" });
    expect(category.id).toMatch(/^ca[a-z0-9]{14}$/);
    expect(category).toEqual({
      id: category.id,
      title: "Ops",
      enabled: true,
      color: "plain",
      icon: "",
      notes: "",
      actions: [],
      limits: [],
      sort_order: 1,
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
  });

  test("keeps unknown members, strips notes and ignores a sent order and stamps", async () => {
    await using at = await setUp();
    const sent = { id: "ops", title: "Ops", notes: "<b>n</b>", extra: { a: 1 }, sort_order: 77, revision: 5 };
    const { category } = await at.api.createCategory(sent);
    expect(category).toMatchObject({ notes: "n", extra: { a: 1 }, sort_order: 1, revision: 1 });
  });

  test("orders the new one after the largest, despite gaps", async () => {
    await using at = await setUp();
    await at.api.updateCategory({ id: "general", sort_order: 7 });
    await at.api.createCategory({ id: "a", title: "A" });
    await at.api.deleteCategory({ id: "a" });
    expect((await at.api.createCategory({ id: "b", title: "B" })).category.sort_order).toBe(8);
  });

  test("gives concurrent creations different orders", async () => {
    await using at = await setUp();
    await Promise.all(Array.from({ length: 10 }, (_value, n) => at.api.createCategory({ id: `c${n}`, title: "C" })));
    const orders = (await at.api.getCategories()).rows.map(({ sort_order }) => sort_order);
    expect(new Set(orders).size).toBe(11);
  });

  test.each([0, 1, true, false])("stores enabled as sent: %j", async (enabled) => {
    await using at = await setUp();
    expect((await at.api.createCategory({ title: "A", enabled })).category.enabled).toBe(enabled);
  });

  test.each<[string, string]>([
    ["", "plain"],
    ["orange", "orange"],
    ["rose", "rose"],
    ["skyblue", "skyblue"],
  ])("colour %j is stored as %s", async (color, stored) => {
    await using at = await setUp();
    expect((await at.api.createCategory({ title: "A", color })).category.color).toBe(stored);
  });

  const unchanged = shared(async () => {
    const at = await setUp();
    await at.addEvent({ id: "known" });
    await at.addPlugin("monitoring", "monitor");
    return at;
  });
  test.each<[object, string]>([
    [{}, "Missing parameter: title"],
    [{ title: null }, "Missing parameter: title"],
    [{ title: " " }, "Malformed parameter: title"],
    [{ title: 5 }, "Parameter is not type string: title"],
    [{ title: "<b>" }, "Malformed title parameter: Cannot contain HTML metacharacters"],
    [{ title: "A", id: "Big" }, "Malformed parameter: id"],
    [{ title: "A", id: "toString" }, "Invalid ID parameter: toString (reserved word)"],
    [{ title: "A", icon: "a b" }, "Malformed icon parameter: Contains illegal characters"],
    [{ title: "A", color: "#ff0000" }, "Malformed parameter: color"],
    [{ title: "A", color: "Red" }, "Malformed parameter: color"],
    [{ title: "A", color: 5 }, "Malformed parameter: color"],
    [{ title: "A", enabled: "yes" }, "Malformed parameter: enabled"],
    [{ title: "A", limits: {} }, "Malformed event parameter: limits (must be array)"],
    [{ title: "A", limits: [{ enabled: true, type: "x" }] }, "Malformed limit entry #1: Unknown type"],
    [
      { title: "A", limits: [{ enabled: true, type: "queue", amount: 1 }] },
      "Limit Configuration: The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to be present.",
    ],
    [{ title: "A", actions: "x" }, "Malformed event parameter: actions (must be array)"],
    [{ title: "A", actions: [{}] }, "Malformed action entry #1: Missing enabled flag"],
    [{ title: "A", actions: [runs("e1")] }, "Malformed action entry #1: Event not found: e1"],
    [{ title: "A", actions: [runs("known"), uses("p1")] }, "Malformed action entry #2: Plugin not found: p1"],
    [{ title: "A", actions: [uses("monitoring")] }, "Malformed action entry #1: Plugin not found: monitoring"],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createCategory(input as { title: string }))).toEqual(api(description));
    expect((await at.api.getCategories()).list.length).toBe(1);
  });

  test.each([null, "", "1", []])("accepts and answers %j as the enabled member of an entry", async (sent) => {
    await using at = await setUp();
    const enabled = sent as never;
    const { category } = await at.api.createCategory({
      title: "A",
      actions: [{ enabled, condition: "alert_new", type: "snapshot" }],
      limits: [{ enabled, type: "time", duration: 5 }],
    });
    for (const entry of [...(category.actions ?? []), ...(category.limits ?? [])])
      expect(Boolean(entry.enabled)).toBe(Boolean(sent));
  });

  test("accepts actions whose event and plugin exist, and alert conditions", async () => {
    await using at = await setUp();
    await at.addEvent({ id: "known" });
    await at.addPlugin("pager", "action");
    const actions = [runs("known"), uses("pager"), { enabled: true, condition: "alert_new", type: "snapshot" }];
    expect((await at.api.createCategory({ title: "A", actions } as never)).category.actions).toEqual(actions);
  });

  test("refuses a taken id", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.createCategory({ id: "general", title: "A" }))).toEqual({
      code: "category",
      description: "That Category ID already exists: general",
    });
  });
});

describe("update_category", () => {
  test("replaces each sent member whole and updates the stamps", async () => {
    await using at = await setUp();
    const limits = [{ enabled: true, type: "job", amount: 1 }];
    const { category } = await at.api.createCategory({ id: "a", title: "A", limits, icon: "star" } as never);
    await at.clock.advance(9);
    const sent = { id: "a", limits: [], color: "", sort_order: "+5", username: "x", created: 1, revision: 1 };
    expect(await at.as(keyWith(["edit_categories"])).updateCategory(sent)).toEqual({});
    expect((await at.api.getCategory({ id: "a" })).category).toEqual({
      ...category,
      limits: [],
      sort_order: 6,
      modified: START + 9,
      revision: 2,
    });
  });

  test("with only a new order still increments the revision", async () => {
    await using at = await setUp();
    await at.api.updateCategory({ id: "general", sort_order: 3 });
    expect((await at.api.getCategory({ id: "general" })).category).toMatchObject({ sort_order: 3, revision: 2 });
  });

  test.each<[object, string]>([
    [{ title: "" }, "Malformed parameter: title"],
    [{ color: "beige" }, "Malformed parameter: color"],
    [{ sort_order: "first" }, "Malformed parameter: sort_order"],
    [{ limits: {} }, "Malformed event parameter: limits (must be array)"],
    [{ actions: [5] }, "Malformed action entry #1 (not an object)"],
  ])("refuses %j", async (members, description) => {
    await using at = await setUp();
    expect(await refusalOf(at.api.updateCategory({ id: "general", ...members }))).toEqual(api(description));
  });
});

describe("delete_category", () => {
  const inUse = { code: "category", description: "Failed to delete category: Still in use by one or more events." };

  test("removes an unused category", async () => {
    await using at = await setUp();
    await at.addEvent({ id: "e1", category: "other" });
    expect(await at.as(keyWith(["delete_categories"])).deleteCategory({ id: "general" })).toEqual({});
    expect((await at.api.getCategories()).rows).toEqual([]);
    expect(await refusalOf(at.api.deleteCategory({ id: "general" }))).toEqual({
      code: "category",
      description: "Failed to delete category: Error: Item not found",
    });
  });

  test("is refused while the last of many events belongs to it", async () => {
    await using at = await setUp();
    for (let count = 0; count < 60; count++) await at.addEvent({ id: `e${100 + count}`, category: "other" });
    await at.addEvent({ id: "e999", category: "general" });
    expect(await refusalOf(at.api.deleteCategory({ id: "general" }))).toEqual(inUse);
  });

  test("is refused while an event belongs to it", async () => {
    await using at = await setUp();
    await at.addEvent({ id: "e1", category: "general" });
    expect(await refusalOf(at.api.deleteCategory({ id: "general" }))).toEqual(inUse);
    expect((await at.api.getCategories()).list.length).toBe(1);
  });

  test("is refused while a workflow runs jobs in it", async () => {
    await using at = await setUp();
    const workflow = { nodes: [{ id: "n1", type: "job", data: { category: "general" } }], connections: [] };
    await at.addEvent({ id: "e1", category: "other", workflow } as Partial<Event> & { id: string });
    expect(await refusalOf(at.api.deleteCategory({ id: "general" }))).toEqual(inUse);
  });
});

test("every change of a category emits an event after its commit and leaves a row in the log", async () => {
  await using at = await setUp();
  const seen: string[] = [];
  for (const type of ["category.created", "category.updated", "category.deleted"] as const)
    at.events.on(type, ({ id }) => void seen.push(`${type} ${id}`));
  await at.as(keyWith(["admin"])).createCategory({ id: "a", title: "A" });
  await at.api.updateCategory({ id: "a", title: "B" });
  await at.api.multiUpdateCategory({ items: [{ id: "a", sort_order: 9 }, { id: "nope" }] });
  await at.api.deleteCategory({ id: "a" });
  await refusalOf(at.api.deleteCategory({ id: "a" }));
  expect(seen).toEqual(["category.created a", "category.updated a", "category.updated a", "category.deleted a"]);
  expect((await at.activity()).slice(-4)).toMatchObject([
    { action: "category_create", username: "ktest", description: "A", category: { id: "a", revision: 1 } },
    { action: "category_update", username: "system", category: { title: "B", revision: 2 } },
    { action: "category_multi_update" },
    { action: "category_delete", keywords: ["a", "system"], category: { sort_order: 9 } },
  ]);
});
