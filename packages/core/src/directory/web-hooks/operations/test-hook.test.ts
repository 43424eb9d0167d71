import { describe, expect, test } from "vitest";
import { setUpHook } from "../../../../test/directory/hook-setup.ts";
import { keyWith, refusalOf } from "../../../../test/engine.ts";

const editor = keyWith(["edit_web_hooks"]);
const draft = { id: "draft", title: "Draft", url: "https://example.com/{{path}}", method: "POST" };

describe("test_web_hook", () => {
  test("sends an unsaved hook with sample data", async () => {
    await using at = await setUpHook({ steps: [{ status: 201, statusText: "Created" }] });
    const body = "{{text}}|{{content}}|{{message}}|{{anything.else}}";
    const { result } = await at.engine.as(editor).testWebHook({ ...draft, body });
    const sample = "Web Hook Test: Draft";
    expect(at.client.sent[0]).toMatchObject({
      url: "https://example.com/Web%20Hook%20Test:%20Draft",
      body: `${sample}|${sample}|${sample}|${sample}`,
      timeoutMs: 30_000,
      followRedirects: false,
    });
    expect(result).toMatchObject({ code: 0, description: "Success (HTTP 201 Created)" });
    expect(result.details).toContain("201 Created");
    expect((await at.engine.api.getWebHooks()).rows.map(({ id }) => id)).not.toContain("draft");
  });

  test("merges the sent members into the saved hook", async () => {
    await using at = await setUpHook({ hook: { body: "saved", timeout: 7 } });
    await at.engine.as(editor).testWebHook({ ...draft, id: "ops", method: "PUT" });
    expect(at.client.sent[0]).toMatchObject({ method: "PUT", body: "saved", timeoutMs: 7000 });
    expect((await at.engine.api.getWebHook({ id: "ops" })).web_hook).toMatchObject({ method: "POST", revision: 1 });
  });

  test("ignores whether it is enabled and the daily limit, and counts nothing", async () => {
    await using at = await setUpHook({ hook: { enabled: false, max_per_day: 1 } });
    const hook = { id: "ops", title: "Ops", url: "https://example.com/a", method: "POST" };
    for (let count = 0; count < 3; count++) await at.engine.as(editor).testWebHook(hook);
    await at.engine.api.updateWebHook({ id: "ops", enabled: true });
    expect(await at.sender.fire("ops", {})).toMatchObject({ code: 0 });
  });

  test("a failed request is refused with the code webhook", async () => {
    await using at = await setUpHook({ steps: [{ status: 500, statusText: "Oops" }] });
    expect(await refusalOf(at.engine.as(editor).testWebHook({ ...draft, url: "https://example.com/a" }))).toEqual({
      code: "webhook",
      description: "Error: HTTP 500 Oops: https://example.com/a",
    });
  });

  test("ends after the time limit of an action, however many attempts are left", async () => {
    await using at = await setUpHook({ steps: [{ status: 503 }] });
    const done = refusalOf(at.engine.api.testWebHook({ ...draft, retries: 32 }));
    await at.engine.clock.advance(299);
    const before = at.client.sent.length;
    await at.engine.clock.advance(600);
    expect((await done).code).toBe("webhook");
    expect(at.client.sent.length - before).toBeLessThan(2);
  });

  test.each<[object, string, string]>([
    [{ id: undefined }, "api", "Missing parameter: id"],
    [{ title: undefined }, "api", "Missing parameter: title"],
    [{ url: "file:///etc/passwd" }, "api", "Malformed parameter: url"],
    [{ method: "G E T" }, "api", "Malformed parameter: method"],
    [{ timeout: 0 }, "api", "Malformed parameter: timeout"],
    [{ headers: {} }, "web_hook", "Invalid header format for web hook: draft"],
  ])("refuses %j", async (members, code, description) => {
    await using at = await setUpHook();
    expect(await refusalOf(at.engine.api.testWebHook({ ...draft, ...members } as typeof draft))).toEqual({
      code,
      description,
    });
    expect(at.client.sent).toEqual([]);
  });
});

describe("a hook that carries secrets", () => {
  const needsAdmin = {
    code: "access",
    description: "You do not have the 'Administrator' privilege required to perform this action.",
  };
  const stored = { id: "ops", title: "Ops", url: "https://example.com/a", method: "POST", body: "{{secrets.T}}" };

  async function setUp() {
    const at = await setUpHook({ hook: stored });
    const fields = [{ name: "T", value: "tok3n" }];
    await at.engine.api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["ops"] });
    return at;
  }

  const changes: [string, object][] = [
    ["url", { url: "https://evil.example/" }],
    ["method", { method: "PUT" }],
    ["headers", { headers: [{ name: "X", value: "{{secrets.T}}" }] }],
    ["body", { body: "{{secrets.T[0]}}" }],
    ["follow", { follow: true }],
    ["ssl_cert_bypass", { ssl_cert_bypass: 1 }],
    ["sign_with", { sign_with: "T" }],
  ];

  test.each(changes)("may be sent elsewhere by administrators alone: %s", async (_member, change) => {
    await using at = await setUp();
    const asEditor = at.engine.as(editor);
    expect(await refusalOf(asEditor.updateWebHook({ id: "ops", ...change }))).toEqual(needsAdmin);
    expect(await refusalOf(asEditor.testWebHook({ ...stored, ...change }))).toEqual(needsAdmin);
    expect(at.client.sent).toEqual([]);
    expect((await at.engine.api.getWebHook({ id: "ops" })).web_hook).toMatchObject({ ...stored, revision: 1 });
    await at.engine.as(keyWith(["admin"])).updateWebHook({ id: "ops", ...change });
    expect((await at.engine.api.getWebHook({ id: "ops" })).web_hook).toMatchObject(change);
  });

  test("may be tested as stored and otherwise changed by editors", async () => {
    await using at = await setUp();
    await at.engine.as(editor).testWebHook(stored);
    expect(at.client.sent[0]?.body).toBe("tok3n");
    await at.engine.as(editor).updateWebHook({ ...stored, title: "New", headers: [], follow: 0, timeout: 9 });
    expect((await at.engine.api.getWebHook({ id: "ops" })).web_hook).toMatchObject({ title: "New", timeout: 9 });
  });

  test("cannot be created again by others if a secret is assigned to its id", async () => {
    await using at = await setUpHook();
    const fields = [{ name: "T", value: "tok3n" }];
    await at.engine.api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["later"] });
    const hook = { ...stored, id: "later" };
    expect(await refusalOf(at.engine.as(keyWith(["create_web_hooks"])).createWebHook(hook))).toEqual(needsAdmin);
    await at.engine.as(keyWith(["admin"])).createWebHook(hook);
  });

  test("has no secrets in a test under an id that was never saved", async () => {
    await using at = await setUpHook();
    const fields = [{ name: "T", value: "tok3n" }];
    await at.engine.api.createSecret({ id: "z1", title: "Z", fields, web_hooks: ["later"] });
    await at.engine.as(editor).testWebHook({ ...stored, id: "later" });
    expect(at.client.sent[0]?.body).toBe("Web Hook Test: Ops");
  });
});
