import { expect, test } from "vitest";
import { editable, readAs, settingsOf, valueAt, written } from "./rows.ts";

test.each([
  ["tz", { tz: "UTC" }, "UTC"],
  ["client.name", { client: { name: "Box" } }, "Box"],
  ["my.plugin.size", { "my.plugin": { size: 3 } }, 3],
  ["client.none", { client: {} }, undefined],
  ["client.name.more", { client: { name: "Box" } }, undefined],
])("the value at %s", (path, tree, value) => {
  expect(valueAt(tree, path)).toBe(value);
});

test("settings have their meaning and default, and say whether they were set while running", () => {
  const all = settingsOf(
    { action_timeout: 60, client: { name: "Box", own: 1 }, mine: { a: 1 } },
    { action_timeout: 60 },
  );
  expect(all.find(({ path }) => path === "action_timeout")).toEqual({
    ...{ path: "action_timeout", fallback: "300", value: 60, isSet: true },
    meaning: expect.stringContaining("Seconds"),
  });
  expect(all.find(({ path }) => path === "client.own")).toMatchObject({ value: 1, isSet: false, meaning: "" });
  expect(all.find(({ path }) => path === "mine")).toMatchObject({ value: { a: 1 } });
});

test("a default is written like its value, with single backslashes", () => {
  const [setting] = settingsOf({ User: { valid_username_match: "^[\\w\\-\\.]+$" } }, {}).filter(
    ({ path }) => path === "User.valid_username_match",
  );
  expect(written(setting?.value)).toBe(setting?.fallback);
});

test.each([
  ["text", "now", "text"],
  ["12", 5, 12],
  ["[1]", [], [1]],
  ["Europe/Berlin", undefined, "Europe/Berlin"],
  ["200", undefined, 200],
])("%s entered for %j is %j", (text, now, value) => {
  expect(readAs(text, now)).toEqual(value);
  expect(written(value)).toBe(text);
});

test("a record is edited line by line", () => {
  expect(editable({ host: "mx", port: 25 })).toBe('{\n  "host": "mx",\n  "port": 25\n}');
  expect(readAs(editable({ host: "mx" }), {})).toEqual({ host: "mx" });
  expect([editable("mx"), editable(25), editable(undefined)]).toEqual(["mx", "25", ""]);
});

test("an entry that is no JSON is refused", () => {
  expect(() => readAs("twelve", 5)).toThrow();
});
