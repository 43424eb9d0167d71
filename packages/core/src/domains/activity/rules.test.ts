import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildActivity } from "./rules.ts";

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
  test("holds the object, its title and who did it from where", () => {
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

  test("takes a given description and keywords over those of the object", () => {
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

test("no credential reaches a row, whatever an operation passes", async () => {
  const names = ["password", "salt", "key", "plain_key", "session_id", "csrf_token", "recovery_key", "secret_key"];
  const secret = "hunter2-hunter2";
  const record = fc.dictionary(fc.constantFrom(...names, "token", "auth_token"), fc.constant(secret));
  await fc.assert(
    fc.property(record, record, (inside, outside) => {
      const detail = { ...outside, api_key: { id: "k1", title: "K", ...inside } };
      const row = buildActivity({ action: "a", detail }, origin);
      expect(JSON.stringify(row)).not.toContain(secret);
      expect(row["api_key"]).toEqual({ id: "k1", title: "K" });
    }),
  );
});
