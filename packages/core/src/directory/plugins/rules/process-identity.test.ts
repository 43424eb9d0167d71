import { expect, test } from "vitest";
import { processIdentity } from "./process-identity.ts";

const none = { uid: "", gid: "" };

test.each([
  ["nothing is configured", {}, none, { cwd: "" }],
  ["the plugin names a folder and a user", { cwd: "/srv", uid: "ops" }, none, { cwd: "/srv", uid: "ops" }],
  ["both name a user", { uid: 1001 }, { uid: "web", gid: "web" }, { cwd: "", uid: "1001", gid: "web" }],
  ["the plugin leaves it open", { uid: "", gid: "" }, { uid: 33, gid: "" }, { cwd: "", uid: "33" }],
  ["the plugin names user 0", { uid: 0, gid: 0 }, { uid: "web", gid: "web" }, { cwd: "", uid: "0", gid: "0" }],
  ["the configuration names user 0", {}, { uid: 0, gid: 0 }, { cwd: "", uid: "0", gid: "0" }],
])("a process of a plugin where %s", (_name, plugin, configured, expected) => {
  expect(processIdentity(plugin, configured)).toEqual(expected);
});
