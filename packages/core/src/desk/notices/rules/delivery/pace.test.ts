import { expect, test } from "vitest";
import type { Receiver } from "../../model.ts";
import { afterRequest, type Pace, pacedAt, paceOf } from "./pace.ts";

test.each<[Partial<Receiver>, Pace | undefined]>([
  [{ type: "slack" }, { burst: 1, everySec: 1 }],
  [{ type: "pagerduty" }, { burst: 2, everySec: 0.5 }],
  [{ type: "ntfy" }, { burst: 10, everySec: 5 }],
  [
    { type: "telegram", settings: { chat: "77" } },
    { burst: 1, everySec: 1 },
  ],
  [
    { type: "telegram", settings: { chat: "-100" } },
    { burst: 1, everySec: 3 },
  ],
  [
    { type: "web_hook", format: "telegram", settings: { chat: "-100" } },
    { burst: 1, everySec: 3 },
  ],
  [
    { type: "web_hook", format: "discord" },
    { burst: 1, everySec: 1 },
  ],
  [{ type: "web_hook", format: null }, undefined],
  [{ type: "mail" }, undefined],
  [{ type: "user" }, undefined],
])("%j has the pace %j", (receiver, pace) => {
  expect(paceOf(receiver as Receiver)).toEqual(pace);
});

/** Times of `count` requests that are sent as early as allowed, beginning at `from`. */
function times(pace: Pace, count: number, from: number): number[] {
  const all: number[] = [];
  let takenIn: number | undefined;
  for (let now = from; all.length < count; ) {
    now = Math.max(now, pacedAt(takenIn, now, pace));
    takenIn = afterRequest(takenIn, now, pace);
    all.push(now);
  }
  return all;
}

test.each<[Pace, number[]]>([
  [{ burst: 1, everySec: 1 }, [100, 101, 102, 103]],
  [{ burst: 2, everySec: 0.5 }, [100, 100, 100.5, 101]],
  [{ burst: 3, everySec: 5 }, [100, 100, 100, 105]],
])("with %j requests go at %j", (pace, expected) => {
  expect(times(pace, 4, 100)).toEqual(expected);
});

test("after a rest there is room for a full burst again, and for no more", () => {
  const pace = { burst: 2, everySec: 1 };
  const takenIn = afterRequest(undefined, 100, pace);
  expect(pacedAt(takenIn, 100, pace)).toBe(100);
  const rested = afterRequest(takenIn, 1000, pace);
  expect(pacedAt(rested, 1000, pace)).toBe(1000);
  expect(pacedAt(afterRequest(rested, 1000, pace), 1000, pace)).toBe(1001);
});

test("a time noted by a clock that was ahead delays no request", () => {
  const pace = { burst: 1, everySec: 1 };
  const takenIn = afterRequest(undefined, 90_000, pace);
  expect(pacedAt(takenIn, 100, pace)).toBeLessThan(100);
  expect(pacedAt(afterRequest(takenIn, 100, pace), 100, pace)).toBe(101);
});
