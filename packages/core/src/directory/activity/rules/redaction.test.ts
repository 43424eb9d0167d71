import * as fc from "fast-check";
import { expect, test } from "vitest";
import { withoutCredentialHeaders, withoutCredentials } from "./redaction.ts";

const SECRET = "hunter2-hunter2";
const names = ["password", "salt", "key", "plain_key", "session_id", "sessionId", "csrf_token", "recovery_key"];
const more = [
  "secret_key",
  "token",
  "auth_token",
  "api_key",
  "Authorization",
  "X-API-Key",
  "Cookie",
  "secrets",
  "secret",
];

test("credentials are removed at any depth, and nothing else is lost", async () => {
  const hidden = fc.dictionary(fc.constantFrom(...names, ...more), fc.constant(SECRET), { maxKeys: 4 });
  const { tree } = fc.letrec<{ tree: unknown; node: Record<string, unknown>; plain: unknown }>((tie) => ({
    plain: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom("a", "b")),
    node: fc
      .tuple(fc.dictionary(fc.constantFrom("a", "b", "c"), tie("tree"), { maxKeys: 3 }), hidden)
      .map(([visible, secret]) => ({ ...visible, ...secret })),
    tree: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      tie("plain"),
      tie("node"),
      fc.array(tie("tree"), { maxLength: 3 }),
    ),
  }));
  const visible = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visible);
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([name]) => ["a", "b", "c"].includes(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, visible(member)]));
  };
  await fc.assert(
    fc.property(tree, (value) => {
      const clean = withoutCredentials({ event: value });
      expect(JSON.stringify(clean)).not.toContain(SECRET);
      expect(clean["event"]).toEqual(visible(value));
    }),
  );
});

test("the record of an API key stays without its key, and a plain key is removed", () => {
  expect(withoutCredentials({ api_key: { id: "k1", title: "K", key: "hash", mask: "ab••" } })).toEqual({
    api_key: { id: "k1", title: "K", mask: "ab••" },
  });
  expect(withoutCredentials({ api_key: "plain" })).toEqual({});
});

test("only metadata of a secret stays, at any depth", () => {
  const secret = {
    id: "z1",
    title: "S",
    names: ["A"],
    fields: [{ name: "A", value: SECRET }],
    value: SECRET,
    tag: "t",
  };
  const metadata = { id: "z1", title: "S", names: ["A"] };
  expect(withoutCredentials({ secret })).toEqual({ secret: metadata });
  expect(withoutCredentials({ job: { list: [{ secret }] } })).toEqual({ job: { list: [{ secret: metadata }] } });
});

test("a list of secrets stays, and a map of their values is removed", () => {
  expect(withoutCredentials({ event: { secrets: ["z1"] }, job: { secrets: { A: SECRET } } })).toEqual({
    event: { secrets: ["z1"] },
    job: {},
  });
});

test("headers of web hooks lose the values that authenticate", () => {
  const headers = [
    { name: "Authorization", value: `Bearer ${SECRET}` },
    { name: "Accept", value: "*/*" },
  ];
  expect(withoutCredentials({ web_hook: { headers } })).toEqual({
    web_hook: { headers: [{ name: "Authorization" }, { name: "Accept", value: "*/*" }] },
  });
});

test("headers of a request lose their credentials, here and elsewhere", () => {
  const plain = ["accept", "host", "origin", "user-agent", "x-forwarded-for", "x-forwarded-user", "x-request-id"];
  const secret = [
    ...["authorization", "cookie", "x-api-key", "x-session-id", "x-csrf-token", "proxy-authorization"],
    ...["x-forwarded-access-token", "x-auth-request-access-token", "x-vault-token", "x-ms-token-aad-id-token"],
    ...["cf-access-jwt-assertion", "x-goog-iap-jwt-assertion", "x-amzn-oidc-accesstoken", "x-amzn-oidc-data"],
  ];
  const headers = Object.fromEntries([...plain, ...secret].map((name) => [name, SECRET]));
  expect(Object.keys(withoutCredentialHeaders(headers))).toEqual(plain);
});

test("the member that a change of a ticket names stays", () => {
  const change = { type: "change", key: "status", value: "open" };
  expect(withoutCredentials({ ticket: { changes: [change] }, change })).toEqual({
    ticket: { changes: [change] },
    change,
  });
});

test("values deeper than any record are left out instead of overflowing the stack", () => {
  let deep: unknown = { a: 1 };
  for (let level = 0; level < 50_000; level++) deep = { a: deep };
  expect(JSON.stringify(withoutCredentials({ event: deep })).length).toBeLessThan(1000);
});

test("a row contains a bounded number of members", () => {
  const list = Array.from({ length: 150_000 }, () => 1);
  expect((withoutCredentials({ event: { list } })["event"] as { list: unknown[] }).list.length).toBeLessThan(100_001);
});

test("the given detail is not changed", () => {
  const detail = { user: { username: "joe", password: SECRET } };
  expect(withoutCredentials(detail)).toEqual({ user: { username: "joe" } });
  expect(detail.user.password).toBe(SECRET);
});
