import { expect, test } from "vitest";
import { type Fleet, useFleets } from "../../../../../test/fleet/fleet.ts";
import { noticeCollection, problemCollection } from "../../collection.ts";
import type { Notice, Problem } from "../../model.ts";
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

test("the oldest notices go when there are too many, and none that is on its way", async () => {
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

test("a problem is kept for thirty days after it closed, however long ago it was opened", async () => {
  const fleet = await start();
  const now = Math.floor(fleet.clock.now());
  const problem = (id: string, closed: number | null): Problem => ({
    ...{ id, route: "all", key: "[]", severity: "warning", opened: now - 60 * DAY, closed },
    ...{ members: [], sides: {}, steps: 0, due: null },
  });
  await fleet.storage.write((tx) =>
    tx
      .collection(problemCollection)
      .insertMany([problem("young", now - DAY), problem("old", now - 31 * DAY), problem("older", now - 40 * DAY)]),
  );
  await fleet.clock.advance(3700);
  const kept = (await fleet.storage.read((tx) => tx.collection(problemCollection).list())).map(({ id }) => id);
  expect(kept).toEqual(["young"]);
});
