import { expect, test } from "vitest";
import { type IdFacts, idOfHostname, mayJoinAs } from "./machine-id.ts";

const alone: IdFacts = {
  ...{ id: "local", hostname: "ops1", known: undefined },
  ...{ isHeld: false, hasOwn: false, isLater: false },
};

test.each<[string, Partial<IdFacts>, boolean]>([
  ["a new installation", {}, true],
  ["the same machine as before", { known: "ops1" }, true],
  ["a second process of the same machine", { known: "ops1", isHeld: true }, true],
  ["the same machine beside a node that has lived for longer", { known: "ops1", isLater: true }, true],
  ["a machine that was renamed, or a new container", { known: "ops0" }, true],
  ["a machine beside another one that has the id", { known: "ops2", isHeld: true }, false],
  ["one that starts together with an older node", { isLater: true }, false],
  ["one that has had an id of its own", { known: "ops2", hasOwn: true }, false],
  ["a given id, whatever other nodes there are", { id: "db", isLater: true, hasOwn: true }, true],
  ["a given id that another machine has", { id: "db", known: "ops2", isHeld: true }, false],
])("%s", (_title, facts, expected) => {
  expect(mayJoinAs({ ...alone, ...facts })).toBe(expected);
});

test.each([
  ["ops1", 1, "ops1"],
  ["Ops-1.example.internal", 1, "ops_1_example_internal"],
  ["ops1", 2, "ops1_2"],
  ["---", 1, "machine"],
  ["", 3, "machine_3"],
  ["__proto__", 1, "proto"],
  ["constructor", 1, "machine"],
  ["x".repeat(80), 2, `${"x".repeat(62)}_2`],
])("the hostname %j, as number %i, gives the id %s", (hostname, nth, id) => {
  expect(idOfHostname(hostname, nth)).toBe(id);
  expect(id).toMatch(/^[a-z0-9_]{1,64}$/);
});
