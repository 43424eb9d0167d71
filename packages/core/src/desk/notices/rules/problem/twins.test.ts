import { expect, test } from "vitest";
import type { Member, ToldMark } from "../../model.ts";
import { withTwin } from "./marks.ts";

const mark = (members: Partial<ToldMark> = {}): ToldMark => ({ first: 10, last: 10, count: 1, ...members });
const member = (own: ToldMark | undefined): Member =>
  ({ invocation: "i1", told: { other: mark(), ...(own ? { r: own } : {}) }, standing: {} }) as never;

test.each<[string, ToldMark | undefined, ToldMark | undefined, ToldMark | undefined]>([
  ["nothing to either", undefined, undefined, undefined],
  ["to the other", undefined, mark(), mark({ twin: true })],
  ["to the other, where it did not arrive", undefined, mark({ failed: true, count: 0 }), undefined],
  ["to the other, which waits for the end", undefined, mark({ count: 0 }), undefined],
  ["to this one", mark(), undefined, mark()],
  ["to this one, as the other has noted", mark(), mark({ twin: true }), mark()],
  ["to the other, where it did not arrive after all", mark({ twin: true }), mark({ failed: true }), undefined],
  ["to the other, which was called off", mark({ twin: true }), undefined, undefined],
  ["to the other after this one failed", mark({ failed: true, count: 0 }), mark(), mark({ twin: true })],
  ["to neither, as both have it from each other", undefined, mark({ twin: true }), undefined],
  ["again to the other", mark(), mark({ last: 90, count: 2, twin: true }), mark({ last: 90 })],
  ["its end to the other", mark(), mark({ cleared: 70, twin: true }), mark({ cleared: 70 })],
  ["its end to this one first", mark({ cleared: 60 }), mark({ cleared: 70 }), mark({ cleared: 60 })],
  ["as flapping to the other", undefined, mark({ flap: 5 }), mark({ twin: true })],
])("notices to two receivers with one address were sent: %s", (_what, own, twin, expected) => {
  const { told } = withTwin(member(own), "r", twin);
  expect(told).toEqual({ other: mark(), ...(expected ? { r: expected } : {}) });
});
