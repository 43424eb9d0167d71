import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, START, startEngine } from "../../../../test/engine.ts";
import { shared } from "../../../../test/shared.ts";
import { activityCollection } from "../../activity/collection.ts";

describe("plugins", () => {
  test("a fresh store has the presets", async () => {
    await using engine = await startEngine();
    const { rows, list } = await engine.as(keyWith([])).getPlugins();
    expect(rows.map(({ id, type }) => `${type}:${id}`)).toEqual([
      "event:shellplug",
      "event:httpplug",
      "event:testplug",
      "event:dockerplug",
      "event:hookplug",
      "monitor:open_files",
      "monitor:signalbox_checks",
    ]);
    expect(list).toEqual({ length: 7 });
  });

  test("the shell plugin has a locked script parameter", async () => {
    await using engine = await startEngine();
    const { plugin } = await engine.api.getPlugin({ id: "shellplug" });
    expect(plugin).toMatchObject({ command: "[shell-plugin]", enabled: true, kill: "all", username: "admin" });
    expect(plugin.params).toMatchObject([{ id: "script", locked: true, required: true }, { id: "annotate" }]);
  });

  test("an unknown id is not found", async () => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.api.getPlugin({ id: "nope" }))).toEqual({
      code: "notfound",
      description: "Failed to locate plugin: nope",
    });
  });

  test("a store without presets has none", async () => {
    await using engine = await startEngine({ config: { presets: false } });
    expect((await engine.api.getPlugins()).rows).toEqual([]);
  });
});

const EVENT = { title: "Deploy", type: "event", command: "/usr/bin/deploy --now" } as const;

async function setUp() {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  const { storage } = probe.cradle();
  return {
    ...engine,
    editor: engine.as(keyWith(["create_plugins", "edit_plugins", "delete_plugins"])),
    activity: () => storage.read((tx) => tx.collection(activityCollection).list()),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

describe("create_plugin", () => {
  test("refuses a new slow pattern, like an update", async () => {
    await using at = await setUp();
    const params = [{ id: "name", type: "text", title: "Name", regex: "^(a+)+$" }];
    const refused = {
      code: "api",
      description: "Malformed plugin parameter: name: Invalid regular expression: Regular expression takes too long",
    };
    expect(await refusalOf(at.editor.createPlugin({ ...EVENT, params }))).toEqual(refused);
    const { plugin } = await at.editor.createPlugin(EVENT);
    expect(await refusalOf(at.editor.updatePlugin({ id: plugin.id, params }))).toEqual(refused);
  });

  test("creates an id with the prefix p and fills the members of its type", async () => {
    await using at = await setUp();
    const { plugin } = await at.editor.createPlugin(EVENT);
    expect(plugin).toEqual({
      ...EVENT,
      id: expect.stringMatching(/^p[a-z0-9]{15}$/),
      enabled: true,
      script: "",
      kill: "parent",
      runner: false,
      uid: "",
      gid: "",
      icon: "",
      notes: "",
      username: "ktest",
      params_version: START,
      created: START,
      modified: START,
      revision: 1,
    });
    expect((await at.api.getPlugin({ id: plugin.id })).plugin).toEqual(plugin);
    const monitor = await at.editor.createPlugin({ title: "M", type: "monitor", command: "/bin/sh" });
    expect(monitor.plugin).toMatchObject({ groups: [], format: "text", quick: false, timeout: 10 });
    expect((await at.editor.createPlugin({ ...EVENT, type: "action" })).plugin.timeout).toBe(60);
    expect((await at.editor.createPlugin({ ...EVENT, type: "scheduler" })).plugin.timeout).toBe(30);
  });

  test("keeps unknown members", async () => {
    await using at = await setUp();
    expect((await at.api.createPlugin({ ...EVENT, extra: [1] } as never)).plugin["extra"]).toEqual([1]);
  });

  test("drops user and group of a plugin from the marketplace", async () => {
    await using at = await setUp();
    const marketplace = { id: "shop", version: "1" };
    const { plugin } = await at.api.createPlugin({ ...EVENT, id: "shop", marketplace, uid: "root", gid: 0 });
    expect(plugin).toMatchObject({ marketplace });
    expect(plugin).not.toHaveProperty("uid");
    expect(plugin).not.toHaveProperty("gid");
    const other = { uid: "root", marketplace: { id: "else" } } as object;
    const updated = await at.api.updatePlugin({ id: "shop", ...other });
    expect(updated.plugin).toMatchObject({ marketplace, revision: 2 });
    expect(updated.plugin).not.toHaveProperty("uid");
  });

  const unchanged = shared(setUp);
  test.each<[object, string]>([
    [{ ...EVENT, title: undefined }, "Missing parameter: title"],
    [{ ...EVENT, type: undefined }, "Missing parameter: type"],
    [{ ...EVENT, type: "trigger" }, "Malformed parameter: type"],
    [{ ...EVENT, type: 5 }, "Malformed parameter: type"],
    [{ ...EVENT, command: undefined }, "Missing parameter: command"],
    [{ ...EVENT, command: "  " }, "Malformed parameter: command"],
    [{ ...EVENT, command: 5 }, "Parameter is not type string: command"],
    [{ ...EVENT, id: "A" }, "Malformed parameter: id"],
    [{ ...EVENT, kill: "some" }, "Malformed parameter: kill"],
    [{ ...EVENT, uid: ["root"] }, "Malformed parameter: uid"],
    [{ ...EVENT, timeout: 0 }, "Malformed parameter: timeout"],
    [{ ...EVENT, groups: "g1" }, "Parameter is not an array: groups"],
    [{ ...EVENT, params: {} }, "Malformed plugin parameter: params (must be array)"],
    [{ ...EVENT, params: [{ id: "a", type: "text" }] }, "Malformed plugin parameter: a: Title property is missing"],
    [
      { ...EVENT, params: [{ id: "t", type: "toolset", title: "T", data: { tools: [] } }] },
      "Toolset Data Error: There are no tools defined.",
    ],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createPlugin(input as never))).toEqual({ code: "api", description });
    expect((await at.api.getPlugins()).list.length).toBe(7);
  });

  test("refuses a taken id", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.editor.createPlugin({ ...EVENT, id: "shellplug" }))).toEqual({
      code: "plugin",
      description: "That Plugin ID already exists: shellplug",
    });
  });
});

describe("update_plugin", () => {
  test("answers the plugin with its present members", async () => {
    await using at = await setUp();
    await at.clock.advance(3);
    const { plugin } = await at.editor.updatePlugin({ id: "shellplug", title: "Shell", enabled: false });
    expect(plugin).toMatchObject({ title: "Shell", enabled: false, modified: START + 3, revision: 2, stock: true });
    expect((await at.api.getPlugin({ id: "shellplug" })).plugin).toEqual(plugin);
  });

  test.each<[object, string]>([
    [{ id: "shellplug", type: "trigger" }, "Malformed parameter: type"],
    [{ id: "shellplug", command: "" }, "Malformed parameter: command"],
    [{ id: "shellplug", params: "x" }, "Malformed plugin parameter: params (must be array)"],
    [{ id: "shellplug", timeout: "+5" }, "Malformed parameter: timeout"],
    [{ id: "shellplug", timeout: "5" }, "Malformed parameter: timeout"],
    [{ id: "nope" }, "Plugin not found: nope"],
  ])("refuses %j", async (input, description) => {
    await using at = await setUp();
    expect(await refusalOf(at.api.updatePlugin(input as never))).toEqual({ code: "api", description });
  });
});

test("treats a signed number as a step from the stored timeout", async () => {
  await using at = await setUp();
  await at.editor.createPlugin({ ...EVENT, id: "act", type: "action" });
  expect((await at.editor.updatePlugin({ id: "act", timeout: "+5" })).plugin.timeout).toBe(65);
  expect((await refusalOf(at.editor.updatePlugin({ id: "act", timeout: "-65" }))).code).toBe("api");
});

describe("members that only administrators may set", () => {
  const script = { id: "script", type: "code", title: "Script Source", value: "", locked: true, required: true };
  const annotate = { id: "annotate", type: "checkbox", title: "Add Date/Time Stamps to Log", value: false };

  test.each<[string, object]>([
    ["uid", { uid: "root" }],
    ["gid", { gid: 0 }],
    ["runner", { runner: true }],
    ["a locked parameter", { params: [{ ...annotate, locked: true }] }],
  ])("%s of a new plugin", async (_what, members) => {
    await using at = await setUp();
    const refusal = {
      code: "access",
      description: "You do not have the 'Administrator' privilege required to perform this action.",
    };
    expect(await refusalOf(at.editor.createPlugin({ ...EVENT, ...members }))).toEqual(refusal);
    await at.as(keyWith(["admin"])).createPlugin({ ...EVENT, ...members });
  });

  test.each<[string, object]>([
    ["another uid", { uid: "root" }],
    ["a locked parameter that is unlocked", { params: [{ ...script, locked: false }, annotate] }],
    ["a locked parameter with another default", { params: [{ ...script, value: "rm" }, annotate] }],
    ["a locked parameter that is left out", { params: [annotate] }],
    ["a parameter that is locked", { params: [script, { ...annotate, locked: true }] }],
  ])("%s", async (_what, members) => {
    await using at = await setUp();
    expect((await refusalOf(at.editor.updatePlugin({ id: "shellplug", ...members }))).code).toBe("access");
    expect((await at.api.getPlugin({ id: "shellplug" })).plugin.revision).toBe(1);
  });

  test("do not include a user and a group that are dropped anyway", async () => {
    await using at = await setUp();
    const origin = { marketplace: { id: "shop" } };
    const { plugin } = await at.editor.createPlugin({ ...EVENT, ...origin, id: "shop", uid: "root", gid: 0 });
    expect(plugin).toMatchObject(origin);
    expect(plugin).not.toHaveProperty("uid");
    expect((await at.editor.updatePlugin({ id: "shop", uid: "root" })).plugin).not.toHaveProperty("uid");
    const claim = { id: "shellplug", ...origin, uid: "root" } as { id: string };
    expect((await refusalOf(at.editor.updatePlugin(claim))).code).toBe("access");
  });

  test("may be sent back unchanged by others", async () => {
    await using at = await setUp();
    await at.api.updatePlugin({ id: "shellplug", uid: "deploy" });
    const { plugin } = await at.api.getPlugin({ id: "shellplug" });
    const params = [{ ...annotate, value: true }, ...(plugin.params ?? []).filter(({ id }) => id === "script")];
    const sent = { id: "shellplug", uid: "deploy", gid: "", runner: 0, params };
    expect((await at.editor.updatePlugin(sent)).plugin).toMatchObject({ revision: 3, params });
  });
});

test("delete_plugin removes a plugin, which is unknown afterwards", async () => {
  await using at = await setUp();
  expect(await at.editor.deletePlugin({ id: "testplug" })).toEqual({});
  expect((await refusalOf(at.api.getPlugin({ id: "testplug" }))).code).toBe("notfound");
  expect(await refusalOf(at.editor.deletePlugin({ id: "testplug" }))).toEqual({
    code: "api",
    description: "Plugin not found: testplug",
  });
});

test.each([
  ["createPlugin", "Create Plugins", EVENT],
  ["updatePlugin", "Edit Plugins", { id: "shellplug" }],
  ["deletePlugin", "Delete Plugins", { id: "shellplug" }],
] as const)("%s needs %s", async (method, title, input) => {
  await using at = await setUp();
  const call = at.as(keyWith(["run_jobs"]))[method] as (input: object) => Promise<unknown>;
  expect(await refusalOf(call(input))).toEqual({
    code: "access",
    description: `You do not have the '${title}' privilege required to perform this action.`,
  });
});

test("every change of a plugin emits an event after its commit and leaves a row in the log", async () => {
  await using at = await setUp();
  const seen: string[] = [];
  for (const type of ["plugin.created", "plugin.updated", "plugin.deleted"] as const)
    at.events.on(type, ({ id }) => void seen.push(`${type} ${id}`));
  await at.editor.createPlugin({ ...EVENT, id: "mine" });
  await at.editor.updatePlugin({ id: "mine", title: "Other" });
  await at.editor.deletePlugin({ id: "mine" });
  expect(seen).toEqual(["plugin.created mine", "plugin.updated mine", "plugin.deleted mine"]);
  expect((await at.activity()).slice(-3)).toMatchObject([
    { action: "plugin_create", username: "ktest", description: "Deploy", plugin: { id: "mine" } },
    { action: "plugin_update", description: "Other", plugin: { revision: 2 } },
    { action: "plugin_delete", keywords: ["mine", "ktest"] },
  ]);
});
