import { describe, expect, test } from "vitest";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import type { MetaRow } from "../../../work/jobs/model.ts";
import { MAX_TEXT, newsOf, type OutputNews, type PageFacts, type Told, toldOf } from "./job-page.ts";

const row = (id: string, msg = `line ${id}`): MetaRow => ({ id, epoch: 1, msg, server: "s1" });
const action = (members: object = {}): Action => ({ enabled: true, condition: "complete", type: "email", ...members });
const limit = (members: object = {}): Limit => ({ enabled: true, type: "log", ...members });
const facts = (members: Partial<PageFacts> = {}): PageFacts => ({
  ...{ rows: [], actions: [], limits: [], minute: undefined, isUploaded: false },
  ...members,
});
const NOTHING: Told = toldOf(facts(), 0);
const news = (told: Told, seen: PageFacts, output?: OutputNews) =>
  newsOf(told, seen, output).map(({ cmd, data }) => [cmd, data]);

describe("an unchanged job sends no news", () => {
  const minute = { epoch: 60, procs: {} };
  test.each<[string, PageFacts]>([
    ["empty", facts()],
    ["lines", facts({ rows: [row("a"), row("b")] })],
    ["results", facts({ actions: [action({ date: 5, code: 0 })], limits: [limit({ date: 6, msg: "Too much" })] })],
    ["a minute", facts({ minute })],
    ["a log that is moved", facts({ isUploaded: true })],
  ])("%s", (_what, seen) => {
    expect(news(toldOf(seen, 10), seen)).toEqual([]);
  });
});

describe("each change of a job is sent once, in order", () => {
  const fired = limit({ date: 7, msg: "Too much" });
  const done = action({ date: 8, code: 0 });
  const minute = { epoch: 120, procs: { 1: { cpu: 5 } } };
  const before = facts({ rows: [row("a")], actions: [action(), action()], limits: [limit()] });
  const after = facts({
    ...{ rows: [row("a"), row("b"), row("c")], actions: [action(), done], limits: [fired] },
    ...{ minute, isUploaded: true },
  });

  test("all changes at once", () => {
    expect(news(toldOf(before, 3), after, { sizeBytes: 8, text: "five\n" })).toEqual([
      ["log_append", { text: "five\n", end: 8 }],
      ["meta_row", row("b")],
      ["meta_row", row("c")],
      ["minute_append", minute],
      ["action_append", { action: done }],
      ["limit_triggered", { msg: "Too much", limits: [fired] }],
      ["log_uploaded", {}],
    ]);
  });

  test("a new result at the same place", () => {
    const again = facts({ actions: [action(), { ...done, date: 9 }] });
    expect(news(toldOf(after, 0), again)).toEqual([["action_append", { action: again.actions[1] }]]);
  });

  test.each<[string, Partial<PageFacts>]>([
    ["an action without a result", { actions: [action()] }],
    ["a limit that is only exceeded for now", { limits: [limit({ when: 5 })] }],
    ["a minute before the last", { minute: { epoch: 60, procs: {} } }],
  ])("%s is no news", (_what, seen) => {
    expect(news({ ...NOTHING, minute: 120 }, facts(seen))).toEqual([]);
  });
});

describe("news of output", () => {
  test.each<[string, number, OutputNews, string[]]>([
    ["whole", 2, { sizeBytes: 6, text: "a\nb\n" }, ["a\nb\n"]],
    ["of more than one byte a character", 0, { sizeBytes: 4, text: "éé" }, ["éé"]],
    ["with a gap", 2, { sizeBytes: 106, text: "a\nb\n" }, ["\n[100 bytes of output are not shown here]\n", "a\nb\n"]],
    ["removed output", 0, { sizeBytes: 100, text: "" }, ["\n[100 bytes of output are not shown here]\n"]],
  ])("%s", (_what, bytes, output, texts) => {
    const told = news({ ...NOTHING, bytes }, facts(), output);
    expect(told).toMatchObject(texts.map((text) => ["log_append", { text }]));
    if (output.text) expect(told.at(-1)).toEqual(["log_append", { text: output.text, end: output.sizeBytes }]);
  });
});

describe("lines of the meta log", () => {
  const many = (count: number, msg?: string) => Array.from({ length: count }, (_none, n) => row(`r${n}`, msg));
  const told = (rows: readonly MetaRow[], after?: string) =>
    newsOf({ ...NOTHING, row: after }, facts({ rows }), undefined).map(({ data }) => (data as MetaRow).msg);

  test.each<[string, readonly MetaRow[], string | undefined, number, string]>([
    ["all, when the last sent row no longer exists", many(5), "gone", 5, "line r0"],
    ["the rows after the last sent one", many(5), "r1", 3, "line r2"],
    ["the last hundred", many(250), undefined, 101, "[150 lines are not shown here]"],
    ["the last of much text", many(50, "x".repeat(10_000)), undefined, 7, "[44 lines are not shown here]"],
    ["a single line that is too long", many(1, "x".repeat(MAX_TEXT + 1)), undefined, 1, "[1 lines are not shown here]"],
  ])("%s", (_what, rows, after, count, first) => {
    const lines = told(rows, after);
    expect([lines.length, lines[0]]).toEqual([count, first]);
  });
});
