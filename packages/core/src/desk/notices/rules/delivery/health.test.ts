import { describe, expect, test } from "vitest";
import { type Attempted, afterAttempt, type Health, triedAgainAt, turnOf } from "./health.ts";

const HOUR = 3600;

/** Plays outcomes one after another, each with its second. */
function play(attempts: readonly (readonly [number, Attempted["outcome"]])[]) {
  let health: Health | undefined;
  const turns: string[] = [];
  for (const [now, outcome] of attempts) {
    const next = afterAttempt(health, { outcome, description: `at ${now}`, now });
    const turn = turnOf(health, next);
    if (turn) turns.push(`${now} ${turn}`);
    health = next;
  }
  return { health, turns };
}

describe("a receiver", () => {
  test.each<[string, (readonly [number, Attempted["outcome"]])[], Partial<Health>, string[]]>([
    ["is fine when it was reached", [[5, "sent"]], { state: "ok", since: 5, last_ok: 5, given_up: 0 }, []],
    ["is still fine while it is tried again", [[5, "pending"]], { state: "ok", last_error: "at 5", given_up: 0 }, []],
    ["fails with one notice given up", [[5, "failed"]], { state: "failing", since: 5, last_error: "at 5" }, []],
    [
      "is dead with the third in a row",
      [
        [5, "failed"],
        [6, "failed"],
        [7, "failed"],
        [8, "failed"],
      ],
      { state: "dead", since: 7, given_up: 4, tried: 8 },
      ["7 receiver_dead"],
    ],
    [
      "is dead when it has failed for an hour",
      [
        [5, "failed"],
        [4 + HOUR, "pending"],
        [5 + HOUR, "pending"],
      ],
      { state: "dead", since: 5 + HOUR, given_up: 1 },
      [`${5 + HOUR} receiver_dead`],
    ],
    [
      "is not dead when something arrived in between",
      [
        [5, "failed"],
        [6, "failed"],
        [7, "sent"],
        [8, "failed"],
      ],
      { state: "failing", since: 8, last_ok: 7, given_up: 1 },
      [],
    ],
    [
      "is back with the first that arrives",
      [
        [5, "failed"],
        [6, "failed"],
        [7, "failed"],
        [9, "sent"],
      ],
      { state: "ok", since: 9, given_up: 0, last_error: "at 7" },
      ["7 receiver_dead", "9 receiver_back"],
    ],
  ])("%s", (_what, attempts, health, turns) => {
    const played = play(attempts);
    expect(played.health).toMatchObject(health);
    expect(played.turns).toEqual(turns);
  });

  test("a dead receiver is tried once a minute, any other at once", () => {
    const dead: Health = { state: "dead", since: 1, given_up: 3, tried: 100 };
    expect(triedAgainAt(dead)).toBe(160);
    expect(triedAgainAt({ ...dead, state: "failing" })).toBeUndefined();
    expect(triedAgainAt(undefined)).toBeUndefined();
  });
});
