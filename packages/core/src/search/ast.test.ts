import { describe, expect, test } from "vitest";
import { above, afterId, allOf, anyOf, atLeast, atMost, below, equal, everything, hasWord, nothing } from "./ast.ts";

const compare = (operator: string) => ({ kind: "compare", field: "age", operator, value: 3 });

describe("conditions of searches", () => {
  test.each([
    ["a value", equal("age", 3), compare("eq")],
    ["more than a value", above("age", 3), compare("gt")],
    ["a value or more", atLeast("age", 3), compare("gte")],
    ["less than a value", below("age", 3), compare("lt")],
    ["a value or less", atMost("age", 3), compare("lte")],
    ["ids after one", afterId("a"), { kind: "compare", field: "id", operator: "gt", value: "a" }],
    ["one word", hasWord("tag", "red"), { kind: "term", field: "tag", words: ["red"] }],
    ["one of several words", hasWord("tag", ["red", "blue"]), { kind: "term", field: "tag", words: ["red", "blue"] }],
    ["all of several", allOf([everything, nothing]), { kind: "and", nodes: [everything, nothing] }],
    ["all of one, which is that one", allOf([nothing]), nothing],
    ["any of several", anyOf([everything, nothing]), { kind: "or", nodes: [everything, nothing] }],
  ])("%s", (_name, node, expected) => {
    expect(node).toEqual(expected);
  });
});
