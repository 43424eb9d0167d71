import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ticket, TicketChange } from "../model.ts";
import { appendEntries, automaticEntries, deletedEntry, editEntry } from "./changes.ts";

const ticket: Ticket = {
  ...{ id: "t1", num: 1, subject: "Lamp", body: "", status: "open", type: "issue" },
  ...{ assignees: ["ada", "bob"], cc: [], notify: [], tags: [], due: 0, changes: [] },
  ...{ username: "ada", created: 1, modified: 1 },
};
const stamp = { username: "ada", now: 1000 };
const by = (key: string, value?: unknown): TicketChange => ({
  ...{ type: "change", username: "ada", date: 1000, key },
  ...(value === undefined ? {} : { value }),
});
const entriesOf = (before: Partial<Ticket>, after: Partial<Ticket>): TicketChange[] =>
  automaticEntries({ ...ticket, ...before }, { ...ticket, ...before, ...after }, stamp);

describe("an edit records", () => {
  test.each<[string, Partial<Ticket>, TicketChange[]]>([
    ["the subject", { subject: "New" }, [by("subject", "New")]],
    ["the type", { type: "bug" }, [by("type", "bug")]],
    ["the category", { category: "ops" }, [by("category", "ops")]],
    ["the server", { server: "s1" }, [by("server", "s1")]],
    ["the status", { status: "closed" }, [by("status", "closed")]],
    ["the due date", { due: 5 }, [by("due", 5)]],
    ["the body without its text", { body: "x" }, [by("body")]],
    ["a list as a whole", { assignees: ["ada"] }, [by("assignees", ["ada"])]],
    ["a list that is empty now", { assignees: [] }, [by("assignees", [])]],
    ["several members, one entry each", { status: "closed", cc: ["x"] }, [by("status", "closed"), by("cc", ["x"])]],
    ["no list in another order", { assignees: ["bob", "ada"] }, []],
    ["no category that was and is empty", { category: "" }, []],
    ["no due date that was and is empty", { due: "" }, []],
    ["no files and events", { files: [], events: [{ id: "e" }] }, []],
    ["no unknown members", { colour: "red" }, []],
    ["nothing when nothing changed", { ...ticket }, []],
  ])("%s", (_what, after, expected) => {
    expect(entriesOf({}, after)).toEqual(expected);
  });

  test("a removed due date", () => {
    expect(entriesOf({ due: 99 }, { due: 0 })).toEqual([by("due", 0)]);
  });

  test("a list that names a tag twice", () => {
    expect(entriesOf({ tags: ["a", "b"] }, { tags: ["a", "a"] })).toEqual([by("tags", ["a", "a"])]);
  });
});

describe("a draft", () => {
  test("records nothing", () => {
    expect(entriesOf({ status: "draft" }, { subject: "New" })).toEqual([]);
  });
  test("records nothing when the ticket becomes one", () => {
    expect(entriesOf({}, { subject: "New", status: "draft" })).toEqual([]);
  });
  test("records its publishing with everything else that changed", () => {
    expect(entriesOf({ status: "draft" }, { subject: "New", status: "open" })).toEqual([
      by("subject", "New"),
      by("status", "open"),
    ]);
  });
});

describe("the history of a ticket", () => {
  const at = (date: number, key: string, value?: unknown, username = "ada"): TicketChange => ({
    ...by(key, value),
    ...{ date, username },
  });

  test("keeps the last of several entries about one member within a minute", () => {
    const changes = appendEntries([at(600, "created"), at(601, "status", "closed")], [at(659, "status", "open")]);
    expect(changes).toEqual([at(600, "created"), at(659, "status", "open")]);
  });

  test.each([
    ["another minute", at(660, "status", "open")],
    ["another member", at(602, "subject", "New")],
    ["another author", at(602, "status", "open", "bob")],
  ])("keeps both entries when there is %s", (_what, added) => {
    const before = [at(601, "status", "closed")];
    expect(appendEntries(before, [added])).toEqual([...before, added]);
  });

  test("never merges comments", () => {
    const comment = (id: string): TicketChange => ({ type: "comment", id, username: "ada", date: 601, body: "same" });
    const before = [comment("c1"), comment("c2"), at(601, "status", "closed")];
    expect(appendEntries(before, [at(602, "status", "open")])).toEqual([
      ...[comment("c1"), comment("c2")],
      at(602, "status", "open"),
    ]);
    expect(appendEntries(before, [comment("c3")])).toEqual([...before, comment("c3")]);
  });

  test("shows two deletions within a minute as one (edge case 6)", () => {
    const first = appendEntries([], [deletedEntry({ username: "ada", now: 601 })]);
    expect(appendEntries(first, [deletedEntry({ username: "ada", now: 640 })])).toEqual([at(640, "delete")]);
  });

  test("never has two entries of one member, author and minute", () => {
    const change = fc.record({
      type: fc.constant("change"),
      username: fc.constantFrom("ada", "bob"),
      date: fc.integer({ min: 0, max: 300 }),
      key: fc.constantFrom("status", "subject"),
    });
    fc.assert(
      fc.property(fc.array(change), fc.array(change, { minLength: 1 }), (before, added) => {
        const kept = appendEntries(before, added);
        const sorts = kept.map(({ key, username, date }) => `${key} ${username} ${Math.floor(date / 60)}`);
        expect(new Set(sorts).size).toBe(sorts.length);
        expect(kept.at(-1)).toEqual(added.at(-1));
      }),
    );
  });

  test("keeps the type and stamp of an edited entry", () => {
    const comment: TicketChange = { type: "comment", id: "c1", username: "ada", date: 5, body: "Old", mood: "bad" };
    const sent = { id: "c2", username: "bob", date: 9, type: "status", key: "status", body: "New", extra: 1 };
    expect(editEntry(comment, sent, 70)).toEqual({ ...comment, body: "New", extra: 1, edited: 70 });
  });
});
