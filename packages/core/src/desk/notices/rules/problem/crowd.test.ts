import { expect, test } from "vitest";
import { TIMING } from "../../../../../test/desk/notice-play.ts";
import type { Problem } from "../../model.ts";
import type { Facts } from "./facts.ts";
import { settle } from "./settle.ts";

test("a pass over a thousand firings reads the hold of a receiver once, not once for each firing", () => {
  const firings = Array.from({ length: 1000 }, (_each, at) => `i${at}`);
  const told = { joined: 0, told: {}, standing: {} };
  const members = firings.map((invocation) => ({
    ...told,
    invocation,
    alert: "hot",
    server: invocation,
    severity: "info",
  }));
  const crowd: Problem = {
    ...{ id: "pg1", route: "rt1", key: "", severity: "info", opened: 0, closed: null, members },
    ...{ sides: {}, steps: 0, due: 0 },
  };
  const looks = { timing: 0 };
  const facts: Facts = {
    now: 0,
    get timing() {
      looks.timing++;
      return { ...TIMING, steps: [{ after: 0, to: ["ops", "chat", "lead"] }] };
    },
    sights: new Map(firings.map((id) => [id, { severity: "info" }])),
    ...{ unreachable: () => undefined, keepsState: () => false, isTaker: () => false, onDuty: () => undefined },
    ...{ full: () => undefined, newId: () => "no1" },
  };
  const { problem } = settle(crowd, facts);
  const waits = problem.members.map(({ standing }) => standing["lead"]?.by?.kind);
  expect(new Set(waits)).toEqual(new Set(["grouping"]));
  expect(waits).toHaveLength(1000);
  // A few per firing and receiver; if the hold were computed for each firing, it would be three million.
  expect(looks.timing).toBeLessThan(10_000);
});
