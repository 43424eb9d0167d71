import { expect, test } from "vitest";
import { withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import { createValueCheck } from "../../../directory/plugins/rules/parameters/value-checks.ts";
import { checkNodeData, type GraphFacts } from "./node-checks.ts";

const fields = [
  { id: "who", type: "text", required: true },
  { id: "size", type: "text", range: "1-3" },
  { id: "word", type: "text", regex: "^a+$" },
];

const testPattern = (pattern: string, text: string): boolean => new RegExp(pattern).test(text);

const facts: GraphFacts = {
  own: "self",
  event: (id) =>
    ({
      e1: { fields, params: {} },
      filled: { fields, params: { who: "me" } },
      preset: { fields: [{ ...fields[0], value: "me" }], params: {} },
    })[id],
  plugin: (id) => ({ p1: { type: "event", params: fields }, a1: { type: "action", params: fields } })[id],
  hasCategory: (id) => id === "general",
  hasTag: (id) => id === "t1",
  sentFault: createValueCheck({ testPattern }),
  filledFault: createValueCheck({ testPattern, fill: withDefaults }),
  expressionFault: (source) => (source === "1 +" ? "Failed to compile" : undefined),
  actions: { types: new Map(), ticketFault: (type) => (type === "odd" ? "no" : undefined) },
};

const params = { who: "ada" };
const P = "Malformed workflow node #n1: ";
const reserved = "Malformed workflow node #n1 params: Invalid parameter ID: _xy_override_env (reserved)";
const mail = { enabled: true, type: "email" };

test.each<[string, object, string | undefined]>([
  ["event", {}, `${P}Unknown Event ID: `],
  ["event", { event: 5 }, `${P}Unknown Event ID: `],
  ["event", { event: "nope" }, `${P}Unknown Event ID: nope`],
  ["event", { event: "self" }, `${P}Workflow cannot run itself`],
  ["event", { event: "e1" }, `${P}Missing required event parameter 'who'.`],
  ["event", { event: "e1", params: null }, `${P}Missing required event parameter 'who'.`],
  ["event", { event: "filled" }, undefined],
  ["event", { event: "filled", params: { who: "" } }, `${P}Missing required event parameter 'who'.`],
  ["event", { event: "e1", params: { ...params, word: "b" } }, `${P}Invalid event parameter 'word'.`],
  ["event", { event: "e1", params: { ...params, size: 9 } }, `${P}Invalid event parameter value 'size' (1-3).`],
  ["event", { event: "e1", params: "x" }, `${P}Node data.params is not an object`],
  ["event", { event: "e1", params: { ...params, _xy_override_env: 1 } }, reserved],
  ["event", { event: "e1", params: { ...params, _xy_override_label: 1 } }, undefined],
  ["event", { event: "e1", params, targets: "main" }, `${P}Node data.targets is not an array`],
  ["event", { event: "e1", params, targets: ["a b"] }, `${P}Malformed target: a b`],
  ["event", { event: "e1", params, targets: [5] }, `${P}Malformed target: 5`],
  ["event", { event: "e1", params, tags: {} }, `${P}Node data.tags is not an array`],
  ["event", { event: "e1", params, tags: ["x y"] }, `${P}Malformed tag: x y`],
  ["event", { event: "e1", params, tags: ["t2"] }, `${P}Unknown tag: t2`],
  ["event", { event: "e1", params, algo: "a b" }, `${P}Node data.algo is invalid`],
  ["event", { event: "e1", params, replay: 5 }, `${P}Node data.replay is invalid`],
  ["event", { event: "e1", params, expression: 5 }, `${P}Node data.expression is not a string`],
  ["event", { event: "e1", params, expression: "1 +" }, `${P}Failed to compile`],
  [
    "event",
    { event: "e1", params, targets: [], tags: ["t1"], algo: "random", replay: "j1", expression: "true", other: 1 },
    undefined,
  ],
  ["job", {}, `${P}Unknown Plugin ID: `],
  ["job", { plugin: "nope" }, `${P}Unknown Plugin ID: nope`],
  ["job", { plugin: "_workflow" }, `${P}Unknown Plugin ID: _workflow`],
  ["job", { plugin: "p1" }, `${P}Missing required plugin parameter 'who'.`],
  ["job", { plugin: "p1", params: { ...params, word: "b" } }, `${P}Invalid plugin parameter 'word'.`],
  ["job", { plugin: "p1", params: { ...params, size: 9 } }, `${P}Invalid plugin parameter value 'size' (1-3).`],
  ["job", { plugin: "p1", params, category: "nope" }, `${P}Unknown Category ID: nope`],
  ["job", { plugin: "p1", params, category: 5 }, `${P}Unknown Category ID: 5`],
  ["job", { plugin: "p1", params: { ...params, _xy_override_env: 1 } }, reserved],
  ["job", { plugin: "p1", params, category: "general" }, undefined],
  ["job", { plugin: "p1", params }, undefined],
  ["action", {}, `${P}Missing enabled flag`],
  ["action", { enabled: true }, `${P}Unknown type`],
  ["action", { ...mail, users: 5 }, `${P}Invalid user list.`],
  ["action", { ...mail, users: "" }, `${P}No email addresses provided.`],
  ["action", { ...mail, users: "ada, bob" }, undefined],
  ["action", { ...mail, users: ["ada"] }, undefined],
  ["action", { enabled: true, type: "suspend", users: "ada,bob" }, undefined],
  ["action", { enabled: true, type: "ticket", ticket_type: "odd" }, `${P}Invalid Ticket type.`],
  ["action", { enabled: true, type: "run_event", event_id: "nope" }, `${P}Event not found: nope`],
  ["action", { enabled: true, type: "run_event", event_id: "self" }, undefined],
  ["action", { enabled: true, type: "run_event", event_id: "e1" }, `${P}Parameter 'who' is required.`],
  ["action", { enabled: true, type: "run_event", event_id: "e1", params }, undefined],
  ["action", { enabled: true, type: "run_event", event_id: "filled" }, undefined],
  ["action", { enabled: true, type: "run_event", event_id: "preset" }, undefined],
  [
    "action",
    { enabled: true, type: "run_event", event_id: "filled", params: { size: 9 } },
    `${P}Parameter 'size' value is invalid (1-3).`,
  ],
  ["action", { enabled: true, type: "run_event", event_id: "e1", params: { _xy_override_env: 1 } }, reserved],
  ["action", { enabled: true, type: "plugin", plugin_id: "nope" }, `${P}Unknown Action Plugin ID: nope`],
  ["action", { enabled: true, type: "plugin", plugin_id: "p1" }, `${P}Unknown Action Plugin ID: p1`],
  ["action", { enabled: true, type: "plugin", plugin_id: "a1" }, `${P}Missing required action plugin parameter 'who'.`],
  [
    "action",
    { enabled: true, type: "plugin", plugin_id: "a1", params: { ...params, word: "b" } },
    `${P}Invalid action plugin parameter 'word'.`,
  ],
  [
    "action",
    { enabled: true, type: "plugin", plugin_id: "a1", params: { ...params, size: 9 } },
    `${P}Invalid action plugin parameter value 'size' (1-3).`,
  ],
  ["action", { enabled: true, type: "plugin", plugin_id: "a1", params }, undefined],
  ["limit", {}, `${P}Missing enabled flag`],
  ["limit", { enabled: true, type: "x" }, `${P}Unknown type`],
  ["limit", { enabled: true, type: "time", duration: -1 }, `${P}Invalid time limit (not a number)`],
  ["limit", { enabled: true, type: "time", duration: 5 }, undefined],
  ["trigger", { anything: 1 }, undefined],
  ["controller", { controller: "new_one" }, undefined],
  ["note", { body: "<b>" }, undefined],
])("%s node %j", (type, data, fault) => {
  expect(checkNodeData({ id: "n1", type, data: data as never }, facts)).toBe(fault);
});
