import { expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { type Fleet, useFleets } from "../../../../test/fleet/fleet.ts";
import { invocationCollection } from "../../../fleet/alerts/collection.ts";
import { noticeCollection } from "../collection.ts";
import type { Notice } from "../model.ts";

const start = useFleets();

const content: Notice = {
  ...{ id: "", new: [], groups: [] },
  ...{ problem: "pg1", receiver: "ops", route: "all", seq: 1, date: 9, severity: "warning" },
  ...{ kind: "firing", outcome: "sent", repeated: [], over: [], still: [], text: "Hot", attempts: 1, next: 9 },
};
/** A caller who may see only the first firing. */
const limited = keyWith([], { groups: ["own"], categories: ["ops"] });

/** One notice about a firing on a server of the group "own", one of the group "far" and an event, and one about a receiver. */
async function tell({ storage }: Fleet): Promise<void> {
  const firing = { date: 5, active: true, modified: 6, tickets: [], exp: "1", message: "Hot", count: 1, jobs: [] };
  const event = { type: "event", id: "e1", title: "Backup" } as const;
  const firings = [
    { ...firing, id: "a1", alert: "hot", server: "s1", groups: ["own"], notified: true },
    { ...firing, id: "a2", alert: "full", server: "s2", groups: ["far"], notified: true },
    { ...firing, id: "a3", alert: "late", server: "", groups: [], subject: event, category: "rail", notified: true },
  ];
  const mixed: Notice = {
    ...{ ...content, id: "no1", new: ["a1", "a2", "a3"], alerts: ["hot", "full", "late"], categories: ["rail"] },
    ...{ subjects: ["s1", "s2", "event:e1"], groups: ["own", "far"] },
  };
  const turned = { receiver: "room", title: "Room", description: "HTTP 503" };
  const dead: Notice = { ...content, id: "no2", problem: "room", kind: "receiver_dead", turned };
  await storage.write(async (tx) => {
    await tx.collection(invocationCollection).insertMany(firings);
    await tx.collection(noticeCollection).insertMany([mixed, dead]);
  });
}

test.each([
  ["subject:s1", true],
  ["subject:s2", false],
  ["subject:s2|s1", true],
  ["subject:event:e1", false],
  ["alert:hot", true],
  ["alert:full", false],
  ["invocation:a1", true],
  ["invocation:a2", false],
  ["groups:own", true],
  ["groups:far", false],
  ["categories:rail", false],
  ["kind:firing -subject:s2", true],
  ["kind:firing -subject:s1", false],
  ["kind:firing -alert:full -categories:rail -groups:far", true],
  ["receiver:ops kind:firing", true],
  ["receiver:room", false],
  ['(subject = "s2")', false],
  ['((subject = "s2") || (alert = "hot"))', true],
])("a search by a limited caller for %s finds the notice: %s", async (query, isFound) => {
  const fleet = await start();
  await tell(fleet);
  const { rows, list } = await fleet.signalbox.as(limited).searchNotices({ query, limit: 10 });
  expect([rows.map(({ id }) => id), list.length]).toEqual(isFound ? [["no1"], 1] : [[], 0]);
});

test("callers without limits find a notice by each of its firings", async () => {
  const fleet = await start();
  await tell(fleet);
  for (const query of ["subject:s2", "alert:full", "invocation:a3", "groups:far", "categories:rail"])
    expect((await fleet.signalbox.api.searchNotices({ query })).rows).toMatchObject([{ id: "no1" }]);
});

test("a query with more conditions about firings than a limited caller may use is refused", async () => {
  const fleet = await start();
  const query = Array.from({ length: 21 }, (_, at) => `alert:a${at}`).join(" ");
  expect(await refusalOf(fleet.signalbox.as(limited).searchNotices({ query }))).toEqual({
    code: "db",
    description: "Failed DB search: The query has too many parts",
  });
  expect((await fleet.signalbox.api.searchNotices({ query })).rows).toEqual([]);
});

test("notices about receivers are hidden from limited callers, whatever their limits", async () => {
  const fleet = await start();
  await tell(fleet);
  for (const limits of [{ groups: ["own"] }, { categories: ["rail"] }]) {
    const other = fleet.signalbox.as(keyWith([], limits));
    expect((await other.searchNotices({ limit: 10 })).rows.map(({ id }) => id)).toEqual(["no1"]);
    expect((await refusalOf(other.getNotice({ id: "no2" }))).code).toMatch(/access|notfound/);
  }
  expect((await fleet.signalbox.api.searchNotices({ limit: 10 })).rows.map(({ id }) => id)).toEqual(["no2", "no1"]);
});

test("a notice that is read alone names the firings that the caller may see, with their states", async () => {
  const fleet = await start();
  await tell(fleet);
  await fleet.storage.write((tx) =>
    tx
      .collection(noticeCollection)
      .update("no1", (stored) => ({ ...stored, new: ["a2"], over: ["a1"], still: ["a3"] })),
  );
  const a1 = { invocation: "a1", state: "over" };
  const { notice } = await fleet.signalbox.api.getNotice({ id: "no1" });
  expect(notice.members).toEqual([{ invocation: "a2", state: "new" }, a1, { invocation: "a3", state: "still" }]);
  const own = await fleet.signalbox.as(limited).getNotice({ id: "no1" });
  expect(own.notice).toMatchObject({ members: [a1], hidden: 2 });
});
