import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { anyone, defineQuery } from "./operation.ts";
import { createRegistry, operationKey } from "./registry.ts";

const operation = (name: string, namespace: "app" | "user" = "app") =>
  defineQuery({
    name,
    namespace,
    method: "GET",
    summary: "Nothing.",
    access: anyone,
    input: z.looseObject({}),
    output: z.object({}),
    handler: async () => ({}),
  });

const plain = defineCollection({ name: "plain", noun: "Plain" });

const claims: readonly (readonly [string, Omit<Plugin, "id">])[] = [
  ["operation same", { operations: [operation("same")] }],
  ["privilege same", { privileges: { same: "Same" } }],
  ["collection same", { collections: [defineCollection({ name: "same", noun: "Same" })] }],
  ["action type same", { actionTypes: { same: { applies: [], target: () => "", run: async () => never() } } }],
  ["data type same", { dataTypes: { same: { parse: () => 1 } } }],
  ["search table same", { searchTables: { same: { collection: plain, table: { fields: {}, sorters: {} } } } }],
  ["function same", { functions: { same: () => 1 } }],
  ["kind of work same", { workers: { same: async () => undefined } }],
  ["loop same", { loops: [{ name: "same", everySec: 60, on: "leader", run: async () => undefined }] }],
  ["event same", { hostEvents: [{ id: "same", title: "Same", record: {}, run: () => undefined }] }],
];

function never(): never {
  throw new Error("never run");
}

describe("createRegistry", () => {
  test.each(claims)("names both plugins when they claim the same %s", (what, members) => {
    expect(() =>
      createRegistry([
        { id: "a", ...members },
        { id: "b", ...members },
      ]),
    ).toThrow(`Plugins a and b both define the ${what}`);
  });

  test("keeps different names, in the order of the plugins", () => {
    const registry = createRegistry([
      { id: "a", operations: [operation("one")], privileges: { p: "P" }, hooks: [{ operation: "x" }] },
      { id: "b", operations: [operation("two")], hooks: [{ operation: "y" }] },
    ]);
    expect([...registry.operations.keys()]).toEqual(["one", "two"]);
    expect([...registry.privileges]).toEqual([["p", "P"]]);
    expect(registry.hooks.map((hook) => hook.operation)).toEqual(["x", "y"]);
  });

  test("gives the user namespace names of its own", () => {
    const registry = createRegistry([{ id: "a", operations: [operation("login"), operation("login", "user")] }]);
    expect([...registry.operations.keys()]).toEqual(["login", "user/login"]);
    expect(operationKey(operation("login", "user"))).toBe("user/login");
  });

  test("refuses a plugin that names an operation twice", () => {
    expect(() => createRegistry([{ id: "a", operations: [operation("one"), operation("one")] }])).toThrow(/one/);
  });

  test("accepts a plugin once and after its predecessors", () => {
    expect(() => createRegistry([{ id: "a" }, { id: "a" }])).toThrow("Plugin a is given twice");
    expect(() => createRegistry([{ id: "b", after: ["a"] }, { id: "a" }])).toThrow("Plugin b must come after a");
    expect(createRegistry([{ id: "a" }, { id: "b", after: ["a"] }]).plugins).toHaveLength(2);
  });
});
