import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMasker } from "../../../../directory/secrets/rules/mask.ts";
import { maskUpdate } from "./mask-update.ts";

const values = ["hunter2", "complete", "warning", "params"];
const { text: mask } = createMasker(values) ?? { text: String };
const shown = (update: unknown): unknown => maskUpdate(update, mask);

describe("an update", () => {
  test.each([
    ["a description", { description: "Failed with hunter2" }, { description: "Failed with ****" }],
    ["a label", { label: "hunter2" }, { label: "****" }],
    ["a status", { status: "Trying hunter2" }, { status: "Trying ****" }],
    ["data", { data: { a: [{ b: "hunter2" }] } }, { data: { a: [{ b: "****" }] } }],
    ["names in data", { data: { "x-hunter2": 1 } }, { data: { "x-****": 1 } }],
    ["a table", { table: { rows: [["hunter2", 1]] } }, { table: { rows: [["****", 1]] } }],
    ["HTML", { html: { content: "<b>hunter2</b>" } }, { html: { content: "<b>****</b>" } }],
    ["plain text", { text: "hunter2" }, { text: "****" }],
    ["names of readings", { perf: { hunter2: 1.5 } }, { perf: { "****": 1.5 } }],
    ["processes", { procs: { 7: { command: "login -p hunter2" } } }, { procs: { 7: { command: "login -p ****" } } }],
    ["pushed values", { push: { tags: ["hunter2"] } }, { push: { tags: ["****"] } }],
    ["a further member", { note: "hunter2" }, { note: "****" }],
    ["data for others", { serverData: { k: "hunter2" } }, { serverData: { k: "****" } }],
    ["a code of its own", { code: "hunter2" }, { code: "****" }],
  ])("%s is masked", (_name, update, expected) => {
    expect(shown(update)).toEqual(expected);
  });

  test("numbers, flags and null stay", () => {
    const update = { progress: 0.5, complete: true, data: { n: 1, none: null, yes: true } };
    expect(shown(update)).toEqual(update);
  });

  test("words of the protocol stay, even if a secret has such a value", () => {
    const update = { state: "complete", complete: true, code: "warning", params: { a: 1 } };
    expect(shown(update)).toEqual(update);
  });

  test("an invalid state is masked too", () => {
    expect(shown({ state: "hunter2", code: "abort hunter2" })).toEqual({ state: "****", code: "abort ****" });
  });

  test("a further member whose name contains a secret is left out", () => {
    expect(shown({ hunter2: 1, my_hunter2: 2, other: 3 })).toEqual({ other: 3 });
    expect(shown({ push: { hunter2: [1], other: [3] } })).toEqual({ push: { other: [3] } });
  });

  test("a file keeps the folder of its job", () => {
    const { text } = createMasker(["files", "jobs", "hunter2"]) ?? { text: String };
    const files = [{ path: "files/jobs/j1/abc/hunter2.txt", filename: "hunter2.txt", size: 1 }, "hunter2", null];
    expect(maskUpdate({ files }, text)).toEqual({
      files: [{ path: "files/jobs/j1/abc/****.txt", filename: "****.txt", size: 1 }, "****", null],
    });
  });

  test.each([["text"], [5], [null], [undefined], [["hunter2"]]])("%j is no update", (update) => {
    expect(shown(update)).toBeUndefined();
  });

  test("nothing nested too deep is kept", () => {
    let deep: unknown = "hunter2";
    for (let level = 0; level < 5000; level++) deep = { deep };
    expect(JSON.stringify(shown({ data: deep }))).not.toContain("hunter2");
  });

  test("no secret is left anywhere in it", () => {
    fc.assert(
      fc.property(fc.object({ values: [fc.constantFrom("hunter2", "x hunter2 y", "a", 1)] }), (data) => {
        expect(JSON.stringify(shown({ data, note: data, push: { actions: [data] } }))).not.toContain("hunter2");
      }),
    );
  });
});
