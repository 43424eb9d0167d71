import { describe, expect, test } from "vitest";
import { changeKey, changesOfDefinitions, isOwnNews, packChanges } from "./changes.ts";
import { bulkPage, isOnPage, jobOfPage, pagesOf, readingsOfPage } from "./page.ts";
import { createRing } from "./ring.ts";

describe("the address of a page", () => {
  test.each([
    ["Job?id=j1", "Job?id=j1", true],
    ["#Job?id=j1&tab=log", "Job?id=j1", true],
    ["Job?id=j2", "Job?id=j1", false],
    ["Jobs?id=j1", "Job?id=j1", false],
    ["Job", "Job?id=j1", false],
    ["Job?id=j1", "Job", true],
    ["", "Job?id=j1", false],
    ["Job?id=%6a1", "Job?id=j1", true],
  ])("%s follows %s: %s", (loc, target, answer) => {
    expect(isOnPage(loc, target)).toBe(answer);
  });

  test("may name several pages, one on each line", () => {
    expect(pagesOf("Job?id=j1\nTickets\n\nJob?id=j1")).toEqual(["Job?id=j1", "Tickets"]);
    expect([pagesOf(""), pagesOf(undefined)]).toEqual([[], []]);
  });

  test("names the job of its page", () => {
    expect([jobOfPage("#Job?id=j1"), jobOfPage("Ticket?id=t1"), jobOfPage("Job")]).toEqual([
      "j1",
      undefined,
      undefined,
    ]);
  });

  test.each([
    ["Readings?group=main", { group: "main", monitors: undefined }],
    ["#Readings?group=main&monitors=a,b", { group: "main", monitors: ["a", "b"] }],
    ["Readings?group=", undefined],
    ["Readings", undefined],
    ["Group?group=main", undefined],
  ])("%s shows readings: %j", (loc, expected) => {
    expect(readingsOfPage(loc)).toEqual(expected && { loc, ...expected });
  });

  test.each(["Job?id=%00", "Job?id=", "Job?id=a%20b", `Job?id=${"j".repeat(65)}`])("%j names no job", (loc) => {
    expect(jobOfPage(loc)).toBeUndefined();
  });

  test.each([
    ["jobs", "Search"],
    ["tickets", "Tickets"],
    ["alerts", "Alerts"],
    ["snapshots", "Snapshots"],
    ["constructor", undefined],
  ])("names the list of a bulk deletion of %s: %s", (list, name) => {
    expect(bulkPage(list)).toBe(name);
  });
});

describe("the ring of recent changes", () => {
  const alerts = { kind: "alerts" } as const;

  test("gives the changes after a number as long as it keeps them", () => {
    const ring = createRing(3);
    expect(ring.after(0)).toEqual([]);
    for (let n = 0; n < 5; n++) ring.add(alerts);
    expect(ring.after(5)).toEqual([]);
    expect(ring.after(2)?.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect([ring.after(1), ring.after(6)]).toEqual([undefined, undefined]);
  });

  test("keeps its bound with any number of changes", () => {
    const ring = createRing(10);
    for (let n = 0; n < 1000; n++) {
      ring.add(alerts);
      expect(ring.after(Math.max(0, ring.seq - 10))?.length).toBe(Math.min(10, n + 1));
    }
  });

  test("resumes nothing from before it was cleared", () => {
    const ring = createRing(3);
    ring.add(alerts);
    ring.clear();
    expect([ring.after(0), ring.after(1), ring.after(2)]).toEqual([undefined, undefined, []]);
    ring.add(alerts);
    expect(ring.after(2)).toHaveLength(1);
  });
});

describe("changes", () => {
  test("of one record count as one, and each message to users counts", () => {
    const keyOf = (id: string) => changeKey({ kind: "job", id }, 5);
    expect(keyOf("a")).toBe(keyOf("a"));
    expect(keyOf("a")).not.toBe(changeKey({ kind: "completed", id: "a" }, 5));
    expect(changeKey({ kind: "bulk", list: "jobs" }, 1)).not.toBe(changeKey({ kind: "bulk", list: "alerts" }, 1));
    const notify = { kind: "notify", data: {} } as const;
    expect(changeKey(notify, 1)).not.toBe(changeKey(notify, 2));
  });

  test("are sent by list for definitions, one by one for keys and users, and not at all for other collections", () => {
    expect(changesOfDefinitions("tags", ["a", "b"])).toEqual([{ kind: "list", list: "tags" }]);
    for (const list of ["heartbeats", "checks"])
      expect(changesOfDefinitions(list, ["a"])).toEqual([{ kind: "list", list }]);
    expect(changesOfDefinitions("check_results", ["a"])).toEqual([]);
    expect(changesOfDefinitions("users", ["a", "b"])).toEqual([
      { kind: "user", id: "a" },
      { kind: "user", id: "b" },
    ]);
    expect(changesOfDefinitions("sessions", ["a"])).toEqual([]);
    expect(changesOfDefinitions("constructor", ["a"])).toEqual([]);
    expect([isOwnNews({ kind: "alerts" }), isOwnNews({ kind: "list", list: "tags" })]).toEqual([true, false]);
  });

  test("for other nodes are split to fit into messages, and too large ones are left out", () => {
    const many = Array.from({ length: 500 }, (_unused, n) => ({ kind: "job", id: `j${n}` }) as const);
    const large = { kind: "notify", data: { message: "é".repeat(4000) } } as const;
    const packs = packChanges([...many.slice(0, 250), large, ...many.slice(250)]);
    expect(packs.flat()).toEqual(many);
    for (const pack of packs) expect(Buffer.byteLength(JSON.stringify(pack))).toBeLessThan(7100);
    expect(packChanges([])).toEqual([]);
  });
});
