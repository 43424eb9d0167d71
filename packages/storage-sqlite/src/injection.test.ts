import { beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../core/src/testing/box/seeded-random.ts";
import { type FaultKind, type Injected, inject, placesOf } from "../test/injection.ts";

/** The long form is `npm run soak -- faults`. */
const RUNS = 1;
/** For what hangs: a scenario has four minutes, and a kind of fault up to eight of them. */
const TIMEOUT = { timeout: 2_000_000 };
/** Matches statements that begin and end transactions: each kind of them fails at least once. */
const CONTROL = /^(?:begin|commit|rollback|savepoint|release)/;

/** A random sample of places, plus one for each statement that begins or ends a transaction. */
function chosenOf(places: readonly string[]): readonly number[] {
  // The seed makes every run choose the same places.
  const { fraction } = seededRandom(20);
  const pick = (among: readonly number[]): number => among[Math.floor(fraction() * among.length)] ?? 1;
  const all = places.map((_place, index) => index + 1);
  const control = Map.groupBy(
    all.filter((at) => CONTROL.test(places[at - 1] ?? "")),
    (at) => places[at - 1],
  );
  return [...Array.from({ length: RUNS }, () => pick(all)), ...[...control.values()].map(pick)];
}

let whole: Injected;
beforeAll(async () => {
  whole = await inject({ kind: "statement", at: 0 });
}, TIMEOUT.timeout);

test.each<[FaultKind, number]>([
  ["statement", 200],
  ["transaction", 200],
  ["blob", 3],
  ["mail", 3],
  ["hook", 1],
  ["message", 5],
])(
  "a whole scenario survives any failing %s: callers are refused, nothing is lost, and it continues",
  TIMEOUT,
  async (kind, least) => {
    expect(whole.problems).toEqual([]);
    const places = placesOf(kind, whole);
    expect(places.length).toBeGreaterThan(least);
    for (const at of chosenOf(places))
      expect((await inject({ kind, at })).problems, `${kind} ${at}: ${places[at - 1]}`).toEqual([]);
  },
);
