import { expect, test } from "vitest";
import type { Member, Problem } from "../../model.ts";
import { added, join, pairOf, placeFor } from "./join.ts";

const member = (invocation: string, members: Partial<Member> = {}): Member => ({
  ...{ invocation, alert: "hot", server: "s1", severity: "warning", joined: 100, told: {}, standing: {} },
  ...members,
});
const told = { ops: { first: 100, last: 100, count: 1 } };

test.each<[string, Partial<Member>, string | undefined]>([
  ["an ended, unreported one", { ended: 150 }, undefined],
  ["an ended, reported one", { ended: 150, told }, "old"],
  // Its end and the next firing came with one sample, so no decision was made between them.
  ["a reported one whose end was not evaluated yet", { told }, "old"],
  ["an ended one whose end was reported", { ended: 150, told: { ops: { ...told.ops, cleared: 160 } } }, undefined],
  ["an ended one whose notice failed", { ended: 150, told: { ops: { ...told.ops, failed: true } } }, undefined],
  ["one on another server", { server: "s2", ended: 150, told }, undefined],
  ["one of another alert", { alert: "cold", ended: 150, told }, undefined],
])("a firing after %s continues it or does not", (_title, before, continues) => {
  const { members, ...joined } = join([member("old", before)], member("new"), undefined);
  expect(joined.continues).toBe(continues);
  expect(members.map(({ told: marks }) => marks)).toEqual(continues ? [{}, told] : [before.told ?? {}, {}]);
});

test("a receiver that got the end gets the next firing, and the others nothing new", () => {
  const lead = { ...told.ops, cleared: 160 };
  const standing = { ops: { verdict: "told", from: 100 }, lead: { verdict: "told", from: 160 } } as const;
  const before = member("old", { ended: 150, told: { ...told, lead }, standing });
  const [old, fresh] = join([before], member("new"), undefined).members;
  expect([old?.told, fresh?.told]).toEqual([{ lead }, told]);
  expect(fresh?.standing).toEqual({ ops: standing.ops });
});

const problem = (id: string, members: readonly Member[]): Problem => ({
  ...{ id, route: "all", key: "k", severity: "warning", opened: 100, closed: null, sides: {}, steps: 0, due: 100 },
  members: [...members],
});

test.each([
  ["another server", { server: "s2" }],
  ["another alert", { alert: "cold" }],
  ["another alert on another server", { alert: "cold", server: "s2" }],
])("a firing of %s is added without a search, as a search would add it", (_title, other) => {
  const old = member("old", { told, flap: { since: 100, quiet: 1800, count: 4, latest: "old" } });
  const fresh = member("new", other);
  const episode = { since: 200, quiet: 1800, count: 4 };
  expect(pairOf(fresh)).not.toBe(pairOf(old));
  expect(added([old], fresh, episode)).toEqual(join([old], fresh, episode));
  expect(added([old], fresh, undefined)).toEqual(join([old], fresh, undefined));
  const open = [problem("first", []), problem("second", [old])];
  expect(placeFor(open, "k", undefined)).toBe(placeFor(open, "k", fresh));
  expect(placeFor(open, "k", member("again"))?.id).toBe("second");
});
