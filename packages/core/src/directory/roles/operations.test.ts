import { describe, expect, test } from "vitest";
import { startWithAccounts } from "../../../test/directory/accounts.ts";
import { keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";

const adminOnly = {
  code: "access",
  description: "You do not have the 'Administrator' privilege required to perform this action.",
};
const account = "You do not have the required account privileges to access";
const ALL = ["create_roles", "edit_roles", "delete_roles"];

describe("roles", () => {
  test("begin with the role for all users, which no one holds", async () => {
    await using at = await startWithAccounts();
    const { rows } = await at.as(keyWith([])).getRoles();
    const privileges = { create_events: true, edit_events: true, run_jobs: true, tag_jobs: true };
    expect(rows).toMatchObject([{ id: "all", title: "All Users", enabled: true, privileges, username: "admin" }]);
    expect(await at.user("admin")).toMatchObject({ roles: [] });
  });

  test("with more than a thousand privileges are malformed", async () => {
    await using at = await startEngine({ config: { presets: false } });
    const privileges = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`p${at}`, true]));
    const refused = { code: "api", description: "Malformed parameter: privileges" };
    expect(await refusalOf(at.api.createRole({ title: "Ops", privileges }))).toEqual(refused);
    expect(await refusalOf(at.api.createApiKey({ title: "Ops", privileges }))).toEqual(refused);
  });

  test("are created, read, changed and deleted by callers with the privileges", async () => {
    await using at = await startEngine({ config: { presets: false } });
    const who = at.as(keyWith([...ALL, "run_jobs"]));
    const sent = { run_jobs: 1, abort_jobs: 0, edit_tags: null, create_tags: "" };
    const { role } = await who.createRole({ title: "Ops", privileges: sent as never });
    expect(role).toEqual({
      id: expect.stringMatching(/^r[a-z0-9]{15}$/),
      title: "Ops",
      enabled: true,
      icon: "",
      notes: "",
      privileges: { run_jobs: true },
      categories: [],
      groups: [],
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
    await at.clock.advance(3);
    expect(await who.updateRole({ id: role.id, privileges: {}, categories: ["c1"] })).toEqual({});
    const changed = { ...role, privileges: {}, categories: ["c1"], modified: START + 3, revision: 2 };
    expect((await who.getRole({ id: role.id })).role).toEqual(changed);
    expect(await who.deleteRole({ id: role.id })).toEqual({});
    expect((await who.getRoles()).rows).toEqual([]);
  });

  test("leave rows in the log and emit events", async () => {
    await using at = await startWithAccounts();
    const events: unknown[] = [];
    for (const type of ["role.created", "role.updated", "role.deleted"] as const)
      at.events.on(type, (payload) => void events.push([type, payload]));
    await at.api.createRole({ id: "ops", title: "Ops" });
    await at.api.updateRole({ id: "ops", title: "Operators" });
    await at.api.deleteRole({ id: "ops" });
    expect((await at.activity()).slice(-3)).toMatchObject([
      { action: "role_create", description: "Ops", keywords: ["ops", "system"], role: { id: "ops" } },
      { action: "role_update", description: "Operators", role: { revision: 2 } },
      { action: "role_delete", role: { title: "Operators" } },
    ]);
    const id = "ops";
    expect(events).toEqual([
      ["role.created", { id }],
      ["role.updated", { id }],
      ["role.deleted", { id }],
    ]);
  });

  const unchanged = shared(startEngine);
  test.each<[object, string]>([
    [{}, "Missing parameter: title"],
    [{ title: "T", privileges: ["a"] }, "Parameter is not type object: privileges"],
    [{ title: "T", privileges: { a: {} } }, "Malformed parameter: privileges"],
    [{ title: "T", categories: "c1" }, "Parameter is not an array: categories"],
    [{ title: "T", groups: { g1: true } }, "Parameter is not an array: groups"],
    [{ title: "T", enabled: "on" }, "Malformed parameter: enabled"],
    [{ title: "T", id: "A-B" }, "Malformed parameter: id"],
  ])("are not created with %o", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createRole(input as never))).toEqual({ code: "api", description });
  });

  test("with unknown or taken ids are refused with the contract's messages", async () => {
    await using at = await startEngine();
    expect(await refusalOf(at.api.getRole({ id: "r0" }))).toEqual({
      code: "notfound",
      description: "Failed to locate role: r0",
    });
    expect(await refusalOf(at.api.updateRole({ id: "r0" }))).toEqual({
      code: "role",
      description: "Failed to update role: Error: Item not found",
    });
    expect(await refusalOf(at.api.deleteRole({ id: "r0" }))).toEqual({
      code: "role",
      description: "Failed to delete role: Error: Item not found",
    });
    expect(await refusalOf(at.api.createRole({ id: "all", title: "T" }))).toEqual({
      code: "role",
      description: "That Role ID already exists: all",
    });
  });
});

describe("the writer of a role", () => {
  test("can make no one an administrator without being one", async () => {
    await using at = await startEngine();
    await at.api.createRole({ id: "boss", title: "Boss", privileges: { admin: true } });
    await at.api.createRole({ id: "ops", title: "Ops" });
    const who = at.as(keyWith(ALL));
    const privileges = { admin: true };
    expect(await refusalOf(who.createRole({ title: "T", privileges }))).toEqual(adminOnly);
    expect(await refusalOf(who.createRole({ title: "T", privileges, enabled: false }))).toEqual(adminOnly);
    expect(await refusalOf(who.updateRole({ id: "ops", privileges }))).toEqual(adminOnly);
    expect(await refusalOf(who.updateRole({ id: "boss", title: "T" }))).toEqual(adminOnly);
    expect(await refusalOf(who.deleteRole({ id: "boss" }))).toEqual(adminOnly);
    expect((await at.api.getRoles()).rows.map(({ id, revision }) => [id, revision])).toEqual([
      ["all", 1],
      ["boss", 1],
      ["ops", 1],
    ]);
  });

  test("gives only privileges, categories and groups that the writer has", async () => {
    await using at = await startEngine();
    const who = at.as(keyWith([...ALL, "run_jobs"], { categories: ["c1"], groups: ["g1"] }));
    const refused = async (input: object) => (await refusalOf(who.createRole({ title: "T", ...input }))).description;
    expect(await refused({ privileges: { abort_jobs: true } })).toBe(
      "You do not have the 'Abort Jobs' privilege required to perform this action.",
    );
    expect(await refused({ privileges: { made_up: 1 } })).toContain("'(made_up)' privilege");
    expect(await refused({ categories: ["c1", "c2"] })).toBe(`${account} category ID c2.`);
    expect(await refused({ groups: ["*"] })).toBe(`${account} group ID *.`);
    const fine = { id: "fine", title: "T", privileges: { run_jobs: true }, categories: ["c1"], groups: ["g1"] };
    await who.createRole(fine);
    const widen = async (input: object) => (await refusalOf(who.updateRole({ id: "fine", ...input }))).description;
    expect(await widen({ categories: [] })).toBe(`${account} category ID *.`);
    expect(await widen({ enabled: false })).toBe(`${account} category ID *.`);
    expect((await refusalOf(who.deleteRole({ id: "fine" }))).description).toBe(`${account} category ID *.`);
    expect(await who.updateRole({ id: "fine", title: "New" })).toEqual({});
  });

  test("cannot remove the own restrictions through the role that they come from", async () => {
    await using at = await startWithAccounts();
    await at.api.createRole({ id: "own", title: "Own", privileges: { edit_roles: true }, categories: ["c1"] });
    const { plain_key } = await at.api.createApiKey({ title: "K", roles: ["own"] });
    const who = at.as({ apiKey: plain_key });
    for (const sent of [{ categories: [] }, { categories: ["c2"] }, { enabled: 0 }])
      expect((await refusalOf(who.updateRole({ id: "own", ...sent }))).code).toBe("access");
    expect((await who.getCategories()).rows).toEqual([]);
  });
});

describe("the holders of a role", () => {
  test("lose it permanently when it is deleted, users and keys alike", async () => {
    await using at = await startWithAccounts();
    await at.api.createRole({ id: "ops", title: "Ops", privileges: { create_tags: true } });
    await at.addUser("joe", { roles: ["all", "ops"] });
    const { api_key, plain_key } = await at.api.createApiKey({ title: "K", roles: ["ops"] });
    await at.as({ apiKey: plain_key }).createTag({ title: "One" });
    await at.api.deleteRole({ id: "ops" });
    expect((await at.user("joe"))?.roles).toEqual(["all"]);
    expect((await at.api.getApiKey({ id: api_key.id })).api_key.roles).toEqual([]);
    await at.api.createRole({ id: "ops", title: "Ops", privileges: { create_tags: true } });
    expect((await refusalOf(at.as({ apiKey: plain_key }).createTag({ title: "Two" }))).code).toBe("access");
  });

  test("have changed rights with their next request", async () => {
    await using at = await startWithAccounts();
    await at.api.createRole({ id: "ops", title: "Ops" });
    const { plain_key } = await at.api.createApiKey({ title: "K", roles: ["ops"] });
    const who = at.as({ apiKey: plain_key });
    expect((await refusalOf(who.createTag({ title: "T" }))).code).toBe("access");
    await at.api.updateRole({ id: "ops", privileges: { create_tags: true } });
    expect((await who.createTag({ title: "T" })).tag.title).toBe("T");
    await at.api.updateRole({ id: "ops", enabled: false });
    expect((await refusalOf(who.createTag({ title: "T" }))).code).toBe("access");
  });
});
