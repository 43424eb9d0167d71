import { describe, expect, test } from "vitest";
import * as z from "zod";
import { keyWith, refusalOf, START, startEngine } from "../../../../test/engine.ts";
import { shared } from "../../../../test/shared.ts";
import { admin, defineQuery } from "../../../kernel/calls/operation.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";
import { NoParameters } from "../../../wire/schemas/lists.ts";
import { activityCollection } from "../../activity/collection.ts";

const activityReader = definePlugin({
  id: "activity-reader",
  operations: [
    defineQuery({
      name: "read_activity",
      method: "GET",
      summary: "Read the log.",
      access: admin,
      input: NoParameters,
      output: z.object({ rows: z.array(z.looseObject({ action: z.string() })) }),
      handler: async (_input, { tx }) => ({ rows: await tx.collection(activityCollection).list() }),
    }),
  ],
});

const hook = { id: "ops", title: "Ops", url: "https://example.com/hook", method: "POST" };
const fault = (code: string, description: string) => ({ code, description });

describe("create_web_hook", () => {
  test("fills in the defaults and the stamps", async () => {
    await using engine = await startEngine();
    const { web_hook } = await engine
      .as(keyWith(["create_web_hooks"]))
      .createWebHook({ ...hook, extra: { kept: 1 } } as never);
    expect(web_hook).toEqual({
      ...hook,
      extra: { kept: 1 },
      enabled: true,
      body: "",
      timeout: 30,
      retries: 0,
      follow: false,
      ssl_cert_bypass: false,
      max_per_day: 0,
      icon: "",
      notes: "",
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
    expect(await engine.api.getWebHook({ id: "ops" })).toEqual({ web_hook });
  });

  test("creates an id with the prefix w", async () => {
    await using engine = await startEngine();
    const { web_hook } = await engine.api.createWebHook({ title: "T", url: "{{secrets.URL}}", method: "PUT" });
    expect(web_hook.id).toMatch(/^w[a-z0-9]{15}$/);
  });

  test("refuses a taken id", async () => {
    await using engine = await startEngine();
    await engine.api.createWebHook(hook);
    expect(await refusalOf(engine.api.createWebHook(hook))).toEqual(
      fault("web_hook", "That Web Hook ID already exists: ops"),
    );
  });

  test("needs its privilege", async () => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.as(keyWith(["edit_web_hooks"])).createWebHook(hook))).toEqual(
      fault("access", "You do not have the 'Create Web Hooks' privilege required to perform this action."),
    );
  });

  const unchanged = shared(startEngine);
  test.each<[object, string, string]>([
    [{ title: undefined }, "api", "Missing parameter: title"],
    [{ title: " " }, "api", "Malformed parameter: title"],
    [{ url: undefined }, "api", "Missing parameter: url"],
    [{ url: "ftp://example.com" }, "api", "Malformed parameter: url"],
    [{ url: "file:///etc/passwd" }, "api", "Malformed parameter: url"],
    [{ url: "https://" }, "api", "Malformed parameter: url"],
    [{ url: "https://exa mple.com/" }, "api", "Malformed parameter: url"],
    [{ url: "https://example.com:99999/{{ text }}" }, "api", "Malformed parameter: url"],
    [{ url: 5 }, "api", "Parameter is not type string: url"],
    [{ method: undefined }, "api", "Missing parameter: method"],
    [{ method: "GE T" }, "api", "Malformed parameter: method"],
    [{ timeout: 0 }, "api", "Malformed parameter: timeout"],
    [{ timeout: 3601 }, "api", "Malformed parameter: timeout"],
    [{ timeout: "30" }, "api", "Malformed parameter: timeout"],
    [{ timeout: "soon" }, "api", "Malformed parameter: timeout"],
    [{ retries: -1 }, "api", "Malformed parameter: retries"],
    [{ retries: 33 }, "api", "Malformed parameter: retries"],
    [{ max_per_day: -1 }, "api", "Malformed parameter: max_per_day"],
    [{ body: {} }, "api", "Parameter is not type string: body"],
    [{ headers: {} }, "web_hook", "Invalid header format for web hook: ops"],
    [{ headers: ["a"] }, "web_hook", "Invalid header format for web hook: ops"],
    [{ headers: [{ name: "A B", value: "" }] }, "web_hook", "Invalid header format for web hook: ops"],
    [{ headers: [{ name: "A{{x}}", value: "" }] }, "web_hook", "Invalid header format for web hook: ops"],
    [{ headers: [{ name: "A", value: 5 }] }, "web_hook", "Invalid header format for web hook: ops"],
  ])("refuses %j", async (members, code, description) => {
    const engine = await unchanged();
    const sent = { ...hook, ...members } as typeof hook;
    expect(await refusalOf(engine.api.createWebHook(sent))).toEqual(fault(code, description));
  });

  test.each<[string, object]>([
    ["body", { body: "{{ 1 + }}" }],
    ["url", { url: "https://example.com/{{ a. }}" }],
    ["header", { headers: [{ name: "A", value: "{{ ) }}" }] }],
    ["body", { body: "{{ text }}".repeat(1001) }],
  ])("refuses a macro in the %s that does not compile", async (part, members) => {
    await using engine = await startEngine();
    const { code, description } = await refusalOf(engine.api.createWebHook({ ...hook, ...members }));
    expect(code).toBe("web_hook");
    expect(description).toMatch(new RegExp(`^Failed to compile macro in ${part}: ops: \\w*Error: .`));
  });

  test("malformed input is reported before missing credentials", async () => {
    await using engine = await startEngine();
    const nobody = engine.as({});
    expect((await refusalOf(nobody.createWebHook({ ...hook, url: "x" }))).code).toBe("api");
    expect((await refusalOf(nobody.createWebHook(hook))).code).toBe("session");
  });
});

describe("update_web_hook", () => {
  test("merges the sent members and updates the stamps", async () => {
    await using engine = await startEngine();
    const { web_hook } = await engine.api.createWebHook(hook);
    await engine.clock.advance(5);
    await engine
      .as(keyWith(["edit_web_hooks"]))
      .updateWebHook({ id: "ops", timeout: 60, username: "mallory" } as never);
    expect(await engine.api.getWebHook({ id: "ops" })).toEqual({
      web_hook: { ...web_hook, timeout: 60, modified: START + 5, revision: 2 },
    });
  });

  test("adds text like +5 to a number, within the bounds", async () => {
    await using engine = await startEngine();
    await engine.api.createWebHook(hook);
    await engine.api.updateWebHook({ id: "ops", timeout: "+5" });
    expect((await engine.api.getWebHook({ id: "ops" })).web_hook.timeout).toBe(35);
    expect(await refusalOf(engine.api.updateWebHook({ id: "ops", timeout: "-40" }))).toEqual(
      fault("api", "Malformed parameter: timeout"),
    );
    expect((await engine.api.getWebHook({ id: "ops" })).web_hook).toMatchObject({ timeout: 35, revision: 2 });
  });

  const unchanged = shared(async () => {
    const engine = await startEngine();
    await engine.api.createWebHook(hook);
    return engine;
  });
  test.each<[object, string, string]>([
    [{ id: "nope" }, "web_hook", "Failed to update web hook: Error: Item not found"],
    [{ url: "gopher://x" }, "api", "Malformed parameter: url"],
    [{ url: "http://[::1" }, "api", "Malformed parameter: url"],
    [{ method: "" }, "api", "Malformed parameter: method"],
    [{ retries: "many" }, "api", "Malformed parameter: retries"],
    [{ headers: "x" }, "web_hook", "Invalid header format for web hook: ops"],
    [{ title: "" }, "api", "Malformed parameter: title"],
  ])("refuses %j", async (members, code, description) => {
    const engine = await unchanged();
    expect(await refusalOf(engine.api.updateWebHook({ id: "ops", ...members }))).toEqual(fault(code, description));
  });

  test("refuses a body that does not compile and keeps the old one", async () => {
    await using engine = await startEngine();
    await engine.api.createWebHook({ ...hook, body: "{{text}}" });
    expect((await refusalOf(engine.api.updateWebHook({ id: "ops", body: "{{ ( }}" }))).code).toBe("web_hook");
    expect((await engine.api.getWebHook({ id: "ops" })).web_hook).toMatchObject({ body: "{{text}}", revision: 1 });
  });
});

describe("reading and deleting web hooks", () => {
  test("a fresh store has the disabled example", async () => {
    await using engine = await startEngine();
    const { rows, list } = await engine.as(keyWith([])).getWebHooks();
    expect(list).toEqual({ length: 1 });
    expect(rows[0]).toMatchObject({ id: "example_hook", enabled: false, username: "admin" });
  });

  test("presets can be disabled", async () => {
    await using engine = await startEngine({ config: { presets: false } });
    expect(await engine.api.getWebHooks()).toEqual({ rows: [], list: { length: 0 } });
  });

  test("an unknown hook is not found", async () => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.api.getWebHook({ id: "nope" }))).toEqual(
      fault("notfound", "Failed to locate web hook: nope"),
    );
    expect(await refusalOf(engine.api.deleteWebHook({ id: "nope" }))).toEqual(
      fault("web_hook", "Failed to delete web hook: Error: Item not found"),
    );
  });

  test("a deleted hook is not found", async () => {
    await using engine = await startEngine();
    await engine.as(keyWith(["delete_web_hooks"])).deleteWebHook({ id: "example_hook" });
    expect((await engine.api.getWebHooks()).rows).toEqual([]);
  });

  test("every change of a web hook emits an event after its commit and leaves a row in the log", async () => {
    await using engine = await startEngine({ plugins: [activityReader] });
    const seen: string[] = [];
    for (const type of ["web_hook.created", "web_hook.updated", "web_hook.deleted"] as const)
      engine.events.on(type, ({ id }) => void seen.push(`${type} ${id}`));
    await engine.api.createWebHook(hook);
    await engine.api.updateWebHook({ id: "ops", title: "New" });
    await engine.api.deleteWebHook({ id: "ops" });
    await refusalOf(engine.api.deleteWebHook({ id: "ops" }));
    expect(seen).toEqual(["web_hook.created ops", "web_hook.updated ops", "web_hook.deleted ops"]);
    const { rows } = await engine.api.readActivity();
    expect(rows.slice(-3)).toMatchObject([
      { action: "web_hook_create", username: "system", description: "Ops", web_hook: { id: "ops", revision: 1 } },
      { action: "web_hook_update", description: "New", web_hook: { title: "New", revision: 2 } },
      { action: "web_hook_delete", keywords: ["ops", "system"] },
    ]);
  });
});
