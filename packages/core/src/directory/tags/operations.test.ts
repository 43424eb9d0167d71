import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { activityCollection } from "../activity/collection.ts";
import { tagCollection } from "./collection.ts";

async function setUp() {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  const { storage, transact } = probe.cradle();
  return {
    ...engine,
    transact,
    activity: () => storage.read((tx) => tx.collection(activityCollection).list()),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

test("a fresh store holds the tags important and flag", async () => {
  await using at = await setUp();
  const { rows, list } = await at.as(keyWith([])).getTags();
  expect(list.length).toBe(2);
  expect(rows).toMatchObject([
    { id: "important", title: "Important", icon: "alert-rhombus", username: "admin", created: START, revision: 1 },
    { id: "flag", title: "Flag", icon: "flag-checkered" },
  ]);
});

test("presets can be disabled", async () => {
  await using engine = await startEngine({ config: { presets: false } });
  expect((await engine.api.getTags()).rows).toEqual([]);
});

describe("create_tag", () => {
  test("creates an id with the prefix t and leaves absent members absent", async () => {
    await using at = await setUp();
    const { tag } = await at.as(keyWith(["create_tags"])).createTag({ title: "A" });
    expect(tag).toEqual({
      id: expect.stringMatching(/^t[a-z0-9]{15}$/),
      title: "A",
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
    expect(await at.api.getTag({ id: tag.id })).toEqual({ tag });
  });

  test("keeps unknown members and overwrites stamps", async () => {
    await using at = await setUp();
    const sent = {
      id: "a",
      title: "A",
      notes: "x<br>y",
      extra: [1],
      username: "m",
      created: 1,
      modified: 2,
      revision: 9,
    };
    const { tag } = await at.api.createTag(sent);
    expect(tag).toMatchObject({ notes: "xy", extra: [1], username: "system", created: START, revision: 1 });
  });

  test("titles need not be unique, ids must be", async () => {
    await using at = await setUp();
    await at.api.createTag({ id: "a", title: "Same" });
    await at.api.createTag({ id: "b", title: "Same" });
    expect(await refusalOf(at.api.createTag({ id: "a", title: "Other" }))).toEqual({
      code: "tag",
      description: "Tag ID already exists: a",
    });
  });

  const unchanged = shared(setUp);
  test.each<[object, string]>([
    [{}, "Missing parameter: title"],
    [{ title: "" }, "Malformed parameter: title"],
    [{ title: "T", id: "_mine" }, "Invalid ID parameter: _mine (reserved)"],
    [{ title: "T", id: "valueOf" }, "Invalid ID parameter: valueOf (reserved word)"],
    [{ title: "T", id: "A" }, "Malformed parameter: id"],
    [{ title: "T", id: "" }, "Malformed parameter: id"],
    [{ title: "T", icon: "<i>" }, "Malformed icon parameter: Contains illegal characters"],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createTag(input as { title: string }))).toEqual({ code: "api", description });
  });
});

describe("update_tag", () => {
  test("merges the sent members and updates the stamps", async () => {
    await using at = await setUp();
    await at.clock.advance(3);
    expect(await at.as(keyWith(["edit_tags"])).updateTag({ id: "flag", icon: "", notes: null })).toEqual({});
    expect((await at.api.getTag({ id: "flag" })).tag).toEqual({
      id: "flag",
      title: "Flag",
      icon: "",
      notes: null,
      username: "admin",
      created: START,
      modified: START + 3,
      revision: 2,
    });
  });

  test("gives an imported tag without a revision revision 1", async () => {
    await using at = await setUp();
    const old = { id: "old", title: "Old", username: "x", created: 1, modified: 1 };
    await at.transact(({ tx }) => tx.collection(tagCollection).insert(old));
    await at.api.updateTag({ id: "old" });
    expect((await at.api.getTag({ id: "old" })).tag.revision).toBe(1);
  });

  test("may not clear the title", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.updateTag({ id: "flag", title: " " }))).toEqual({
      code: "api",
      description: "Malformed parameter: title",
    });
  });

  test("keeps an existing tag with a reserved id usable", async () => {
    await using at = await setUp();
    const old = { id: "_old", title: "Old", username: "x", created: 1, modified: 1 };
    await at.transact(({ tx }) => tx.collection(tagCollection).insert(old));
    await at.api.updateTag({ id: "_old", title: "New" });
    await at.api.deleteTag({ id: "_old" });
  });

  test("counts all of twenty concurrent updates", async () => {
    await using at = await setUp();
    await Promise.all(Array.from({ length: 20 }, (_value, n) => at.api.updateTag({ id: "flag", n } as never)));
    expect((await at.api.getTag({ id: "flag" })).tag.revision).toBe(21);
  });
});

describe("unknown ids", () => {
  test("are refused with the contract's messages", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.getTag({ id: "z" }))).toEqual({
      code: "notfound",
      description: "Failed to locate tag: z",
    });
    expect(await refusalOf(at.api.updateTag({ id: "z" }))).toEqual({
      code: "tag",
      description: "Failed to update tag: Error: Item not found",
    });
    expect(await refusalOf(at.api.deleteTag({ id: "z" }))).toEqual({
      code: "tag",
      description: "Failed to delete tag: Error: Item not found",
    });
  });
});

test.each([
  ["createTag", "Create Tags", { title: "T" }],
  ["updateTag", "Edit Tags", { id: "flag" }],
  ["deleteTag", "Delete Tags", { id: "flag" }],
] as const)("%s needs %s", async (method, title, input) => {
  await using at = await setUp();
  const call = at.as(keyWith(["run_jobs"]))[method] as (input: object) => Promise<unknown>;
  expect(await refusalOf(call(input))).toEqual({
    code: "access",
    description: `You do not have the '${title}' privilege required to perform this action.`,
  });
});

test("restrictions to categories and groups do not apply to tags", async () => {
  await using at = await setUp();
  const limited = keyWith(["create_tags", "delete_tags"], { categories: ["c"], groups: ["g"] });
  await at.as(limited).createTag({ id: "a", title: "A" });
  await at.as(limited).deleteTag({ id: "a" });
  expect((await at.as(limited).getTags()).list.length).toBe(2);
});

test("every change of a tag emits an event after its commit and leaves a row in the log", async () => {
  await using at = await setUp();
  const seen: string[] = [];
  for (const type of ["tag.created", "tag.updated", "tag.deleted"] as const)
    at.events.on(type, ({ id }) => void seen.push(`${type} ${id}`));
  await at.api.createTag({ id: "a", title: "A" });
  await at.api.updateTag({ id: "a", title: "B" });
  await at.api.deleteTag({ id: "a" });
  expect(seen).toEqual(["tag.created a", "tag.updated a", "tag.deleted a"]);
  expect((await at.activity()).slice(-3)).toMatchObject([
    { action: "tag_create", epoch: START, username: "system", description: "A", tag: { id: "a", revision: 1 } },
    { action: "tag_update", description: "B", tag: { title: "B", revision: 2 } },
    { action: "tag_delete", keywords: ["a", "system"], tag: { title: "B" } },
  ]);
});
