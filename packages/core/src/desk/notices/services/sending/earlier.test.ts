import { expect, test } from "vitest";
import { useFleets } from "../../../../../test/fleet/fleet.ts";
import { noticeCollection } from "../../collection.ts";
import type { Notice } from "../../model.ts";
import { earlierNotices } from "./earlier.ts";

const start = useFleets();

const notice = (seq: number): Notice => ({
  ...{ id: `n${String(seq).padStart(3, "0")}`, problem: "pg1", receiver: "ops", route: "all", seq, kind: "repeat" },
  ...{ date: 1000 + seq, severity: "warning", new: [], repeated: [], over: [], still: [], groups: [] },
  ...{ outcome: "sent", text: "", attempts: 1, next: 1000 + seq },
});

test.each([
  [3, [1, 2]],
  [150, Array.from({ length: 149 }, (_each, at) => at + 1)],
])("all earlier notices of %d are known, in their order", async (count, expected) => {
  const { storage } = await start();
  const all = Array.from({ length: count }, (_each, at) => notice(at + 1));
  await storage.write((tx) => tx.collection(noticeCollection).insertMany(all));
  const found = await earlierNotices(notice(count), { snapshot: storage.read });
  expect(found.map(({ seq }) => seq)).toEqual(expected);
});

test("the first and the last ones of very many notices are known", async () => {
  const { storage } = await start();
  const all = Array.from({ length: 450 }, (_each, at) => notice(at + 1));
  await storage.write((tx) => tx.collection(noticeCollection).insertMany(all));
  const found = await earlierNotices(notice(450), { snapshot: storage.read });
  expect([found[0]?.seq, found.at(-1)?.seq, found.length]).toEqual([1, 449, 199]);
});
