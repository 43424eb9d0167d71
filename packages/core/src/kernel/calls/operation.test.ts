import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { startEngine } from "../../../test/engine.ts";
import { createSignalbox } from "../../engine/signalbox.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { definePlugin, type OperationsOf } from "../plugins/plugin.ts";
import {
  type ApiOf,
  anyone,
  camelCase,
  defineCommand,
  defineQuery,
  defineStream,
  type StreamResult,
  type UnknownMembers,
} from "./operation.ts";

const double = defineQuery({
  name: "double_the_number",
  method: "GET",
  summary: "Twice.",
  access: anyone,
  input: z.object({ n: z.preprocess((value) => Number(value), z.number()) }),
  output: z.object({ twice: z.number() }),
  handler: async ({ n }) => ({ twice: n * 2 }),
});
const rest = defineCommand({
  name: "rest",
  method: "POST",
  summary: "Nothing.",
  access: anyone,
  input: z.looseObject({ note: z.string().optional() }),
  output: z.object({}),
  handler: async () => ({}),
});
const bytes = defineStream({
  name: "bytes",
  method: "ANY",
  summary: "Bytes.",
  access: anyone,
  input: z.looseObject({}),
  handler: async () => ({ status: 204 }),
});
const numbers = definePlugin({ id: "numbers", operations: [double, bytes] });
const silent = definePlugin({ id: "silent" });
const resting = definePlugin({ id: "resting", operations: [rest] });

describe("a declaration of an operation", () => {
  test("GET and ANY read merged parameters, POST its body, and the default namespace is app", () => {
    expect([double, rest, bytes].map(({ parameters }) => parameters)).toEqual(["merged", "body", "merged"]);
    expect([double, rest, bytes].map(({ kind }) => kind)).toEqual(["query", "command", "stream"]);
    expect(double).toMatchObject({ namespace: "app", files: false });
  });

  test.each([
    ["create_tag", "createTag"],
    ["ping", "ping"],
    ["get_job_log_v2", "getJobLogV2"],
    ["a_1_b", "a1B"],
  ])("%s is called %s in process", (name, expected) => {
    expect(camelCase(name)).toBe(expected);
  });
});

describe("types", () => {
  test("an api has one typed function for each operation", () => {
    type Api = ApiOf<readonly [typeof double, typeof rest, typeof bytes]>;
    expectTypeOf<keyof Api>().toEqualTypeOf<"doubleTheNumber" | "rest" | "bytes">();
    expectTypeOf<ReturnType<Api["doubleTheNumber"]>>().resolves.toEqualTypeOf<{ twice: number } & UnknownMembers>();
    expectTypeOf<Api["rest"]>().toBeCallableWith();
    expectTypeOf<Api["rest"]>().toBeCallableWith({ note: "x", more: 1 });
    expectTypeOf<ReturnType<Api["bytes"]>>().resolves.toEqualTypeOf<StreamResult>();
    expectTypeOf<Parameters<Api["doubleTheNumber"]>>().toEqualTypeOf<[input: { n: unknown }]>();
  });

  test("the operations of a tuple of plugins keep their order and names", () => {
    type Operations = OperationsOf<readonly [typeof numbers, typeof silent, typeof resting]>;
    expectTypeOf<Operations[0]["name"]>().toEqualTypeOf<"double_the_number">();
    expectTypeOf<Operations[2]["name"]>().toEqualTypeOf<"rest">();
    expectTypeOf<Operations["length"]>().toEqualTypeOf<3>();
  });

  test("operations of plugins are beside the built-in ones, in every client", () => {
    const engine = createSignalbox({
      storage: memoryStorage(),
      secretKey: "correct horse battery staple",
      plugins: [numbers, silent, resting],
    });
    expectTypeOf(engine.api.doubleTheNumber).returns.resolves.toEqualTypeOf<{ twice: number } & UnknownMembers>();
    expectTypeOf(engine.api.createTag).toBeCallableWith({ title: "T" });
    expectTypeOf(engine.as({}).rest).toBeFunction();
    expectTypeOf<ReturnType<typeof engine.with>["api"]>().toHaveProperty("doubleTheNumber");
    // @ts-expect-error nobody declared it
    expect(engine.api.tripleTheNumber).toBeUndefined();
  });
});

test("a plugin's operation is called like a built-in one", async () => {
  await using engine = await startEngine({ plugins: [numbers] });
  expect(await engine.api.doubleTheNumber({ n: "21" })).toEqual({ twice: 42 });
});
