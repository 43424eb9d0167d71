import { expect, test } from "vitest";
import * as z from "zod";
import { actionSchema } from "../../../wire/entries/action-types.ts";
import { CONTROLLERS, NODE_TYPES } from "../model.ts";
import { knownConnections, knownNodes } from "./graph-members.ts";
import { connectionSchema, nodeSchema } from "./graph-types.ts";

interface JsonSchema {
  readonly const?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

const jsonOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
/** The alternatives of a schema. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const forms = schema.anyOf ?? schema.oneOf;
  return forms ? forms.flatMap(formsOf) : [schema];
}
const nodes = formsOf(jsonOf(nodeSchema()));
const dataOf = (type: string): readonly JsonSchema[] =>
  nodes
    .filter(({ properties }) => properties?.["type"]?.const === type)
    .flatMap((node) => formsOf(node.properties?.["data"] ?? {}));

test("nodes are described by all their types and no others", () => {
  expect(nodes.map(({ properties }) => properties?.["type"]?.const).sort()).toEqual([...NODE_TYPES].sort());
});

test("controllers are described by all their kinds", () => {
  const kinds = dataOf("controller").map(({ properties }) => properties?.["controller"]?.const);
  expect(kinds.sort()).toEqual([...CONTROLLERS].sort());
});

test("every described member is known", () => {
  const members = knownNodes.items?.members;
  const data = members?.get("data")?.members;
  for (const node of nodes)
    expect(Object.keys(node.properties ?? {}).filter((name) => !members?.has(name))).toEqual([]);
  const names = NODE_TYPES.flatMap(dataOf).flatMap(({ properties }) => Object.keys(properties ?? {}));
  expect(names.filter((name) => !data?.has(name))).toEqual([]);
  const wires = Object.keys(jsonOf(connectionSchema()).properties ?? {});
  expect(wires.filter((name) => !knownConnections.items?.members?.has(name))).toEqual([]);
});

test("an action node is any action without its condition, and its users may be a text", () => {
  const actions = formsOf(jsonOf(actionSchema()));
  const data = dataOf("action");
  const typesOf = (forms: readonly JsonSchema[]) => forms.map(({ properties }) => properties?.["type"]?.const);
  expect(typesOf(data)).toEqual(typesOf(actions));
  expect(data.filter(({ properties }) => properties?.["condition"])).toEqual([]);
  const node = { id: "n1", type: "action", x: 0, y: 0 };
  for (const users of ["ada, bob", ["ada"]])
    expect(nodeSchema().safeParse({ ...node, data: { enabled: true, type: "email", users } }).success).toBe(true);
});
