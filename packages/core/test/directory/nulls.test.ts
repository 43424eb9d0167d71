import { expect, test } from "vitest";
import { rightsWithRoles } from "../../src/directory/access/rules/effective.ts";
import { processIdentity } from "../../src/directory/plugins/rules/process-identity.ts";
import type { WebHook } from "../../src/directory/web-hooks/model.ts";
import { settingsOf } from "../../src/directory/web-hooks/services/sending/request.ts";
import { refusalOf, startEngine } from "../engine.ts";

test("null for the rights of a role or a key means none", async () => {
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

test("null is treated like an absent member", () => {
  const hook = { id: "w1", timeout: null, retries: 2 } as Partial<WebHook> as WebHook;
  expect(settingsOf(hook, { timeout: 7, retries: 5 })).toEqual({ id: "w1", timeout: 7, retries: 2 });
  const nobody = { cwd: null, uid: null, gid: null };
  expect(processIdentity(nobody, { uid: "www", gid: "" })).toEqual({ cwd: "", uid: "www" });
  const role = { id: "ops", enabled: null, privileges: { run_jobs: true }, categories: null };
  const rights = { privileges: { run_jobs: true }, categories: [], groups: [] };
  expect(rightsWithRoles({ roles: ["ops"], groups: null }, [role])).toEqual(rights);
});
