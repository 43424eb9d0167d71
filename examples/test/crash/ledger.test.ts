import { expect, test } from "vitest";
import { compareKeys, compareRecords, createLedger } from "./ledger.ts";

type Change = "create" | "update" | "delete" | undefined;

const ledgerOf = (acknowledged: number, inFlight: Change = undefined, deleted = false) => {
  const ledger = createLedger();
  ledger.entries.tag.set("t", { acknowledged, inFlight, deleted });
  return ledger;
};
const tag = (revision: number, notes = `revision ${revision}`) => [{ id: "t", revision, notes }];

test.each([
  ["a lost create", ledgerOf(1), [], "acknowledged but lost"],
  ["a lost update", ledgerOf(3), tag(2), "acknowledged revision 3, stored 2"],
  ["a lost delete", ledgerOf(3, undefined, true), tag(3), "deleted but still there"],
  ["a change that no one requested", ledgerOf(1), tag(2), "stored revision 2 was never asked for"],
  ["a half-written record", ledgerOf(1, "update"), tag(2, "revision 1"), 'half-written: revision 2, "revision 1"'],
])("the comparison finds %s", (_name, ledger, stored, fault) => {
  expect(compareRecords(ledger, "tag", stored)).toEqual([`tag t: ${fault}`]);
});

test.each([
  ["create", ledgerOf(0, "create"), [[], tag(1)]],
  ["update", ledgerOf(1, "update"), [tag(1), tag(2)]],
  ["delete", ledgerOf(3, "delete"), [tag(3), []]],
] as const)("a %s without an answer may be stored or not", (_name, ledger, outcomes) => {
  for (const stored of outcomes) expect(compareRecords(structuredClone(ledger), "tag", stored)).toEqual([]);
});

test("the comparison finds lost, doubled and half-written keys", () => {
  const ledger = createLedger();
  const plain = "abcd0000000000000000wxyz";
  ledger.keys.set("k", { id: "k1", plain });
  const key = { id: "k1", title: "k", mask: "abcd********wxyz" };
  expect(compareKeys(ledger, [key])).toEqual([]);
  expect(compareKeys(ledger, [])).toEqual(["key k: acknowledged but lost"]);
  expect(compareKeys(ledger, [key, key])).toEqual(["key k: stored 2 times"]);
  expect(compareKeys(ledger, [{ ...key, mask: "" }])).toEqual(['key k: half-written: mask ""']);
});
