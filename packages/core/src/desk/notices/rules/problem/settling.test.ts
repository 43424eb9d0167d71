import { expect, test } from "vitest";
import type { NoticeHold } from "../../model.ts";
import { settling } from "./settling.ts";

const parent: NoticeHold = { kind: "dependency", id: "i1", title: "Down on r1" };
const job: NoticeHold = { kind: "job", id: "j1", title: "Patch night" };
const silence: NoticeHold = { kind: "silence", id: "q1", title: "Works" };
const at = (now: number, sampled = now) => ({ now, settle: 120, sampled });

test.each<[string, NoticeHold | undefined, ReturnType<typeof at>, number | undefined]>([
  ["a parent that has just ended", parent, at(1000), 1120],
  ["a job that has just ended", job, at(1000), 1120],
  ["the time goes on", { ...parent, until: 1120 }, at(1119), 1120],
  ["the time is over", { ...parent, until: 1120 }, at(1120), undefined],
  ["no data since the end", { ...parent, until: 1120 }, at(1200, 990), 1120],
  ["data that came since the end", { ...parent, until: 1120 }, at(1200, 1001), undefined],
  ["a clock that went back", { ...parent, until: 1120 }, at(500), 620],
  ["a parent that was not evaluated", { ...parent, id: "" }, at(1000), undefined],
  ["a silence", silence, at(1000), undefined],
  ["nothing", undefined, at(1000), undefined],
])("after %s", (_what, before, released, until) => {
  expect(settling(before, released)?.until).toBe(until);
});
