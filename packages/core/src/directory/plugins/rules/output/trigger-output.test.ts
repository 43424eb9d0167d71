import { expect, test } from "vitest";
import { readTriggerOutput } from "./trigger-output.ts";

const P = "Scheduler Plugin output";
const deep = (levels: number): string => `{"xy":1,"items":[true],"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

test.each<[string, unknown]>([
  ['{"xy":1,"items":[true]}', { data: { xy: 1, items: [true] } }],
  ['note\n{"xy":1,"items":[{"launch":true,"delay":5}]}\n\n', { data: { xy: 1, items: [{ launch: true, delay: 5 }] } }],
  ["", { data: null, fault: `${P} is not JSON.` }],
  ['{"xy":1,"items":[true]}\nbye', { data: null, fault: `${P} is not JSON.` }],
  ["null", { data: null, fault: `${P} lacks the member xy.` }],
  ['{"items":[true]}', { data: { items: [true] }, fault: `${P} lacks the member xy.` }],
  ['{"xy":1,"items":[]}', { data: { xy: 1, items: [] }, fault: `${P} has no items.` }],
  ['{"xy":1}', { data: { xy: 1 }, fault: `${P} has no items.` }],
  ['{"xy":1,"items":[1,2]}', { data: { xy: 1, items: [1, 2] }, fault: `${P} has 2 items where 1 are expected.` }],
  [
    '{"xy":1,"items":["yes"]}',
    { data: { xy: 1, items: ["yes"] }, fault: `${P} has an item that is neither a boolean nor an object.` },
  ],
  [deep(64), { data: null, fault: `${P} is nested too deeply.` }],
  [deep(200_000), { data: null, fault: `${P} is nested too deeply.` }],
])("%#: the output of a plugin is checked", (stdout, judged) => {
  expect(readTriggerOutput(stdout, 1)).toEqual(judged);
});

test("depth up to the bound is accepted", () => {
  expect(readTriggerOutput(deep(63), 1).fault).toBeUndefined();
});
