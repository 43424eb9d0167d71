import { expect, test } from "vitest";
import { rightsWithRoles } from "../../src/directory/access/rules/effective.ts";
import { processIdentity } from "../../src/directory/plugins/rules/process-identity.ts";
import type { WebHook } from "../../src/directory/web-hooks/model.ts";
import { settingsOf } from "../../src/directory/web-hooks/services/sending/request.ts";
import { refusalOf, startEngine } from "../engine.ts";

/** Optional members by kind; each is sent as `null` by itself. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  web_hook: [
    ...["enabled", "headers", "body", "timeout", "retries", "follow", "ssl_cert_bypass", "sign_with", "max_per_day"],
    ...["icon", "notes"],
  ],
  channel: ["enabled", "users", "email", "web_hook", "run_event", "sound", "max_per_day", "icon", "notes"],
  plugin: [
    ...["enabled", "script", "params", "groups", "format", "quick", "uid", "gid", "kill", "runner", "cwd", "stock"],
    ...["timeout", "icon", "notes"],
  ],
  category: ["enabled", "color", "actions", "limits", "icon", "notes"],
  role: ["enabled", "icon", "notes"],
  api_key: ["description", "active", "roles", "categories", "groups", "expires", "max_per_sec"],
};
const REQUIRED: Readonly<Record<string, object>> = {
  web_hook: { title: "T", url: "https://hooks.example/a", method: "POST" },
  plugin: { title: "T", type: "event", command: "/bin/sh" },
};

test.each(Object.keys(OPTIONAL))(
  "an update of a %s stores null for optional members, and none for others",
  async (kind) => {
    await using engine = await startEngine();
    const call = (verb: string, input: object) =>
      engine.execute({ operation: `${verb}_${kind}`, input, actor: ADMIN }) as Promise<Record<string, Stored>>;
    const members = REQUIRED[kind] ?? { title: "T" };
    const nulls = Object.fromEntries((OPTIONAL[kind] ?? []).map((member) => [member, null]));
    const { [kind]: made } = await call("create", members);
    await call("update", { id: made?.id, ...nulls });
    expect((await call("get", { id: made?.id }))[kind]).toMatchObject(nulls);
    for (const member of Object.keys(members))
      expect(await refusalOf(call("update", { id: made?.id, [member]: null }))).toEqual({
        code: "api",
        description: `Missing parameter: ${member}`,
      });
    await call("create", { ...members, ...nulls });
  },
);

test("null for the rights of a role or a key stands for none", async () => {
  await using engine = await startEngine();
  const none = { privileges: null, categories: null, groups: null } as never as object;
  const given = { title: "T", privileges: { run_jobs: true }, categories: ["general"], groups: ["main"] };
  const { role } = await engine.api.createRole(given);
  await engine.api.updateRole({ id: role.id, ...none });
  const bare = { privileges: {}, categories: [], groups: [] };
  expect((await engine.api.getRole({ id: role.id })).role).toMatchObject(bare);
  const { api_key, plain_key } = await engine.api.createApiKey({ ...given, roles: [role.id] });
  await engine.api.updateApiKey({ id: api_key.id, ...none, roles: null });
  expect((await engine.as({ apiKey: plain_key }).getTags()).rows.length).toBeGreaterThan(0);
  expect((await refusalOf(engine.as({ apiKey: plain_key }).createTag({ title: "T" }))).code).toBe("access");
});

test("null is read as though the member were absent", () => {
  const hook = { id: "w1", timeout: null, retries: 2 } as Partial<WebHook> as WebHook;
  expect(settingsOf(hook, { timeout: 7, retries: 5 })).toEqual({ id: "w1", timeout: 7, retries: 2 });
  const nobody = { cwd: null, uid: null, gid: null };
  expect(processIdentity(nobody, { uid: "www", gid: "" })).toEqual({ cwd: "", uid: "www" });
  const role = { id: "ops", enabled: null, privileges: { run_jobs: true }, categories: null };
  const rights = { privileges: { run_jobs: true }, categories: [], groups: [] };
  expect(rightsWithRoles({ roles: ["ops"], groups: null }, [role])).toEqual(rights);
});

interface Stored {
  readonly id: string;
}
const ADMIN = {
  ...{ kind: "system", id: "system", title: "", privileges: { admin: true }, categories: [], groups: [] },
} as never;
