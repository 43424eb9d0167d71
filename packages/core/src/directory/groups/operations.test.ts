import { describe, expect, test } from "vitest";
import { runs, setUp } from "../../../test/directory/category-setup.ts";
import { cradleProbe, keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { groupCollection } from "./collection.ts";

const web = { id: "web", title: "Web", hostname_match: "^web" };
const refusedFor = (id: string) => ({
  code: "access",
  description: `You do not have the required account privileges to access group ID ${id}.`,
});

describe("create_group", () => {
  test("creates an id with the prefix g, the next order and no actions", async () => {
    await using at = await setUp();
    const { group } = await at.as(keyWith(["create_groups"])).createGroup({
      ...{ title: "Web", hostname_match: "^web", sort_order: 77, notes: "<b>x</b>" },
    } as never);
    expect(group).toEqual({
      id: expect.stringMatching(/^g[a-z0-9]{15}$/),
      title: "Web",
      hostname_match: "^web",
      alert_actions: [],
      sort_order: 1,
      notes: "x",
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
    expect(await at.api.getGroup({ id: group.id })).toEqual({ group });
  });

  test("gives two concurrent creations different orders", async () => {
    await using at = await setUp();
    const made = await Promise.all(
      ["a", "b", "c"].map((id) => at.api.createGroup({ id, title: id, hostname_match: "x" })),
    );
    expect(new Set(made.map(({ group }) => group.sort_order)).size).toBe(3);
  });

  test("ids are unique", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.createGroup({ ...web, id: "main" }))).toEqual({
      code: "group",
      description: "That Group ID already exists: main",
    });
  });

  const unchanged = shared(setUp);
  test.each<[object, string]>([
    [{ title: "T" }, "Missing parameter: hostname_match"],
    [{ hostname_match: "x" }, "Missing parameter: title"],
    [{ title: " ", hostname_match: "x" }, "Malformed parameter: title"],
    [{ title: "T", hostname_match: " " }, "Malformed parameter: hostname_match"],
    [{ title: "T", hostname_match: 5 }, "Parameter is not type string: hostname_match"],
    [{ title: "T", hostname_match: "x", id: "A" }, "Malformed parameter: id"],
    [{ title: "T", hostname_match: "x", ephemeral: "perhaps" }, "Parameter is not type boolean: ephemeral"],
    [{ title: "<T>", hostname_match: "x" }, "Malformed title parameter: Cannot contain HTML metacharacters"],
    [{ title: "T", hostname_match: "x", max_jobs_per_server: -1 }, "Malformed parameter: max_jobs_per_server"],
    [
      { title: "T", hostname_match: "x", alert_actions: [{ enabled: true, condition: "never", type: "email" }] },
      "Malformed action entry #1: Invalid condition",
    ],
    [
      { title: "T", hostname_match: "x", alert_actions: [{ ...runs("gone"), condition: "alert_new" }] },
      "Malformed action entry #1: Event not found: gone",
    ],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createGroup(input as typeof web))).toEqual({ code: "api", description });
  });
});

describe("the hostname pattern of a group", () => {
  test("is refused before the caller is checked if it is malformed", async () => {
    await using at = await setUp();
    const refused = { code: "group", description: expect.stringMatching(/^Invalid hostname match: Invalid regular/) };
    expect(await refusalOf(at.as({}).createGroup({ ...web, hostname_match: "(" }))).toEqual(refused);
    expect(await refusalOf(at.as({}).updateGroup({ id: "main", hostname_match: "(" }))).toEqual(refused);
    expect((await refusalOf(at.as({}).createGroup(web))).code).toBe("session");
  });

  test("a malformed pattern among many groups is refused for known callers", async () => {
    await using at = await setUp();
    const items = [{ id: "main" }, { id: "main", hostname_match: "[" }];
    const refused = { code: "group", description: expect.stringMatching(/^Invalid hostname match: Invalid regular/) };
    expect(await refusalOf(at.api.multiUpdateGroup({ items }))).toEqual(refused);
    expect((await refusalOf(at.as({}).multiUpdateGroup({ items }))).code).toBe("session");
  });

  test("is at most a thousand characters long", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.createGroup({ ...web, hostname_match: "x".repeat(1001) }))).toEqual({
      code: "group",
      description: "Invalid hostname match: Regular expression exceeds length limit (1000 characters)",
    });
  });

  test("is refused for known callers if it is slow on ordinary names", async () => {
    await using at = await setUp();
    const slow = "^(a+)+$";
    const refused = { code: "group", description: "Invalid hostname match: Regular expression takes too long" };
    expect(await refusalOf(at.api.createGroup({ ...web, hostname_match: slow }))).toEqual(refused);
    expect(await refusalOf(at.api.updateGroup({ id: "main", hostname_match: slow }))).toEqual(refused);
    const items = [{ id: "main", hostname_match: slow }];
    expect(await refusalOf(at.api.multiUpdateGroup({ items }))).toEqual(refused);
    expect((await refusalOf(at.as({}).createGroup({ ...web, hostname_match: slow }))).code).toBe("session");
  });

  test("may become empty by an update", async () => {
    await using at = await setUp();
    expect((await at.api.updateGroup({ id: "main", hostname_match: "" })).group.hostname_match).toBe("");
  });
});

describe("update_group", () => {
  test("merges the sent members, updates the stamps and answers the record", async () => {
    await using at = await setUp();
    await at.clock.advance(3);
    const sent = { id: "main", icon: "server", username: "m", created: 1, sort_order: "+4", max_jobs_per_server: 2 };
    const { group } = await at.as(keyWith(["edit_groups"])).updateGroup(sent);
    expect(group).toEqual({
      id: "main",
      title: "Main Group",
      hostname_match: ".+",
      alert_actions: [],
      icon: "server",
      sort_order: 4,
      max_jobs_per_server: 2,
      username: "admin",
      created: START,
      modified: START + 3,
      revision: 2,
    });
  });

  test("adds a step to the stored number of jobs, and never goes below zero", async () => {
    await using at = await setUp();
    const step = async (by: number | string) =>
      (await at.api.updateGroup({ id: "main", max_jobs_per_server: by })).group.max_jobs_per_server;
    const refused = { code: "api", description: "Malformed parameter: max_jobs_per_server" };
    expect(await refusalOf(step("+1"))).toEqual(refused);
    expect([await step(2), await step("+3"), await step("-5")]).toEqual([2, 5, 0]);
    expect(await refusalOf(step("-1"))).toEqual(refused);
    expect(await refusalOf(step("1"))).toEqual(refused);
  });

  test("refuses unknown ids with the contract's messages", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.getGroup({ id: "z" }))).toEqual({
      code: "notfound",
      description: "Failed to locate group: z",
    });
    expect(await refusalOf(at.api.updateGroup({ id: "z" }))).toEqual({
      code: "group",
      description: "Failed to update group: Error: Item not found",
    });
    expect(await refusalOf(at.api.deleteGroup({ id: "z" }))).toEqual({
      code: "group",
      description: "Failed to delete group: Error: Item not found",
    });
  });
});

describe("delete_group", () => {
  test("deletes the watch of the group too", async () => {
    await using at = await setUp();
    await at.api.updateGlobalState({ watches: { groups: { main: START + 100, other: START + 100 } } } as never);
    await at.api.deleteGroup({ id: "main" });
    expect((await at.api.getGlobalState()).state["watches"]).toEqual({ groups: { other: START + 100 } });
    expect((await at.api.getGroups()).rows).toEqual([]);
  });

  test("treats the main group as an ordinary group", async () => {
    await using at = await setUp();
    await at.api.deleteGroup({ id: "main" });
    const { group } = await at.api.createGroup({ ...web, id: "main" });
    expect(group).toMatchObject({ id: "main", sort_order: 0, revision: 1 });
  });
});

describe("multi_update_group", () => {
  test("changes several without stamps and skips unknown ids", async () => {
    await using at = await setUp();
    await at.api.createGroup(web);
    await at.clock.advance(9);
    const items = [
      { id: "web", sort_order: 0 },
      { id: "gone", sort_order: 1 },
      { id: "main", sort_order: 2 },
    ];
    expect(await at.api.multiUpdateGroup({ items })).toEqual({});
    const { rows } = await at.api.getGroups();
    expect(rows.map(({ id, sort_order, modified, revision }) => [id, sort_order, modified, revision])).toEqual([
      ["main", 2, START, 1],
      ["web", 0, START, 1],
    ]);
  });

  const unchanged = shared(setUp);
  test.each<[object, string]>([
    [{}, "Request missing 'items' parameter, or has zero length."],
    [{ items: [] }, "Request missing 'items' parameter, or has zero length."],
    [{ items: "web" }, "Request missing 'items' parameter, or has zero length."],
    [{ items: [{ sort_order: 1 }] }, "Missing parameter: id"],
    [{ items: [{ id: "web", sort_order: "+1" }] }, "Parameter is not type number: sort_order"],
    [{ items: [{ id: "web", title: "" }] }, "Malformed parameter: title"],
    [{ items: [{ id: "web", alert_actions: 5 }] }, "Malformed event parameter: actions (must be array)"],
    [{ items: [{ id: "main", alert_actions: [runs("gone")] }] }, "Malformed action entry #1: Event not found: gone"],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.multiUpdateGroup(input as { items: [] }))).toEqual({ code: "api", description });
  });
});

describe("a caller limited to groups", () => {
  const all = ["create_groups", "edit_groups", "delete_groups"];
  const mine = keyWith(all, { groups: ["mine"] });

  test("sees and changes only the own groups", async () => {
    await using at = await setUp();
    const limited = at.as(mine);
    await limited.createGroup({ id: "mine", title: "Mine", hostname_match: "x" });
    expect((await limited.getGroups()).rows.map(({ id }) => id)).toEqual(["mine"]);
    expect((await limited.updateGroup({ id: "mine", title: "Ours" })).group.title).toBe("Ours");
    for (const call of [
      limited.getGroup({ id: "main" }),
      limited.updateGroup({ id: "main", title: "Taken" }),
      limited.deleteGroup({ id: "main" }),
    ])
      expect(await refusalOf(call)).toEqual(refusedFor("main"));
    expect(await refusalOf(limited.createGroup(web))).toEqual(refusedFor("web"));
    expect(await refusalOf(limited.createGroup({ title: "T", hostname_match: "x" }))).toMatchObject({ code: "access" });
    await limited.deleteGroup({ id: "mine" });
  });

  test("may never reorder, not even the own groups", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.as(mine).multiUpdateGroup({ items: [{ id: "mine" }] }))).toEqual(refusedFor("*"));
  });
});

test.each([
  ["createGroup", "Create Groups", web],
  ["updateGroup", "Edit Groups", { id: "main" }],
  ["deleteGroup", "Delete Groups", { id: "main" }],
  ["multiUpdateGroup", "Edit Groups", { items: [{ id: "main" }] }],
] as const)("%s needs %s", async (method, title, input) => {
  await using at = await setUp();
  const call = at.as(keyWith(["run_jobs"]))[method] as (input: object) => Promise<unknown>;
  expect(await refusalOf(call(input))).toEqual({
    code: "access",
    description: `You do not have the '${title}' privilege required to perform this action.`,
  });
});

test("every change of a group emits an event after its commit and leaves a row in the log", async () => {
  await using at = await setUp();
  const seen: unknown[] = [];
  at.events.on("group.changed", (group) => void seen.push(group));
  await at.api.createGroup(web);
  await at.api.updateGroup({ id: "web", title: "B" });
  await at.api.multiUpdateGroup({ items: [{ id: "web", sort_order: 5, icon: "x" }] });
  await at.api.deleteGroup({ id: "web" });
  const group = { id: "web", hostname_match: web.hostname_match, alert_actions: [], created: START };
  expect(seen).toMatchObject([
    { ...group, title: "Web", revision: 1 },
    { ...group, title: "B", revision: 2 },
    { ...group, title: "B", sort_order: 5, icon: "x" },
    { ...group, title: "B", sort_order: 5, icon: "x" },
  ]);
  expect((await at.activity()).slice(-4)).toMatchObject([
    { action: "group_create", epoch: START, description: "Web", keywords: ["web", "system"], group: { revision: 1 } },
    { action: "group_update", description: "B", group: { title: "B", revision: 2 } },
    { action: "group_multi_update", description: "", updated: expect.arrayContaining(["sort_order", "icon"]) },
    { action: "group_delete", group: { title: "B", sort_order: 5 } },
  ]);
});

test("a stored pattern that is no regular expression can be repaired", async () => {
  const probe = cradleProbe();
  await using at = await startEngine({ plugins: [probe.plugin] });
  const stamps = { username: "x", created: 1, modified: 1 };
  const broken = { ...web, hostname_match: "(", alert_actions: [], sort_order: 3, ...stamps };
  await probe.cradle().transact(({ tx }) => tx.collection(groupCollection).insert(broken));
  expect((await at.api.updateGroup({ id: "web", title: "Still" })).group.hostname_match).toBe("(");
  expect((await at.api.updateGroup({ id: "web", hostname_match: "^web" })).group.hostname_match).toBe("^web");
});
