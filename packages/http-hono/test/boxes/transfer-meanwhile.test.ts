import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fsBlobStore } from "@signalbox/adapters/blobs";
import type { BlobStore } from "@signalbox/core/adapter";
import { expect, onTestFinished, test } from "vitest";
import { type Any, KEY, openBox } from "./transfer-box.ts";

const STAMPS = { username: "x", created: 1, modified: 1 };

test("an import keeps a stored record when the file has a malformed one instead", async () => {
  const at = await openBox("memory");
  for (const id of ["named", "left"]) await at.post("create_tag", { id, title: id });
  const items = [
    { id: "named", title: 7 },
    { id: "new", title: "New", ...STAMPS },
  ];
  const lines = [
    { cmd: "listDelete", args: ["global/tags", false] },
    { key: "global/tags/0", value: { type: "list_page", items } },
  ];
  const { report } = await at.importBytes(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(report).toContain("Malformed record named in tags");
  const { body } = await at.admin.get("get_tags/v1");
  expect(body.rows.map(({ id }: Any) => id)).toEqual(["named", "new"]);
});

const listOf = (list: string, ...items: readonly object[]): string =>
  [
    { cmd: "listDelete", args: [`global/${list}`, false] },
    { key: `global/${list}/0`, value: { type: "list_page", items } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

test("an import keeps the key of its caller when the file does not have it, and says so", async () => {
  const at = await openBox("memory");
  const keys = async (): Promise<Any> => (await at.dump()).records["api_keys"];
  const [own, record] = Object.entries(await keys())[0] as [string, Any];
  const other = { ...record, id: "other" };
  const { report } = await at.importBytes(listOf("api_keys", other));
  expect(report).toContain(`Kept in api_keys, so that nobody is locked out: ${own}`);
  expect(await keys()).toEqual({ [own]: record, other });
});

test("an import keeps the account of its caller beside the administrators of the file", async () => {
  const at = await openBox("memory", { config: { User: { cookie_settings: false } } });
  const account = { full_name: "Ann", email: "ann@example.com", password: "pass word 9", privileges: { admin: true } };
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const json = (body: object) => ({ method: "POST", headers, body: JSON.stringify(body) });
  await at.send("/api/user/admin_create/v1", json({ username: "ann", ...account }));
  const login = await at.send("/api/user/login/v1", json({ username: "ann", password: account.password }));
  const form = new FormData();
  const joe = { ...STAMPS, username: "joe", active: 1, password: "x", privileges: { admin: true } };
  const file = `${listOf("users", { username: "joe" })}${JSON.stringify({ key: "users/joe", value: joe })}\n`;
  form.set("file1", new File([file], "backup.txt"));
  const session = { "x-session-id": login.body.session_id };
  const { body } = await at.send("/api/app/admin_import_data/v1", { method: "POST", headers: session, body: form });
  expect(body).toMatchObject({ code: 0 });
  await at.until(() => !at.cradle.internalJobs.list().some(({ id }) => id === body.id));
  expect(await at.reportOf(body.id)).toContain("Kept in users, so that nobody is locked out: ann");
  expect(Object.keys((await at.dump()).records["users"] ?? {}).sort()).toEqual(["ann", "joe"]);
});

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A blob store in its own folder; `meanwhile` runs once between looking up a file and reading it. */
function openBlobs() {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = fsBlobStore(folder);
  const meanwhile = new Map<string, () => Promise<unknown>>();
  const blobs: BlobStore = {
    ...store,
    async get(key, range) {
      const found = await store.get(key, range);
      await meanwhile.get(key)?.();
      meanwhile.delete(key);
      return found;
    },
  };
  return { blobs, meanwhile, store };
}

test("an export continues when files of tickets are replaced and deleted meanwhile", async () => {
  const { blobs, meanwhile, store } = openBlobs();
  const at = await openBox("memory", { blobs });
  const { body } = await at.post("create_ticket", { subject: "Files" });
  const keyOf = (name: string) => `files/${body.ticket.id}/admin/${name.repeat(43)}/a.txt`;
  for (const name of ["a", "b", "c"]) await store.put(keyOf(name), once(name));
  meanwhile.set(keyOf("a"), () => store.put(keyOf("a"), once("replaced")));
  meanwhile.set(keyOf("b"), () => store.delete(keyOf("b")));
  const text = gunzipSync((await at.fetchExport("extras=ticket_files")).bytes).toString();
  const files = text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  expect(files.map(({ key, value }) => [key, Buffer.from(value, "base64").toString()])).toEqual([
    [keyOf("a"), "replaced"],
    [keyOf("c"), "c"],
  ]);
});
