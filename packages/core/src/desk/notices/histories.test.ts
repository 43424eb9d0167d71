import { expect, test } from "vitest";
import { faultsOf, PLAYED } from "../../../test/histories/judge.ts";

/** As many as the long form asks for, from a seed on. */
const HISTORIES = Number(process.env["SIGNALBOX_NOTICES"] ?? 2 * PLAYED);
const FIRST = Number(process.env["SIGNALBOX_SEED"] ?? 1);
const SEEDS = Array.from({ length: Math.ceil(HISTORIES / PLAYED) }, (_each, at) => FIRST + at);

test.each(SEEDS)("all promises about notices hold in the histories of seed %i", { timeout: 120_000 }, async (seed) => {
  expect(await faultsOf(seed)).toEqual([]);
});
