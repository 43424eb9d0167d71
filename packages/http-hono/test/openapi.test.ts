import { createSignalbox, memoryStorage } from "@signalbox/core";
import { anyone, definePlugin, defineQuery } from "@signalbox/core/plugin";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { named } from "../../core/src/wire/schemas/named.ts";
import { createOpenApi, createRouter } from "../src/index.ts";
import { type Answer, type Started, start, startEngine } from "./start.ts";

/** Made once, because describing all operations takes as long as a hundred other tests. */
let document: Answer["body"];
let engine: Started["engine"];
beforeAll(async () => {
  engine = (await startEngine()).engine;
  document = await (await createRouter(engine).request("/api/openapi.json")).json();
});
afterAll(() => engine.stop());

describe("the OpenAPI document", () => {
  test("has one canonical path for every operation, operations of plugins included", () => {
    const paths = [...engine.operations.values()].map(({ namespace, name }) => `/api/${namespace}/${name}/v1`);
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths).toSorted()).toEqual(paths.toSorted());
    expect(document.paths["/api/app/fire/v1"].post.summary).toBe("Change something, also by a link.");
  });

  test("describes reads by query parameters", () => {
    const { get } = document.paths["/api/app/get_tag/v1"];
    expect(get.parameters).toEqual([
      {
        ...{ name: "id", in: "query", required: true, example: "nightly" },
        schema: { type: "string", maxLength: 1000, pattern: "^[a-z0-9_]+$" },
      },
      { $ref: "#/components/parameters/Strict" },
    ]);
    expect(document.components.parameters.Strict).toMatchObject({ name: "X-Strict", in: "header" });
    const { schema } = get.responses["200"].content["application/json"];
    expect(schema.required).toEqual(["code", "tag"]);
    expect(schema.properties.code).toEqual({ const: 0 });
    expect(schema.properties.unknown).toMatchObject({ type: "array", items: { type: "string" } });
    expect(schema.properties.tag).toEqual({ $ref: "#/components/schemas/Tag" });
    expect(document.components.schemas.Tag.properties.title.type).toBe("string");
  });

  test("describes writes by their body and the privilege they need", () => {
    const { post } = document.paths["/api/app/create_tag/v1"];
    expect(post.description).toMatch(/^Needs the privilege `create_tags` \(.+\)\.$/);
    expect(post.requestBody.content["application/json"].schema.required).toEqual(["title"]);
    expect(post.parameters).toEqual([{ $ref: "#/components/parameters/Strict" }]);
    expect(post.security).toBeUndefined();
    expect(document.security).toHaveLength(4);
  });

  test("lists the codes with which an operation refuses, and that it may fail", () => {
    const codesOf = (operation: string, method = "post"): string[] => {
      const { content, description } = document.paths[`/api/app/${operation}/v1`][method].responses["4XX"];
      const [base, { properties }] = content["application/json"].schema.allOf;
      expect(base).toEqual({ $ref: "#/components/schemas/Error" });
      for (const code of properties.code.enum) expect(description).toContain(`\`${code}\``);
      return properties.code.enum;
    };
    expect(codesOf("ping", "get")).toEqual(["api"]);
    expect(codesOf("get_tag", "get")).toEqual(["access", "api", "notfound", "rate", "session", "user"]);
    expect(codesOf("create_tag")).toEqual(["access", "api", "rate", "session", "tag", "user"]);
    expect(codesOf("run_event")).toEqual(expect.arrayContaining(["event", "file"]));
    expect(document.components.responses.Failure.content["application/json"].schema.allOf[1]).toEqual({
      type: "object",
      properties: { code: { enum: ["api", "internal", "storage"] } },
    });
    const answers = Object.values(document.paths as Record<string, Record<string, { responses: object }>>).flatMap(
      (path) => Object.values(path).map(({ responses }) => Object.keys(responses).join(" ")),
    );
    expect(answers.length).toBeGreaterThan(engine.operations.size);
    expect(new Set(answers)).toEqual(new Set(["200 4XX 5XX"]));
  });

  test("shows records once, under their names", () => {
    const { components, paths } = document;
    const rows = (operation: string) =>
      paths[`/api/app/${operation}/v1`].get.responses["200"].content["application/json"].schema.properties.rows.items;
    for (const [operation, name] of Object.entries({ get_events: "Event", get_tags: "Tag", get_routes: "Route" })) {
      expect(rows(operation)).toEqual({ $ref: `#/components/schemas/${name}` });
      expect(components.schemas[name].properties.id.type).toBe("string");
    }
  });

  test("has a valid example of every call", () => {
    for (const operation of engine.operations.values()) {
      const { get, post } = document.paths[`/api/${operation.namespace}/${operation.name}/v1`];
      const { parameters = [], requestBody } = post ?? get;
      const named = parameters.filter((each: object) => "example" in each);
      const example =
        requestBody?.content["application/json"].example ??
        Object.fromEntries(named.map(({ name, example }: { name: string; example: unknown }) => [name, example]));
      expect(operation.input.parse(example), operation.name).toBeTypeOf("object");
    }
  });

  test("describes files, tokens, streams and public operations", () => {
    const { paths } = document;
    const upload = paths["/api/app/upload_things/v1"].post.requestBody.content["multipart/form-data"];
    expect(upload.schema.properties.json.contentMediaType).toBe("application/json");
    expect(paths["/api/app/fire_by_token/v1"].post.security[0]).toEqual({});
    expect(paths["/api/app/stream_lines/v1"].get.responses["200"].content).toEqual({ "*/*": {} });
    expect(Object.keys(paths["/api/app/ping/v1"])).toEqual(["get", "post"]);
    expect(paths["/api/app/ping/v1"].get.security).toEqual([]);
  });

  test("shows the members of a trigger, a limit, an action and a node by their type", () => {
    const { components, paths } = document;
    const { properties } = paths["/api/app/create_event/v1"].post.requestBody.content["application/json"].schema;
    for (const [list, name] of Object.entries({ triggers: "Trigger", limits: "Limit", actions: "Action" }))
      expect(properties[list]).toMatchObject({ type: "array", items: { $ref: `#/components/schemas/${name}` } });
    expect(properties.workflow.properties).toMatchObject({
      nodes: { type: "array", items: { $ref: "#/components/schemas/WorkflowNode" } },
      connections: { type: "array", items: { $ref: "#/components/schemas/WorkflowConnection" } },
    });
    expect(components.schemas.WorkflowNode.oneOf.length).toBe(7);
    const { oneOf } = components.schemas.Trigger;
    const nth = oneOf.find(
      (each: { properties: { type: object } }) =>
        "const" in each.properties.type && (each.properties.type as { const: string }).const === "nth",
    );
    expect(nth).toMatchObject({ properties: { every: { type: "integer", minimum: 2 } }, required: ["type", "every"] });
  });

  test("shows members that are checked by rules like in their record", () => {
    const { paths } = document;
    const { properties, required } =
      paths["/api/app/create_alert/v1"].post.requestBody.content["application/json"].schema;
    expect(properties).toMatchObject({
      samples: { anyOf: [{ type: "integer" }, { type: "null" }] },
      groups: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
    });
    expect(required).toEqual(["title", "expression", "message"]);
  });

  test("names every operation once", () => {
    const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (path) => Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("resolves every reference, recursive schemas included", async () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree);
      },
    });
    const getTree = defineQuery({
      name: "get_tree",
      method: "POST",
      summary: "Answer a tree.",
      access: anyone,
      input: z.object({ tree: Tree }),
      output: Tree,
      handler: async ({ tree }) => tree,
    });
    const other = createSignalbox({
      storage: memoryStorage(),
      secretKey: "a secret key for tests",
      plugins: [definePlugin({ id: "test.tree", operations: [getTree] })],
    });
    const whole = JSON.parse(createOpenApi(other)(""));
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#([^"]*)"/g)].map(([, path = ""]) => path);
    expect(references.length).toBeGreaterThan(2);
    for (const path of references)
      expect(
        path
          .split("/")
          .slice(1)
          .reduce((node, name) => node?.[name], whole),
        path,
      ).toBeTypeOf("object");
  });

  test("fails while a schema throws, and lists its operation afterwards", async () => {
    let isBroken = true;
    const odd = z.string();
    odd._zod.toJSONSchema = () => {
      if (isBroken) throw new Error("This schema cannot be made yet");
      return { type: "string" };
    };
    const getOdd = defineQuery({
      name: "get_odd",
      method: "POST",
      summary: "Answer something odd.",
      access: anyone,
      input: z.object({}),
      output: z.object({ odd: named("Odd", z.object({ odd })) }),
      handler: async () => ({ odd: { odd: "" } }),
    });
    const plugins = [definePlugin({ id: "test.odd", operations: [getOdd] })];
    const other = createSignalbox({ storage: memoryStorage(), secretKey: "a secret key for tests", plugins });
    const router = createRouter(other);
    const host = new Hono().route("/", router).onError(({ message }, context) => context.text(message, 500));
    const textOf = async (path: string): Promise<string> => (await host.request(path)).text();
    const paths = ["/api/openapi.json", "/api/reference", "/api/openapi.json"];
    for (const path of paths) expect(await textOf(path)).toBe("This schema cannot be made yet");
    isBroken = false;
    const whole = JSON.parse(await textOf("/api/openapi.json"));
    expect(whole.components.schemas.Odd.properties).toEqual({ odd: { type: "string" } });
    expect(Object.keys(whole.paths)).toHaveLength(other.operations.size);
    expect(await textOf("/api/reference")).toContain("get_odd");
  });

  test("names the mount point as its server", async () => {
    expect(document.servers).toEqual([{ url: "/" }]);
    const host = new Hono().route("/ops", createRouter(engine));
    const response = await host.request("/ops/api/openapi.json");
    expect(((await response.json()) as { servers: object[] }).servers).toEqual([{ url: "/ops" }]);
  });

  test("can be disabled", async () => {
    const { get } = await start({ openapi: false });
    expect((await get("/api/openapi.json", {})).body.description).toBe("Invalid API URL: /api/openapi.json");
  });
});
