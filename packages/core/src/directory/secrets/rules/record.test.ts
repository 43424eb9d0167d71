import { describe, expect, test } from "vitest";
import { changesOf, faultOfFields, isAssigned, isMasked, namesOf, newSecret, onOneLine } from "./record.ts";

const MAX = 10;
const faultOf = (name: string, value = "") => faultOfFields([{ name, value }], MAX);

describe("the variables", () => {
  test.each(["A", "_", "a1_B", "_9", "Z".repeat(300)])("may be called %s", (name) => {
    expect(faultOf(name)).toBeUndefined();
  });

  test.each(["", "1A", "A-B", "A B", "Ä", "A\n", "A=", "constructor", "__proto__", "toString"])(
    "may not be called %j",
    (name) => {
      expect(faultOf(name)).toBe(`Invalid secret variable name: ${name}`);
    },
  );

  test("a very long wrong name is shown by its beginning only", () => {
    expect(faultOf("-".repeat(10_000))).toBe(`Invalid secret variable name: ${"-".repeat(256)}`);
  });

  test("may not contain the NUL character", () => {
    expect(faultOf("A", "x\0y")).toBe("Invalid secret variable value: A");
  });

  test("are measured in bytes", () => {
    expect(faultOf("A", "éééee".slice(0, 5) + "eee".slice(0, 2))).toBeUndefined();
    expect(faultOf("A", "éééééé")).toBe("Secret variable is too large: A");
  });

  test("are a thousand at most", () => {
    const fields = Array.from({ length: 1001 }, (_, index) => ({ name: `N${index}`, value: "" }));
    expect(faultOfFields(fields.slice(0, 1000), MAX)).toBeUndefined();
    expect(faultOfFields(fields, MAX)).toBe("Secret variable is too large: N1000");
  });

  test("contain each name once, in the first place", () => {
    const fields = ["B", "A", "B"].map((name) => ({ name, value: "" }));
    expect(namesOf(fields)).toEqual(["B", "A"]);
  });
});

describe("the record", () => {
  test("has every member of the contract and no value", () => {
    const input = { title: "T", fields: [{ name: "A", value: "planted" }] };
    expect(newSecret(input, { id: "z1", username: "joe", now: 7 })).toEqual({
      id: "z1",
      title: "T",
      enabled: true,
      icon: "",
      notes: "",
      names: ["A"],
      events: [],
      categories: [],
      plugins: [],
      web_hooks: [],
      username: "joe",
      created: 7,
      modified: 7,
      revision: 1,
    });
  });

  test("takes the sent members; names follow the variables", () => {
    expect(changesOf({ id: "z1", title: "N", icon: null, mask: false })).toEqual({
      title: "N",
      icon: null,
      mask: false,
    });
    expect(changesOf({ id: "z1", fields: [] })).toEqual({ names: [] });
    expect(changesOf({ id: "z1", fields: [{ name: "A", value: "planted" }] })).toEqual({ names: ["A"] });
  });

  test("is masked unless that was disabled", () => {
    expect([undefined, true, 1, false, 0].map((mask) => isMasked(mask === undefined ? {} : { mask }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("is assigned while it is enabled and names the target in the list of its kind", () => {
    const secret = newSecret({ title: "T", events: ["e1"] }, { id: "z1", username: "joe", now: 7 });
    expect(isAssigned(secret, "events", "e1")).toBe(true);
    expect(isAssigned(secret, "plugins", "e1")).toBe(false);
    expect(isAssigned(secret, "events", "e2")).toBe(false);
    expect(isAssigned({ ...secret, enabled: 0 }, "events", "e1")).toBe(false);
  });
});

test("line breaks of every kind become blanks", () => {
  expect(onOneLine("a\r\nb\u2028c\u2029d\u0085e\vf\fg")).toBe("a  b c d e f g");
});
