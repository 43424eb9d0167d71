import { expect, test } from "vitest";
import { faultsOf, PLAYED } from "../../../test/histories/judge.ts";

/** Number of histories of the long form, and their seed. */
const asked = process.env["SIGNALBOX_NOTICES"];
const HISTORIES = Number(asked ?? PLAYED);
/** The long form runs beside other work, which may leave it hardly any time. */
const timeout = asked === undefined ? 120_000 : 0;
const FIRST = Number(process.env["SIGNALBOX_SEED"] ?? 1);
const SEEDS = Array.from({ length: Math.ceil(HISTORIES / PLAYED) }, (_each, at) => FIRST + at);

test.each(SEEDS)("all promises about notices hold in the histories of seed %i", { timeout }, async (seed) => {
  expect(await faultsOf(seed)).toEqual([]);
});
