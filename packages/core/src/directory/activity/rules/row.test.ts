import { describe, expect, test } from "vitest";
import { buildActivity } from "./row.ts";

const origin = {
  id: "a1",
  now: 100,
  username: "joe.doe",
  ip: "10.0.0.1",
  ips: ["10.0.0.1", "192.0.2.7"],
  headers: { accept: "*/*" },
  userAgent: "curl",
};

describe("a row of the log", () => {
  test("contains the object, its title, the user and the addresses", () => {
    const row = buildActivity({ action: "tag_create", detail: { tag: { id: "t1", title: "Tag" } } }, origin);
    expect(row).toEqual({
      id: "a1",
      action: "tag_create",
      epoch: 100,
      description: "Tag",
      username: "joe.doe",
      ip: "10.0.0.1",
      ips: ["10.0.0.1", "192.0.2.7"],
      headers: { accept: "*/*" },
      useragent: "curl",
      keywords: ["t1", "joe_doe", "10.0.0.1", "192.0.2.7"],
      tag: { id: "t1", title: "Tag" },
    });
  });

  test("uses a given description and given keywords instead of the object's", () => {
    const detail = { description: "", keywords: ["x", 5], updated: ["sort_order"], tag: { id: "t1", title: "Tag" } };
    const row = buildActivity({ action: "m", detail }, origin);
    expect(row).toMatchObject({ description: "", updated: ["sort_order"] });
    expect(row.keywords.slice(0, 2)).toEqual(["x", "5"]);
  });

  test("needs no object", () => {
    expect(buildActivity({ action: "notice", detail: {} }, origin)).toMatchObject({
      description: "",
      keywords: ["joe_doe", "10.0.0.1", "192.0.2.7"],
    });
  });

  test("names the account that an administrator acted on, and the administrator", () => {
    const row = buildActivity(
      { action: "user_update", detail: { account: "j.doe", admin: "the boss", user: {} } },
      origin,
    );
    expect(row).toMatchObject({ username: "j.doe", admin: "the boss" });
    expect(row).not.toHaveProperty("account");
    expect(row.keywords).toEqual(["j_doe", "the_boss", "10.0.0.1", "192.0.2.7"]);
  });

  test("cannot be forged by members of the detail", () => {
    const detail = { id: "x", action: "y", epoch: 1, username: "z", ip: "0", headers: {} };
    expect(buildActivity({ action: "real", detail }, origin)).toMatchObject({
      id: "a1",
      action: "real",
      epoch: 100,
      username: "joe.doe",
      ip: "10.0.0.1",
      headers: { accept: "*/*" },
    });
  });
});

describe("the account and the cause of a row", () => {
  const rowOf = (username: string, detail: Record<string, unknown>) =>
    buildActivity({ action: "user_update", detail }, { ...origin, username });

  test("a change of another account names the account and the administrator", () => {
    expect(rowOf("boss", { user: { username: "J.Doe", full_name: "J" } })).toMatchObject({
      username: "J.Doe",
      admin: "boss",
      keywords: ["J_Doe", "boss", "10.0.0.1", "192.0.2.7"],
    });
  });

  test("a change of the own account names no administrator and has no description", () => {
    const row = rowOf("jdoe", { user: { username: "J.Doe" } });
    expect(row.username).toBe("jdoe");
    expect(row).not.toHaveProperty("admin");
    expect(row).not.toHaveProperty("description");
  });

  test("the row of a login names the account that signs in", () => {
    const row = rowOf("", { user: { username: "joe" } });
    expect(row.username).toBe("joe");
    expect(row).not.toHaveProperty("admin");
  });

  test("may be given explicitly", () => {
    expect(rowOf("joe", { admin: "boss" })).toMatchObject({ username: "joe", admin: "boss" });
  });
});

test.each(["job", "ticket"])("a %s is identified by its id", (type) => {
  const row = buildActivity({ action: `${type}_update`, detail: { [type]: { id: "x1", title: "T" } } }, origin);
  expect(row).toMatchObject({ description: "x1", keywords: expect.arrayContaining(["x1"]) });
});

test("the browser is readable in a stored row", () => {
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" };
  expect(buildActivity({ action: "a", detail: {} }, { ...origin, headers }).useragent).toBe("Firefox 128.0 / Linux");
});

test("headers with credentials are not in a row", () => {
  const headers = { accept: "*/*", cookie: "s=1", "X-API-Key": "k", authorization: "Bearer x", "x-session-id": "s" };
  expect(buildActivity({ action: "a", detail: {} }, { ...origin, headers }).headers).toEqual({ accept: "*/*" });
});

describe("the cause of a row", () => {
  const key = { kind: "api_key", id: "k1", request: "r1" } as const;
  const system = { kind: "system", id: "system" } as const;
  const nobody = { kind: "anonymous", id: "10.0.0.1" } as const;
  const byJob = { kind: "job", id: "j1" } as const;
  test.each([
    ["a caller", "tag_create", { tag: { id: "t1" } }, key, key],
    ["a caller, also in a row about a job", "job_abort", { job: { id: "j1" } }, key, key],
    ["the engine", "tag_create", { tag: { id: "t1" } }, system, system],
    ["the job it is about", "warning", { job: { id: "j1" } }, system, byJob],
    ["the alert", "alert_new", { alert: { id: "a1" }, server: "s1" }, system, { kind: "alert", id: "a1" }],
    ["the server", "server_add", { server: "s1" }, system, { kind: "server", id: "s1" }],
    ["the engine, which brings definitions along", "alert_create", { alert: { id: "a1" } }, system, system],
    ["the job that the ticket came from", "ticket_create", { ticket: { id: "t1", cause: byJob } }, system, byJob],
    ["the engine, for later changes", "ticket_update", { ticket: { id: "t1", cause: byJob } }, system, system],
    ["the account that signed in", "user_login", { user: { username: "ada" } }, nobody, { kind: "user", id: "ada" }],
    ["an address", "warning", {}, nobody, nobody],
  ] as const)("is %s: %s of %j", (_what, action, detail, cause, expected) => {
    const acting = { ...origin, username: cause.kind === "anonymous" ? "" : cause.id, cause };
    expect(buildActivity({ action, detail }, acting).cause).toEqual(expected);
  });

  test("is absent if it is not requested", () => {
    expect(buildActivity({ action: "warning", detail: {} }, origin)).not.toHaveProperty("cause");
  });

  test("can only be set by the engine, like the links of a chain", () => {
    const detail = { cause: byJob, prev: "x", hash: "y" };
    const row = buildActivity({ action: "warning", detail }, { ...origin, cause: key });
    expect(row).toMatchObject({ cause: key });
    expect(row).not.toHaveProperty("prev");
    expect(row).not.toHaveProperty("hash");
  });
});
