import { describe, expect, test } from "vitest";
import { MAX_CONNECTIONS, MAX_NODES } from "./bounds.ts";
import { checkGraphShape, connectionChecker } from "./graph-shape.ts";

const node = (id: unknown, members: object = {}) => ({ id, type: "trigger", x: 0, y: 0, data: {}, ...members });
const wire = (id: unknown, source: unknown, dest: unknown, members: object = {}) => ({ id, source, dest, ...members });
const graph = (nodes: unknown, connections: unknown = []) => ({ nodes, connections });
const P = "Malformed workflow node #n1: ";

describe("the shape of a graph", () => {
  test.each<[unknown, string | undefined]>([
    [undefined, "Event has no workflow object specified."],
    [null, "Event has no workflow object specified."],
    ["x", "Event has invalid workflow object specified."],
    [[], "Event has invalid workflow object specified."],
    [{}, "Event has no workflow nodes specified."],
    [{ nodes: null }, "Event has no workflow nodes specified."],
    [{ nodes: {} }, "Event has invalid workflow nodes specified (must be array)."],
    [{ nodes: [] }, "Event has no workflow connections specified."],
    [{ nodes: [], connections: 5 }, "Event has invalid workflow connections specified (must be array)."],
    [graph([5], 5), "Event has invalid workflow connections specified (must be array)."],
    [{ ...graph([]), start: 5 }, "Event has invalid workflow start specified."],
    [graph([node("n1"), 5]), "Workflow node #2 is not an object"],
    [graph([{}]), "Workflow node #1 has no ID (id) property"],
    [graph([node("")]), "Workflow node #1 has no ID (id) property"],
    [graph([node(5)]), "Malformed workflow node #5: Node ID is not a string"],
    [graph([node({})]), "Malformed workflow node #{}: Node ID is not a string"],
    [graph([node("a b")]), "Malformed workflow node #a b: Node ID is not alphanumeric"],
    [graph([node("valueOf")]), "Malformed workflow node #valueOf: Invalid ID parameter: valueOf"],
    [graph([node("n1"), node("n1")]), `${P}Duplicate Node ID`],
    [graph([node("n1", { type: undefined })]), `${P}Node is missing a type`],
    [graph([node("n1", { type: 5 })]), `${P}Node type is not a string`],
    [graph([node("n1", { type: "x" })]), `${P}Node type is invalid`],
    [graph([node("n1", { x: "1" })]), `${P}Node X coordinate is invalid`],
    [graph([node("n1", { x: undefined })]), `${P}Node X coordinate is invalid`],
    [graph([node("n1", { y: null })]), `${P}Node Y coordinate is invalid`],
    [graph([node("n1", { data: [] })]), `${P}Node data is not an object`],
    [graph([node("n1", { data: null })]), `${P}Node data is not an object`],
    [graph([node("n1", { data: { title: 5 } })]), `${P}Node data.title is not a string`],
    [graph([node("n1", { data: { title: "<b>" } })]), `${P}Node data.title contains illegal characters`],
    [graph([node("n1", { data: { label: {} } })]), `${P}Node data.label is not a string`],
    [graph([node("n1", { data: { label: "a>" } })]), `${P}Node data.label contains illegal characters`],
    [graph([node("n1", { data: { icon: 1 } })]), `${P}Node data.icon is not a string`],
    [graph([node("n1", { data: { icon: "a b" } })]), `${P}Node data.icon contains illegal characters`],
    [graph([node("n1", { data: undefined })]), undefined],
    [graph([node("n1", { data: { title: "A", label: null, icon: "" }, extra: 1 })]), undefined],
    [{ ...graph([]), start: "n9", color: "red" }, undefined],
    [graph(Array(MAX_NODES + 1).fill(5)), `Event has too many workflow nodes specified (more than ${MAX_NODES}).`],
    [
      graph([], Array(MAX_CONNECTIONS + 1).fill(5)),
      `Event has too many workflow connections specified (more than ${MAX_CONNECTIONS}).`,
    ],
  ])("%#", (value, fault) => {
    expect(checkGraphShape(value)).toBe(fault);
  });
});

describe("the connections of a graph", () => {
  const Q = "Malformed workflow connection #c1: ";
  const nodes = ["n1", "n2", "n3"].map((id) => node(id));
  test.each<[unknown[], string | undefined]>([
    [[5], "Workflow connection #1 is not an object"],
    [[wire("c1", "n1", "n2"), {}], "Workflow connection #2 has no ID (id) property"],
    [[wire(5, "n1", "n2")], "Malformed workflow connection #5: ID is not a string"],
    [[wire("a-b", "n1", "n2")], "Malformed workflow connection #a-b: ID is not alphanumeric"],
    [[wire("__proto__", "n1", "n2")], "Malformed workflow connection #__proto__: Invalid ID parameter: __proto__"],
    [[wire("c1", "n1", "n2"), wire("c1", "n2", "n1")], `${Q}Duplicate connection ID`],
    [[wire("c1", "n9", "n2")], `${Q}Connection source node is invalid`],
    [[wire("c1", undefined, "n2")], `${Q}Connection source node is invalid`],
    [[wire("c1", "n1", 2)], `${Q}Connection destination node is invalid`],
    [[wire("c2", "n1", "n2"), wire("c1", "n1", "n2")], `${Q}Duplicate source/destination node pair`],
    [[wire("c1", "n1", "n2", { condition: {} })], `${Q}Condition is not a string`],
    [[wire("c1", "n1", "n2"), wire("c2", "n2", "n1"), wire("c3", "n3", "n3", { condition: "error" })], undefined],
  ])("%j", (connections, fault) => {
    const check = connectionChecker(graph(nodes, connections));
    const found = connections.map(check).filter((each) => each !== undefined);
    expect(found).toEqual(fault === undefined ? [] : [fault]);
  });
});
