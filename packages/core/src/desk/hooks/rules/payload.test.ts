import { describe, expect, test } from "vitest";
import { findHook, partsOf } from "./find-hook.ts";
import { describeActivity, hookPayload, jobSubject } from "./payload.ts";

describe("the words about an activity", () => {
  test.each([
    ["tag_create", "Nightly", "Tag created: Nightly"],
    ["web_hook_delete", "Chat", "Web hook deleted: Chat"],
    ["ticket_add_change", "t1", "Ticket add change: t1"],
    ["user_login", undefined, "User login"],
    ["state_update", "", "State updated"],
    ["critical", "The disk is full", "The disk is full"],
    ["critical", undefined, "Critical"],
    ["alert_new", "New alert for: web01", "New alert for: web01"],
    ["acme.deploy", "v2", "Acme deploy: v2"],
  ])("%s of %s", (action, description, words) => {
    expect(describeActivity(action, description)).toBe(words);
  });
});

test("the payload is a copy with the members that receivers expect", () => {
  const row = { id: "a1", description: "old" };
  const payload = hookPayload(row, { action: "notice", epoch: 5, description: "new", product: "Box" });
  expect(payload).toEqual({
    ...{ id: "a1", action: "notice", epoch: 5, description: "new" },
    ...{ text: "Box new", content: "Box new", message: "Box new" },
  });
  expect(row).toEqual({ id: "a1", description: "old" });
});

test("the data of a job leaves out its bulk and the environment of this process", () => {
  const job = { id: "j1", output: "x", activity: [], timelines: {}, procs: {}, conns: [], data: { n: 1 } };
  expect(jobSubject({ env: { PATH: "/bin" }, event: null, job })).toEqual({
    event: null,
    job: { id: "j1", data: { n: 1 } },
  });
});

describe("the hook of an action", () => {
  const hooks = {
    "*": "all",
    job_error: { email: "a@example.com", url: "https://example.com/" },
    tag_create: "https://example.com/",
  };
  test.each([
    ["job_error", hooks.job_error],
    ["tag_create", { url: "https://example.com/" }],
    ["user_login", { web_hook: "all" }],
    ["constructor", { web_hook: "all" }],
    ["*", { web_hook: "all" }],
  ])("%s", (action, hook) => {
    expect(findHook(hooks, action)).toEqual(hook);
  });

  test("is undefined if neither its name nor the hook of all actions is configured", () => {
    expect(findHook({ notice: "chat" }, "toString")).toBeUndefined();
    expect(findHook({}, "*")).toBeUndefined();
  });

  test("has the parts that it names", () => {
    expect(partsOf(hooks.job_error)).toEqual(["email", "url"]);
  });
});
