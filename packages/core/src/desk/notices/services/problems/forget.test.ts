import { expect, test } from "vitest";
import { type Fleet, useFleets } from "../../../../../test/fleet/fleet.ts";
import { decisionCollection, noticeCollection, problemCollection } from "../../collection.ts";
import type { Decision, Notice, Problem } from "../../model.ts";
import { forgetExcess } from "./forget.ts";

const start = useFleets();
const DAY = 86_400;

const notice = (id: string, date: number, outcome: Notice["outcome"] = "sent"): Notice => ({
  ...{ id, problem: "pg1", receiver: "ops", route: "all", seq: 1, kind: "firing", date, severity: "warning" },
  ...{ new: [], repeated: [], over: [], still: [], groups: [], outcome, text: "", attempts: 1, next: date },
});

const depsOf = ({ clock, storage }: Fleet) => ({
  clock,
  snapshot: storage.read,
  transact: (work: (unit: never) => Promise<unknown>) => storage.write((tx) => work({ tx } as never)),
});

test("the oldest notices are deleted when there are too many, but no pending one", async () => {
  const fleet = await start();
  const now = Math.floor(fleet.clock.now());
  const all = Array.from({ length: 500 }, (_each, at) => notice(`n${String(at).padStart(3, "0")}`, now + at));
  await fleet.storage.write((tx) =>
    tx.collection(noticeCollection).insertMany([notice("first", now - 1, "pending"), ...all]),
  );
  await forgetExcess(depsOf(fleet) as never, 100, new AbortController().signal);
  const kept = (await fleet.storage.read((tx) => tx.collection(noticeCollection).list())).map(({ id }) => id);
  expect(kept.toSorted()).toEqual(["first", ...all.slice(400).map(({ id }) => id)]);
});

const problem = (id: string, opened: number, closed: number | null): Problem => ({
  ...{ id, route: "all", key: "[]", severity: "warning", opened, closed },
  ...{ members: [], sides: {}, steps: 0, due: null },
});

test("a problem is kept for thirty days after it closed, however long ago it was opened", async () => {
  const fleet = await start();
  const now = Math.floor(fleet.clock.now());
  const closed = (id: string, at: number): Problem => problem(id, now - 60 * DAY, at);
  await fleet.storage.write((tx) =>
    tx
      .collection(problemCollection)
      .insertMany([closed("young", now - DAY), closed("old", now - 31 * DAY), closed("older", now - 40 * DAY)]),
  );
  await fleet.clock.advance(3700);
  const kept = (await fleet.storage.read((tx) => tx.collection(problemCollection).list())).map(({ id }) => id);
  expect(kept).toEqual(["young"]);
});

test("notices of a continuing problem stay: its end goes to the place and the thread of the first", async () => {
  const fleet = await start({ config: { notices: { enabled: false } } });
  const now = Math.floor(fleet.clock.now());
  const notices = Array.from(
    { length: 450 },
    (_each, at): Notice => ({
      ...notice(`n${String(at).padStart(3, "0")}`, now - 50 * DAY + at),
      problem: at % 225 === 0 ? "live" : "gone",
    }),
  );
  await fleet.storage.write(async (tx) => {
    await tx.collection(problemCollection).insertMany([problem("live", now - 60 * DAY, null)]);
    await tx.collection(noticeCollection).insertMany([...notices, notice("young", now - DAY)]);
  });
  await fleet.clock.advance(3700);
  const kept = (await fleet.storage.read((tx) => tx.collection(noticeCollection).list())).map(({ id }) => id);
  expect(kept.toSorted()).toEqual(["n000", "n225", "young"]);
});

test("a decision is kept for thirty days after its end, however long it lasted", async () => {
  const fleet = await start();
  const now = Math.floor(fleet.clock.now());
  const decision = (id: string, from: number, to: number | null): Decision => ({
    ...{ id, invocation: "a1", receiver: "ops", verdict: "told", from, to },
  });
  await fleet.storage.write((tx) =>
    tx
      .collection(decisionCollection)
      .insertMany([decision("long", now - 60 * DAY, now - DAY), decision("old", now - 60 * DAY, now - 31 * DAY)]),
  );
  await fleet.clock.advance(3700);
  const kept = (await fleet.storage.read((tx) => tx.collection(decisionCollection).list())).map(({ id }) => id);
  expect(kept).toEqual(["long"]);
});
