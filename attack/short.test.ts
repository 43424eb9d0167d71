import { expect, test } from "vitest";
import { QUICK_PASSWORDS } from "../scripts/code/code.ts";
import { GROUPS } from "./attacks/index.ts";
import { attackAll } from "./stage/attack-all.ts";

test("the short form of all attacks exceeds no bound", async () => {
  const said: string[] = [];
  const report = await attackAll(GROUPS, {
    seed: "1",
    only: [],
    short: true,
    storage: "sqlite",
    // Password hashes are cheap here and at full cost in the whole attack: they occupy threads of the pool, and the event loop
    // does not wait for them.
    nodeArguments: QUICK_PASSWORDS,
    say: (line) => said.push(line),
  });
  // A failure prints the report first, with each broken bound and the call that breaks it.
  expect(report.broken, [...report.lines, ...said].join("\n")).toEqual([]);
}, 1_200_000);
