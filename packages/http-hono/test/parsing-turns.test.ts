import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createParsingTurns } from "../src/json/parsing-turns.ts";

/** The turn in which each size may continue; 0 = the turn in which all were requested. */
async function turnsOf(sizes: readonly number[]): Promise<number[]> {
  const turns = createParsingTurns(100);
  const ran: number[] = [];
  let turn = 0;
  for (const [index, size] of sizes.entries())
    void turns.take(size).then(() => {
      ran[index] = turn;
    });
  // Parsing that needs no other turn has continued before the first turn ends.
  for (let tick = 0; tick < 5; tick++) await undefined;
  for (turn = 1; turn < 10; turn++) await nextTurn();
  return ran;
}

describe("bodies that are parsed at the same time", () => {
  test.each<[string, number[], number[]]>([
    ["share a turn while they fit", [40, 40, 20], [0, 0, 0]],
    ["continue in later turns, in order", [60, 60, 60], [0, 1, 2]],
    ["do not overtake one that waits", [60, 60, 10], [0, 1, 1]],
    ["have a turn to themselves when they are too long for one", [500, 500, 10], [0, 1, 2]],
  ])("%s", async (_what, sizes, expected) => {
    expect(await turnsOf(sizes)).toEqual(expected);
  });

  test("find the next turn free", async () => {
    const turns = createParsingTurns(100);
    await turns.take(100);
    await nextTurn();
    let isThere = false;
    void turns.take(100).then(() => {
      isThere = true;
    });
    for (let tick = 0; tick < 5; tick++) await undefined;
    expect(isThere).toBe(true);
  });
});
