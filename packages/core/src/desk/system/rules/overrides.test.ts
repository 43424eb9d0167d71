import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPath, isReservedKey, MASK, masked, syncInto, unmasked, withOverrides } from "./overrides.ts";

const base = { tz: "UTC", db: { rows: 5, deep: { a: 1 } }, list: [1, 2] };
const merge = (overrides: Record<string, unknown>) => withOverrides(base, new Map(Object.entries(overrides)));

describe("withOverrides", () => {
  test.each([
    [{ "db.rows": 7 }, { ...base, db: { rows: 7, deep: { a: 1 } } }],
    [{ "new.path.here": 1 }, { ...base, new: { path: { here: 1 } } }],
    [{ list: [] }, { ...base, list: [] }],
    [
      { "db.rows": 9, db: { rows: 1 } },
      { ...base, db: { rows: 9 } },
    ],
    [{ "db.rows": 6, "tz.x": 1 }, "tz.x"],
    [{ "list.first": 1 }, "list.first"],
  ])("%j", (overrides, expected) => {
    expect(merge(overrides)).toEqual(expected);
  });

  test("changes neither side", () => {
    const value = { rows: 1 };
    const merged = merge({ db: value, "db.rows": 2 });
    expect(merged).toMatchObject({ db: { rows: 2 } });
    expect(value).toEqual({ rows: 1 });
    expect(base.db.rows).toBe(5);
  });

  test("a path through an inherited member creates an own member", () => {
    expect(Object.hasOwn(merge({ "isPrototypeOf.a": 1 }) as object, "isPrototypeOf")).toBe(true);
  });
});

test("sections keep their identity when they are synchronised, and end up equal from any state", async () => {
  const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
    tree: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(fc.integer(), fc.array(fc.integer()), tie("tree"))),
  }));
  await fc.assert(
    fc.property(tree, tree, (target, source) => {
      const section = target["a"];
      const copy = structuredClone(source);
      syncInto(target, source);
      expect(target).toEqual(copy);
      if (section !== null && typeof section === "object" && typeof source["a"] === "object")
        expect(target["a"] === section || Array.isArray(section) || Array.isArray(source["a"])).toBe(true);
    }),
  );
});

test.each([
  ["tz", true],
  ["db_maint.activity.max_rows", true],
  ["WebServer.response_headers.X-Frame-Options", true],
  ["hooks.job_tag:t1", true],
  ["", false],
  [".", false],
  ["a..b", false],
  ["a.__proto__.b", false],
  ["constructor", false],
  ["a b", false],
  ["a".repeat(201), false],
])("%j is a path: %s", (path, expected) => {
  expect(isPath(path)).toBe(expected);
});

test.each(["secret_key", "secret_key_old", "SSO.enabled", "Debug", "config_overrides_file"])(
  "%s is reserved",
  (path) => {
    expect(isReservedKey(path)).toBe(true);
  },
);

describe("credentials", () => {
  const settings = {
    mail_settings: { host: "h", auth: { user: "u", pass: "p" } },
    Storage: { S3: { secretAccessKey: "s", region: "r" }, Redis: { password: "" } },
    list: [{ token: "t" }],
    api: { key_length: 24 },
  };

  test("are masked in any place, except empty ones", () => {
    expect(masked(settings)).toEqual({
      mail_settings: { host: "h", auth: { user: "u", pass: MASK } },
      Storage: { S3: { secretAccessKey: MASK, region: "r" }, Redis: { password: "" } },
      list: [{ token: MASK }],
      api: { key_length: 24 },
    });
    expect(masked("p", "pass")).toBe(MASK);
  });

  test("credentials that are sent back masked stay unchanged", () => {
    expect(unmasked(masked(settings), settings, "")).toEqual(settings);
    expect(unmasked(MASK, "p", "pass")).toBe("p");
    expect(unmasked(MASK, undefined, "pass")).toBeUndefined();
    expect(unmasked({ auth: { pass: "new" } }, settings.mail_settings, "mail_settings")).toEqual({
      auth: { pass: "new" },
    });
    expect(unmasked(MASK, "x", "host")).toBe(MASK);
  });
});
